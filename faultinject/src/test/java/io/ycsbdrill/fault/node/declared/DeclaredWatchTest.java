package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.kit.Moment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is seen of a process on another host becomes events, dated by when it was so. Nobody answers the probe. */
@Timeout(60)
class DeclaredWatchTest {
    private static final String FILE = EngineFileTest.whole("", "").replace("{address}:{port.p}", "127.0.0.1:1");

    @TempDir
    private Path folder;

    private final Moment begin = after(Moment.now(), -60_000);
    private final AtomicReference<ProcessSight> sight =
            new AtomicReference<>(new ProcessSight(Optional.empty(), begin));
    private final BlockingQueue<EngineEvent> events = new LinkedBlockingQueue<>();
    private DeclaredWatch watch;

    private static Moment after(Moment moment, long millis) {
        Duration later = Duration.ofMillis(millis);
        return new Moment(moment.nanos() + later.toNanos(), moment.wall().plus(later));
    }

    private Moment at(long millis) {
        return after(begin, millis);
    }

    @BeforeEach
    void watch() throws Exception {
        Files.writeString(folder.resolve("mine.yaml"), FILE);
        Inventory inventory = Inventory.parse(
                folder.resolve("i.yaml").toString(),
                """
                engine: ./mine.yaml
                properties: {mine.port.p: "7"}
                data_nodes:
                - {id: a, host: db1, transport: ssh, pid_file: /run/a.pid, data_directory: /var/lib/a, commands: {start: [x]}}
                """,
                Engine.installed(),
                (word, from) -> Optional.of(DeclaredEngine.read(from.resolve(word), List.of())),
                new Properties());
        EngineFile file = EngineFileReader.read("mine.yaml", FILE);
        Properties properties = new Properties();
        properties.putAll(inventory.properties());
        watch = new DeclaredWatch(
                HostedSite.places(file, folder, inventory, properties),
                Map.of("a", sight::get),
                Programs.of(file, Map.of("PATH", folder.toString())));
        watch.start();
        watch.listen(events::add);
        sight.set(running("1", 1_000, 900));
        assertThat(next(Signal.PROCESS_STARTED).atNanos()).isEqualTo(at(900).nanos());
    }

    @AfterEach
    void close() {
        watch.close();
    }

    private ProcessSight running(String process, long seen, long begun) {
        return new ProcessSight(Optional.of(process + "-77"), at(seen), at(begun), true);
    }

    private EngineEvent next(Signal signal) throws InterruptedException {
        EngineEvent event;
        do {
            event = events.poll(30, TimeUnit.SECONDS);
            assertThat(event).as("an event %s", signal).isNotNull();
        } while (event.signal() != signal);
        return event;
    }

    /** One that was started since cannot have begun before the other one had ended. */
    @Test
    void theEndOfAProcessThatAnotherOneFollowedIsDatedByTheStartOfThat() throws Exception {
        sight.set(running("2", 2_000, 1_600));

        assertThat(next(Signal.NODE_DOWN).atNanos()).isEqualTo(at(1_600).nanos());
        assertThat(next(Signal.PROCESS_STARTED).atNanos()).isEqualTo(at(1_600).nanos());
    }

    /** By the host's clock it began before the former one was seen last: that one did run then. */
    @Test
    void noProcessEndedBeforeItWasSeenLast() throws Exception {
        sight.set(running("2", 2_000, 950));

        assertThat(next(Signal.NODE_DOWN).atNanos()).isEqualTo(at(1_000).nanos());
    }

    @Test
    void afterASilenceOfTheHostANoteSaysHowMuchEarlierTheEndMayBe() throws Exception {
        sight.set(new ProcessSight(Optional.empty(), at(4_500)));

        assertThat(next(Signal.NODE_DOWN).atNanos()).isEqualTo(at(4_500).nanos());
        assertThat(next(Signal.NOTE).text())
                .isEqualTo("its host did not answer for 3.5 s: its end may be that much earlier");
    }

    @Test
    void aProcessThatEndsWhileItsHostAnswersIsDownWithoutANote() throws Exception {
        sight.set(new ProcessSight(Optional.empty(), at(2_000)));
        assertThat(next(Signal.NODE_DOWN).atNanos()).isEqualTo(at(2_000).nanos());
        sight.set(running("2", 3_000, 2_500));

        List<Signal> signals = new ArrayList<>();
        while (!signals.contains(Signal.PROCESS_STARTED)) {
            signals.add(
                    Objects.requireNonNull(events.poll(30, TimeUnit.SECONDS)).signal());
        }
        assertThat(signals).doesNotContain(Signal.NOTE);
    }
}

package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.recovery.Observation;
import io.ycsbdrill.fault.recovery.RecoveryTracker;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class SqlWatchTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    /** Nobody has to handle it, whether it was a fault of the drill's or not. */
    @Test
    void aNodeThatEndsByItselfIsDownAtOnceAlsoWhenItWasStarting() throws Exception {
        AtomicReference<OsProcess> process = new AtomicReference<>(new OsProcess(7, OptionalLong.of(1), Set.of()));
        List<EngineEvent> told = new CopyOnWriteArrayList<>();
        try (SqlWatch watch = new SqlWatch(
                Map.of("sql1", directory.resolve("mysqld1.out")), node -> Optional.ofNullable(process.get()))) {
            watch.listen(told::add);
            watch.start();

            process.set(null);
            NodeLocks.await(BOUND, () -> watch.reported(h -> !h.running("sql1")), () -> "its end is not noticed");
            assertThat(phase(told)).isEqualTo(Phase.DOWN);

            process.set(new OsProcess(8, OptionalLong.of(2), Set.of()));
            NodeLocks.await(BOUND, () -> watch.reported(h -> h.running("sql1")), () -> "its start is not noticed");
            assertThat(phase(told)).isEqualTo(Phase.LOCAL_RECOVERY);

            process.set(null);
            NodeLocks.await(BOUND, () -> watch.reported(h -> !h.running("sql1")), () -> "its end is not noticed");
            assertThat(phase(told)).isEqualTo(Phase.DOWN);
        }
    }

    private static Phase phase(List<EngineEvent> told) {
        RecoveryTracker tracker = new RecoveryTracker();
        told.stream()
                .map(e -> new EngineObserved(e.atNanos(), e.node(), e.signal(), e.source(), e.text()))
                .flatMap(marker -> Observation.of(marker).stream())
                .forEach(tracker::observe);
        return tracker.latest("sql1").orElseThrow().phase();
    }
}

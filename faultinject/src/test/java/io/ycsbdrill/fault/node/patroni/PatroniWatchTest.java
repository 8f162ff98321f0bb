package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PatroniWatchTest {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

    @TempDir
    private Path cluster;

    private void log(Instant stamp, String text) throws IOException {
        Path log = new PatroniFiles(cluster).output("node1");
        Files.createDirectories(log.getParent());
        Files.writeString(
                log,
                STAMP.format(stamp) + " UTC [7:] LOG:  " + text + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** An earlier drill had made its clock wrong. */
    @Test
    void whatWasWrittenByAWrongClockDoesNotMoveWhatComesLater() throws IOException {
        List<EngineEvent> events = new ArrayList<>();
        PatroniHistory history = new PatroniHistory(List.of("node1", PatroniFiles.ETCD), events::add);
        PatroniWatch watch = new PatroniWatch(
                Map.of("node1", "127.0.0.1:1"), new PatroniFiles(cluster), (node, part) -> Optional.empty());
        log(Instant.now().plusSeconds(3600), "redo starts at 0/1");
        watch.readFirst(history);
        events.clear();

        log(Instant.now(), "redo done at 0/2");
        watch.read(history);

        assertThat(events).singleElement().satisfies(event -> assertThat(event.atNanos())
                .isLessThanOrEqualTo(System.nanoTime()));
    }
}

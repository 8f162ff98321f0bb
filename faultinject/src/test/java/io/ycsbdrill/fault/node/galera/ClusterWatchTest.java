package io.ycsbdrill.fault.node.galera;

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
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterWatchTest {
    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

    @TempDir
    private Path cluster;

    private void log(Instant stamp, String text) throws IOException {
        Path log = new GaleraFiles(cluster).log("node1");
        Files.createDirectories(log.getParent());
        Files.writeString(
                log,
                STAMP.format(stamp) + " 0 [Note] " + text + "\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    /** An earlier drill had made its clock wrong. */
    @Test
    void whatWasWrittenByAWrongClockDoesNotMoveWhatComesLater() throws IOException {
        List<EngineEvent> events = new ArrayList<>();
        ClusterHistory history = new ClusterHistory(List.of("node1"), events::add);
        ClusterWatch watch = new ClusterWatch(List.of("node1"), new GaleraFiles(cluster), node -> Optional.empty());
        log(Instant.now().plusSeconds(3600), "InnoDB: Starting crash recovery from checkpoint LSN=1");
        watch.readFirst(history);
        events.clear();

        log(Instant.now(), "InnoDB: End of log at LSN=2");
        watch.read(history);

        assertThat(events).singleElement().satisfies(event -> assertThat(event.atNanos())
                .isLessThanOrEqualTo(System.nanoTime()));
    }

    @Test
    void oneLineOfAWrongClockDoesNotMoveTheNext() throws IOException {
        List<EngineEvent> events = new ArrayList<>();
        ClusterHistory history = new ClusterHistory(List.of("node1"), events::add);
        ClusterWatch watch = new ClusterWatch(List.of("node1"), new GaleraFiles(cluster), node -> Optional.empty());
        watch.readFirst(history);
        log(Instant.now().plusSeconds(3600), "InnoDB: Starting crash recovery from checkpoint LSN=1");
        watch.read(history);

        log(Instant.now(), "InnoDB: End of log at LSN=2");
        watch.read(history);

        assertThat(events.get(events.size() - 1).atNanos()).isLessThanOrEqualTo(System.nanoTime());
    }
}

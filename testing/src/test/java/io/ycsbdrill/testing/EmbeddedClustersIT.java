package io.ycsbdrill.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.Handler;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two real clusters at once in one JVM, of one node each, as classes of tests that run in parallel have them. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class EmbeddedClustersIT {
    @TempDir
    private Path directory;

    @Test
    void twoClustersAtOnceDoNotMeetAndLeaveNothingBehind() throws Exception {
        List<Long> before = children();
        List<Handler> handlers = List.of(Logger.getLogger("").getHandlers());
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            Future<DrillResult> reads = threads.submit(() -> run("reads", 1));
            Future<DrillResult> updates = threads.submit(() -> run("updates", 0));

            for (DrillResult run : List.of(reads.get(), updates.get())) {
                assertThat(run.reasons()).isEmpty();
                assertThat(run.ok()).isPositive();
                assertThat(run.failed() + run.unknown()).isZero();
            }
            assertThat(reads.get().windows("UPDATE")).isEmpty();
            assertThat(updates.get().windows("READ")).isEmpty();
        } finally {
            threads.shutdownNow();
        }
        assertThat(children()).as("processes left behind").isEqualTo(before);
        assertThat(directory)
                .isDirectoryNotContaining(path -> path.getFileName().toString().startsWith("cluster-"));
        assertThat(Logger.getLogger("").getHandlers()).containsExactlyElementsOf(handlers);
    }

    private DrillResult run(String name, double reads) {
        try (DrillCluster cluster =
                DrillCluster.embedded().dataNodes(1).directory(directory).start()) {
            return cluster.drill(name)
                    .lasting(Duration.ofSeconds(1))
                    .records(100)
                    .mix(reads, 1 - reads)
                    .run();
        }
    }

    private static List<Long> children() {
        try (Stream<ProcessHandle> children = ProcessHandle.current().descendants()) {
            return children.filter(ProcessHandle::isAlive)
                    .map(ProcessHandle::pid)
                    .toList();
        }
    }
}

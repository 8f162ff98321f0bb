package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Composed;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
class PatroniClusterTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private PatroniCluster cluster() {
        return new PatroniCluster(new ClusterDescriptor(
                PatroniEngine.NAME,
                folder,
                Instant.EPOCH,
                "unknown",
                Map.of(),
                Map.of(
                        "home", "/none",
                        "nodes", "2",
                        "user", System.getProperty("user.name"),
                        "rest", "127.0.0.1:1,127.0.0.1:2",
                        "etcd", "127.0.0.1:3:4",
                        "pgbouncerPort", "5")));
    }

    private static void record(Path file, long pid, String program) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, PidFile.text(pid, List.of(program)));
    }

    @Test
    void whatTheServersHaveUsedIncludesPgBouncer() throws Exception {
        Process server = new ProcessBuilder("sleep", "600").start();
        try (PatroniCluster cluster = cluster()) {
            record(new PatroniFiles(folder).pid("pgbouncer"), server.pid(), "sleep");

            assertThat(cluster.use()).containsOnlyKeys("pgbouncer");
            assertThat(cluster.proxies()).extracting("id").containsExactly("pgbouncer");
        } finally {
            server.destroyForcibly().waitFor();
        }
    }

    /** Such as pg_rewind, with which Patroni would otherwise go on to change the data. */
    @Test
    void whatPatroniHasStartedIsPausedAndResumedWithIt() throws Exception {
        Process patroni = new ProcessBuilder("setsid", "sh", "-c", "sleep 600 & echo $!; wait").start();
        OsProcess copying = new OsProcess(Long.parseLong(patroni.inputReader().readLine()));
        try (PatroniCluster cluster = cluster()) {
            record(new PatroniFiles(folder).pid("node1"), patroni.pid(), "sh");
            Composed single = cluster.capability(Composed.class).orElseThrow();

            single.pause("node1", "patroni");
            NodeLocks.await(BOUND, copying::stopped, () -> "it goes on");
            assertThat(single.resumeAll()).containsExactly("patroni of node1");
            NodeLocks.await(BOUND, () -> !copying.stopped(), () -> "it is stopped");
            cluster.pause("node1");
            NodeLocks.await(BOUND, copying::stopped, () -> "it goes on");
            cluster.resume("node1");
            NodeLocks.await(BOUND, () -> !copying.stopped(), () -> "it is stopped");

            single.kill("node1", "patroni");
            NodeLocks.await(BOUND, () -> !copying.alive(), () -> "it goes on");
        } finally {
            patroni.descendants().forEach(ProcessHandle::destroyForcibly);
            patroni.destroyForcibly().waitFor();
        }
    }
}

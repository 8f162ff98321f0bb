package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.JavaProgram;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** How long the nodes of a cluster live that another process has started. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(240)
class EmbeddedLifetimeIT {
    private static final Duration BOUND = Duration.ofSeconds(150);

    private final List<Process> starters = new ArrayList<>();

    @TempDir
    private Path folder;

    @AfterEach
    void endStarters() throws InterruptedException {
        for (Process starter : starters) {
            starter.destroyForcibly().waitFor();
        }
    }

    @Test
    void ownedClusterEndsWithItsOwnerEvenAfterSigkill() throws Exception {
        Process owner = start("OWNED");
        List<Long> nodes = new ArrayList<>();
        try (LocalCluster cluster = new EmbeddedEngine().attach(descriptor())) {
            // A node that this process has started must end with the owner, too.
            cluster.capability(Killable.class).orElseThrow().kill("node2");
            Startable startable = cluster.capability(Startable.class).orElseThrow();
            startable.start("node2");
            startable.awaitStarted("node2", BOUND);
            nodes.addAll(pids(cluster));
        }
        assertThat(nodes).hasSize(2);

        owner.destroyForcibly();

        assertThat(owner.waitFor(10, TimeUnit.SECONDS)).isTrue();
        awaitGone(nodes);
    }

    @Test
    void detachedClusterOutlivesItsStarterAndIsTakenDownByAnother() throws Exception {
        Process starter = start("DETACHED");
        assertThat(starter.waitFor(30, TimeUnit.SECONDS)).isTrue();
        ClusterDescriptor descriptor = descriptor();
        LocalCluster cluster = new EmbeddedEngine().attach(descriptor);
        List<Long> nodes = pids(cluster);

        assertThat(nodes).hasSize(2);
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        cluster.down();

        awaitGone(nodes);
        assertThat(descriptor.directory()).doesNotExist();
        assertThatThrownBy(() -> new EmbeddedEngine().attach(descriptor))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no embedded cluster is left");
    }

    @Test
    void detachedClusterWhoseStarterIsKilledBeforeItIsCompleteEndsWithIt() throws Exception {
        Process starter = launch("DETACHED");
        List<Path> files = List.of(pidFile("node1"), pidFile("node2"));
        while (!files.stream().allMatch(Files::exists)) {
            assertThat(starter.isAlive()).isTrue();
            Thread.sleep(20);
        }
        starter.destroyForcibly();
        assertThat(starter.waitFor(10, TimeUnit.SECONDS)).isTrue();

        List<Long> nodes = new ArrayList<>();
        for (Path file : files) {
            nodes.add(Long.parseLong(Files.readString(file).strip().split(" ")[0]));
        }
        awaitGone(nodes);
        Path directory = folder.resolve("embedded/c");
        new EmbeddedEngine().removeLeftovers(directory);
        assertThat(directory).doesNotExist();
    }

    private Path pidFile(String node) {
        return folder.resolve("embedded/c").resolve(node).resolve("pid");
    }

    private Process start(String lifetime) throws IOException {
        Process process = launch(lifetime);
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).isEqualTo("up");
        return process;
    }

    private Process launch(String lifetime) throws IOException {
        Process process = new ProcessBuilder(JavaProgram.command(EmbeddedUpMain.class, folder.toString(), lifetime))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        starters.add(process);
        return process;
    }

    private ClusterDescriptor descriptor() {
        return new ClusterDirectory(folder).find("embedded").orElseThrow();
    }

    private static List<Long> pids(LocalCluster cluster) {
        return cluster.status().stream()
                .map(NodeStatus::pid)
                .flatMapToLong(pid -> pid.stream())
                .boxed()
                .toList();
    }

    private static void awaitGone(List<Long> nodes) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (long pid : nodes) {
            while (!ProcFs.stat(pid).map(ProcFs.Stat::ended).orElse(true)) {
                assertThat(System.nanoTime()).as("node process %s is gone", pid).isLessThan(deadline);
                Thread.sleep(20);
            }
        }
    }
}

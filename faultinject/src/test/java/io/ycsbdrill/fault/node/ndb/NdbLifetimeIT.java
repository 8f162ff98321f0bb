package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.JavaProgram;
import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How long the processes of a cluster live; set {@code NDB_HOME} to run it. */
@Tag("engine")
@Timeout(120)
class NdbLifetimeIT {
    @TempDir
    Path folder;

    private final List<Process> starters = new ArrayList<>();
    private NdbHome home;

    @BeforeEach
    void needsAnInstallation() {
        home = TestedNdb.home();
    }

    /** Also when a test has failed before it came to that. */
    @AfterEach
    void nothingIsLeftRunning() throws InterruptedException {
        for (Process starter : starters) {
            starter.destroyForcibly().waitFor();
        }
        new NdbEngine().removeLeftovers(folder.resolve("ndb/c"));
    }

    @Test
    void ownedClusterEndsWithItsOwnerEvenAfterSigkill() throws Exception {
        Process owner = start("OWNED");
        List<ProcessHandle> processes = processes();
        assertThat(processes).hasSizeGreaterThanOrEqualTo(3); // management server, angel, worker

        owner.destroyForcibly();
        assertThat(owner.waitFor(10, TimeUnit.SECONDS)).isTrue();
        awaitGone(processes);
    }

    @Test
    void detachedClusterOutlivesItsStarterAndIsTakenDownByAnother() throws Exception {
        Process starter = start("DETACHED");
        assertThat(starter.waitFor(30, TimeUnit.SECONDS)).isTrue();
        ClusterDescriptor descriptor = new ClusterDirectory(folder).find("ndb").orElseThrow();
        List<ProcessHandle> processes = processes();

        LocalCluster cluster = new NdbEngine().attach(descriptor);
        assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED);
        assertThatThrownBy(() -> new NdbEngine().up(descriptor.directory(), Map.of(), Lifetime.OWNED, line -> {}))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("is not empty");
        cluster.down();

        awaitGone(processes);
        assertThat(descriptor.directory()).doesNotExist();
        assertThatThrownBy(() -> new NdbEngine().attach(descriptor))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("is running any more");
    }

    /** A node that cannot start leaves nothing behind but the reason. */
    @Test
    void clusterWhoseDataNodeDoesNotStartIsUndone() throws Exception {
        Path bin = Files.createDirectories(folder.resolve("home/bin"));
        Files.createSymbolicLink(
                bin.resolve("ndb_mgmd"), home.program("ndb_mgmd").orElseThrow());
        Path broken = Files.writeString(bin.resolve("ndbmtd"), "#!/bin/sh\necho no memory for node; exit 1\n");
        assertThat(broken.toFile().setExecutable(true)).isTrue();
        Path directory = folder.resolve("c");

        assertThatThrownBy(() -> new NdbEngine()
                        .up(
                                directory,
                                Map.of(
                                        "sql-nodes",
                                        "0",
                                        "ndb-home",
                                        folder.resolve("home").toString()),
                                Lifetime.OWNED,
                                line -> {}))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("node 1 ended at once")
                .hasMessageContaining("no memory for node");
        assertThat(directory).doesNotExist();
    }

    @Test
    void detachedClusterWhoseStarterIsKilledBeforeItIsCompleteEndsWithIt() throws Exception {
        Process starter = launch("DETACHED");
        Path node = folder.resolve("ndb/c/run/node1.pid");
        while (!Files.exists(node)) {
            assertThat(starter.isAlive()).isTrue();
            Thread.sleep(5);
        }
        List<ProcessHandle> processes = processes();
        starter.destroyForcibly();
        assertThat(starter.waitFor(10, TimeUnit.SECONDS)).isTrue();

        awaitGone(processes);
        new NdbEngine().removeLeftovers(folder.resolve("ndb/c"));
        assertThat(folder.resolve("ndb/c")).doesNotExist();
    }

    private Process start(String lifetime) throws Exception {
        Process process = launch(lifetime);
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        assertThat(out.readLine()).isEqualTo("up");
        return process;
    }

    private Process launch(String lifetime) throws IOException {
        Process starter = new ProcessBuilder(JavaProgram.command(NdbUpMain.class, folder.toString(), lifetime))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        starters.add(starter);
        return starter;
    }

    private List<ProcessHandle> processes() throws Exception {
        try (var files = Files.list(folder.resolve("ndb/c/run"))) {
            return files.filter(file -> file.toString().endsWith(".pid"))
                    .map(NdbLifetimeIT::pid)
                    .flatMap(pid -> ProcessHandle.of(pid).stream())
                    .flatMap(p -> Stream.concat(Stream.of(p), p.descendants()))
                    .toList();
        }
    }

    private static long pid(Path file) {
        try {
            return Long.parseLong(Files.readString(file).strip().split(" ")[0]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void awaitGone(List<ProcessHandle> processes) throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (ProcessHandle process : processes) {
            while (new OsProcess(process.pid()).alive()) {
                assertThat(System.nanoTime())
                        .as("process %s is gone", process.pid())
                        .isLessThan(deadline);
                Thread.sleep(20);
            }
        }
    }
}

package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.Stoppable.Mode;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.trouble.Starvable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class ProcessClusterTest {
    private static final Duration BOUND = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private Process process;
    private OsProcess node;
    private ScriptedCluster cluster;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder("sleep", "600").start();
        node = OsProcess.started(process, "sleep");
        cluster = new ScriptedCluster(folder, Members.numbered(folder, 1)) {
            @Override
            public Optional<OsProcess> process(String name) {
                return Optional.of(node).filter(OsProcess::alive);
            }

            @Override
            protected void requestStop(String name, OsProcess running, Mode mode) {
                running.signal("TERM");
            }
        };
    }

    @AfterEach
    void end() throws Exception {
        cluster.close();
        process.destroyForcibly().waitFor();
    }

    @Test
    void aStarvedNodeIsStoppedAlsoWhenItDoesNotRunAtTheMoment() {
        cluster.capability(Starvable.class).orElseThrow().starve("node1", 0.95);
        NodeLocks.await(BOUND, node::stopped, () -> "never stopped");

        cluster.stop("node1", Mode.GRACEFUL, BOUND);

        assertThat(node.alive()).isFalse();
    }

    /** Several times, as it is a matter of a moment. */
    @RepeatedTest(5)
    void aNodeThatIsJustBeingRelievedIsNotPaused() throws Exception {
        Starvable starvable = cluster.capability(Starvable.class).orElseThrow();
        starvable.starve("node1", 0.95);
        NodeLocks.await(BOUND, node::stopped, () -> "never stopped");
        Thread relieving = new Thread(() -> starvable.relieve("node1"));
        relieving.start();
        while (relieving.isAlive() && relieving.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }

        cluster.stop("node1", Mode.GRACEFUL, BOUND);

        assertThat(node.alive()).isFalse();
        relieving.join();
    }

    @Test
    void aPausedNodeIsNotStopped() {
        node.signal("STOP");
        NodeLocks.await(BOUND, node::stopped, () -> "never stopped");

        assertThatThrownBy(() -> cluster.stop("node1", Mode.GRACEFUL, BOUND))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("is paused and cannot respond");
    }

    /** One that another one was just starting, which was not in the list yet. */
    @Test
    void aPauseStopsWhatIsFoundOnlyLater() throws Exception {
        Process late = new ProcessBuilder("sleep", "600").start();
        List<OsProcess> both = List.of(node, OsProcess.started(late, "sleep"));
        ScriptedCluster several = new ScriptedCluster(folder, Members.numbered(folder, 1)) {
            private int asked;

            @Override
            protected List<OsProcess> processes(String name) {
                return both.subList(0, asked++ < 2 ? 1 : 2).stream()
                        .filter(OsProcess::alive)
                        .toList();
            }

            @Override
            public Optional<OsProcess> process(String name) {
                return processes(name).stream().findFirst();
            }
        };
        try {
            several.pause("node1");
            assertThat(both).allMatch(OsProcess::stopped);
        } finally {
            several.close();
            late.destroyForcibly().waitFor();
        }
    }

    @Test
    void aKillEndsWhatWasJustBeingStarted() throws Exception {
        Process late = new ProcessBuilder("sleep", "600").start();
        OsProcess second = OsProcess.started(late, "sleep");
        ScriptedCluster several = new ScriptedCluster(folder, Members.numbered(folder, 1)) {
            private int beginnings = 3;

            @Override
            protected List<OsProcess> processes(String name) {
                return List.of(node, second).subList(0, beginnings > 0 ? 1 : 2).stream()
                        .filter(OsProcess::alive)
                        .toList();
            }

            @Override
            protected List<OsProcess> starting(String name) {
                return beginnings-- > 0 ? List.of(second) : List.of();
            }
        };
        try {
            several.kill("node1");
            assertThat(node.alive()).isFalse();
            assertThat(second.alive()).isFalse();
        } finally {
            several.close();
            late.destroyForcibly().waitFor();
        }
    }

    /** Its pid file is gone, or names another process: that says nothing of the server. */
    @Test
    void aNodeIsNotTakenForDownWhileAnythingMayBeItsServer() throws Exception {
        Path data = Files.createDirectories(folder.resolve("node1"));
        Path row = Files.createFile(data.resolve("row"));
        Process server =
                new ProcessBuilder("sleep", "600").directory(data.toFile()).start();
        ScriptedCluster lost = new ScriptedCluster(folder, Members.numbered(folder, 1)) {
            @Override
            protected Path pidFile(String name) {
                return folder.resolve("node1.pid");
            }

            @Override
            protected Process launch(String name, boolean empty) {
                throw new NodeControlException("launched");
            }
        };
        try {
            for (String record : List.of("", server.pid() + " 1 sleep\n")) {
                if (!record.isEmpty()) {
                    Files.writeString(folder.resolve("node1.pid"), record);
                }
                for (Runnable operation : List.<Runnable>of(
                        () -> lost.kill("node1"),
                        () -> lost.stop("node1", Mode.GRACEFUL, BOUND),
                        () -> lost.resume("node1"),
                        () -> lost.start("node1"),
                        () -> lost.startInitial("node1"))) {
                    assertThatThrownBy(operation::run)
                            .isInstanceOf(NodeControlException.class)
                            .hasMessageContaining("process " + server.pid() + " (sleep 600) uses " + data);
                }
            }
            assertThat(row).exists();
            assertThat(server.isAlive()).isTrue();
        } finally {
            server.destroyForcibly().waitFor();
        }
        lost.kill("node1");
        lost.resume("node1");
        lost.close();
    }
}

package io.ycsbdrill.fault.node.kit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.Composed;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class SingleProcessesTest {
    @TempDir
    Path folder;

    private final Map<String, Process> servers = new HashMap<>();
    private Cluster cluster;
    private Composed singles;

    /** Each node is one process, its server. */
    private class Cluster extends ScriptedCluster {
        Cluster() {
            super(folder, Members.numbered(folder, 2));
        }

        @Override
        protected List<String> parts() {
            return List.of("supervisor", "server");
        }

        @Override
        protected List<OsProcess> processes(String node, String part) {
            return part.equals("server") && server(node).alive() ? List.of(server(node)) : List.of();
        }
    }

    @BeforeEach
    void start() throws IOException {
        for (String node : List.of("node1", "node2", "late")) {
            servers.put(node, new ProcessBuilder("sleep", "600").start());
        }
        use(new Cluster());
    }

    private void use(Cluster another) {
        cluster = another;
        singles = cluster.capability(Composed.class).orElseThrow();
    }

    @AfterEach
    void end() throws InterruptedException {
        cluster.close();
        for (Process server : servers.values()) {
            server.destroyForcibly().waitFor();
        }
    }

    private OsProcess server(String node) {
        return OsProcess.started(servers.get(node), "sleep");
    }

    /** Such as a stop that takes its time, while this program is told to end. */
    @Test
    void anOperationOnAnotherNodeDoesNotKeepAPausedOneFromBeingResumed() {
        singles.pause("node2", "server");
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch resumed = new CountDownLatch(1);
        CompletableFuture<Void> stop = CompletableFuture.runAsync(() -> cluster.exclusively("node1", () -> {
            begun.countDown();
            awaitUninterrupted(resumed);
        }));
        awaitUninterrupted(begun);

        assertThat(singles.resumeAll()).containsExactly("server of node2");

        assertThat(server("node2").stopped()).isFalse();
        resumed.countDown();
        stop.join();
        assertThat(singles.resumeAll()).isEmpty();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aNodeThatCannotBeResumedDoesNotKeepTheOthersPaused() {
        singles.pause("node2", "server");
        use(new Cluster() {
            @Override
            protected List<OsProcess> processes(String node, String part) {
                if (node.equals("node1")) {
                    throw new NodeControlException("the pid file of its " + part + " is damaged");
                }
                return super.processes(node, part);
            }
        });

        assertThatThrownBy(singles::resumeAll)
                .isInstanceOf(NodeControlException.class)
                .hasMessage("the pid file of its supervisor is damaged; the pid file of its server is damaged");

        assertThat(server("node2").stopped()).isFalse();
    }

    /** Its parent was just forking it when the children were listed, and forks no other one once it is stopped. */
    @Test
    void aKillEndsAChildThatWasInNoListYet() {
        use(new Cluster() {
            @Override
            protected List<OsProcess> processes(String node, String part) {
                return Stream.of(server("node1"), server("late"))
                        .filter(each ->
                                each.equals(server("node1")) || server("node1").stopped())
                        .filter(OsProcess::alive)
                        .toList();
            }
        });

        singles.kill("node1", "server");

        assertThat(server("node1").alive()).isFalse();
        assertThat(server("late").alive()).isFalse();
        assertThat(singles.lookForEnd("node1", "server").effect()).isTrue();
    }
}

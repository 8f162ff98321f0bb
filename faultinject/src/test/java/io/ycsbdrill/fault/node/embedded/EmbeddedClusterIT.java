package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeControllerContract;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The contract, on real nodes, and what is the embedded cluster's own. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
class EmbeddedClusterIT extends NodeControllerContract {
    @TempDir
    static Path directory;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() {
        cluster = new EmbeddedEngine().up(directory.resolve("cluster"), Map.of(), Lifetime.OWNED, System.out::println);
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
            assertThat(directory.resolve("cluster")).doesNotExist();
        }
    }

    /** Its table is empty, so there is nothing to copy and nothing to wait for. */
    @Override
    protected boolean alwaysWaitsForCheckpoint() {
        return false;
    }

    @Override
    protected NodeController controller() {
        return cluster;
    }

    @Test
    void anotherControllerSeesTheSameClusterAndCanActOnIt() {
        try (LocalCluster other = new EmbeddedEngine().attach(cluster.descriptor())) {
            assertThat(other.status()).isEqualTo(cluster.status());
            assertThat(other.primary()).isEqualTo(cluster.primary());
            assertThat(other.engineVersion()).isEqualTo("2.18.0");

            other.capability(Killable.class).orElseThrow().kill("node3");
            assertThat(cluster.status()).extracting(NodeStatus::state).contains(State.DOWN);
            Startable startable = other.capability(Startable.class).orElseThrow();
            startable.start("node3");
            startable.awaitStarted("node3", Duration.ofSeconds(150));
        }
    }

    /** The tool was killed while the files were removed: of what was left of them the node came up damaged, again and again. */
    @Test
    void aStartCompletesAnInitialStartThatWasCutOff() throws Exception {
        Path data = cluster.descriptor().directory().resolve("node3/data");
        cluster.capability(Killable.class).orElseThrow().kill("node3");
        Path removed = Files.move(data, data.resolveSibling(".data.removed"));

        Startable startable = cluster.capability(Startable.class).orElseThrow();
        startable.start("node3");
        startable.awaitStarted("node3", Duration.ofSeconds(150));

        assertThat(removed).doesNotExist();
        assertThat(data).isNotEmptyDirectory();
    }

    /** Resumed it could serve writes beside the others: it is ended, and that is told. */
    @Test
    void aPausedNodeThatTheOthersHaveDroppedIsEndedAndThatIsTold() throws Exception {
        List<EngineEvent> events = new CopyOnWriteArrayList<>();
        Pausable pausable = cluster.capability(Pausable.class).orElseThrow();
        AutoCloseable subscription = cluster.listen(events::add);
        try {
            pausable.pause("node2");
            NodeLocks.await(
                    Duration.ofSeconds(60),
                    () -> cluster.status().get(1).detail().contains("dropped by the others"),
                    () -> "node2 was not dropped: " + cluster.status());

            pausable.resume("node2");

            assertThat(cluster.status().get(1).state()).isEqualTo(State.DOWN);
            assertThat(events)
                    .filteredOn(event -> event.signal() == EngineEvent.Signal.NOTE
                            && event.node().equals("node2"))
                    .extracting(EngineEvent::text)
                    .anyMatch(text -> text.startsWith("SIGKILL instead of SIGCONT"));
        } finally {
            subscription.close();
            Startable startable = cluster.capability(Startable.class).orElseThrow();
            startable.start("node2");
            startable.awaitStarted("node2", Duration.ofSeconds(150));
        }
    }

    @Test
    void directoryThatIsInUseIsRefused() {
        assertThatThrownBy(() ->
                        new EmbeddedEngine().up(directory.resolve("cluster"), Map.of(), Lifetime.OWNED, line -> {}))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("is not empty");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
    }

    @Test
    void descriptorWhoseDirectoryIsGoneSaysSo() {
        ClusterDescriptor stale = new ClusterDescriptor(
                "embedded", directory.resolve("gone"), Instant.EPOCH, "2.18.0", Map.of(), Map.of());

        assertThatThrownBy(() -> new EmbeddedEngine().attach(stale))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no embedded cluster is left in");
    }

    @Test
    void processOfAnotherProgramIsNeverTakenForANode() throws Exception {
        Process sleeper = new ProcessBuilder("sleep", "60").start();
        try {
            assertThat(ProcFs.arguments(sleeper.pid()).contains("60")).isTrue();
            assertThat(ProcFs.arguments(sleeper.pid()).contains("-Dycsbdrill.node=node1"))
                    .isFalse();
        } finally {
            sleeper.destroyForcibly().waitFor();
        }
        assertThat(ProcFs.arguments(sleeper.pid()).contains("60")).isFalse();
    }

    @Test
    void nodesHaveASessionOfTheirOwn() throws Exception {
        for (NodeStatus node : cluster.status()) {
            List<String> fields = List.of(
                    Files.readString(Path.of("/proc", Long.toString(node.pid().orElseThrow()), "stat"))
                            .replaceFirst(".*\\) ", "")
                            .split(" "));
            assertThat(Long.parseLong(fields.get(3))).isEqualTo(node.pid().orElseThrow());
        }
    }
}

package io.ycsbdrill.fault.node.os;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

@EnabledOnOs(OS.LINUX)
@Timeout(60)
class StarverTest {
    private Process process;
    private OsProcess node;
    private Starver starver;

    @BeforeEach
    void start() throws IOException {
        process = new ProcessBuilder("sleep", "600").start();
        node = OsProcess.started(process, "sleep");
        starver = new Starver(name -> Optional.ofNullable(Map.of("node1", node).get(name)));
    }

    @AfterEach
    void end() throws Exception {
        starver.relieveAll();
        process.destroyForcibly().waitFor();
    }

    @Test
    void aNodeIsStoppedAndRunsInTurnUntilItIsRelieved() {
        assertThat(starver.look("node1").effect()).isFalse();
        assertThat(starver.starves("node1")).isFalse();

        starver.starve("node1", 0.5);
        assertThat(starver.starves("node1")).isTrue();
        await("seen", () -> starver.look("node1").effect());
        await("stopped again", node::stopped);
        await("running again", () -> !node.stopped());

        starver.relieve("node1");
        starver.relieve("node1");
        assertThat(starver.starves("node1")).isFalse();
        assertThat(node.stopped()).isFalse();
        assertThat(NodeLocks.holds(Duration.ofMillis(500), node::stopped))
                .as("it is left alone")
                .isFalse();
        assertThat(starver.look("node1").effect()).isFalse();
    }

    @Test
    void aLaterShareTakesThePlaceOfTheOneBefore() {
        starver.starve("node1", 0.5);
        starver.starve("node1", 0.9);

        await("seen", () -> starver.look("node1").effect());
        starver.relieve("node1");
        assertThat(NodeLocks.holds(Duration.ofMillis(500), node::stopped)).isFalse();
    }

    @Test
    void anEndedNodeIsLeftAlone() throws Exception {
        starver.starve("node1", 0.5);
        process.destroyForcibly().waitFor();
        assertThat(starver.starves("node1")).isFalse();

        starver.relieve("node1");

        assertThat(node.alive()).isFalse();
    }

    /** Its id has another process now, which is neither stopped nor continued. */
    @Test
    void aLaterProcessWithTheIdOfTheNodesIsLeftAlone() throws Exception {
        OsProcess earlier =
                new OsProcess(node.pid(), OptionalLong.of(node.startTicks().getAsLong() - 1), node.programs());
        Starver of = new Starver(name -> Optional.of(earlier));
        node.signal("STOP");
        await("stopped", node::stopped);

        of.starve("node1", 0.5);
        assertThat(NodeLocks.holds(Duration.ofMillis(300), () -> !node.stopped()))
                .as("continued")
                .isFalse();
        of.relieve("node1");

        assertThat(node.stopped()).isTrue();
    }

    @Test
    void aNodeWithoutAProcessIsRefused() {
        assertThatThrownBy(() -> starver.starve("node2", 0.5))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("node2 cannot be starved: it has no process");
        assertThatThrownBy(() -> starver.starve("node1", 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static void await(String what, BooleanSupplier condition) {
        NodeLocks.await(Duration.ofSeconds(20), condition, () -> "never " + what);
    }
}

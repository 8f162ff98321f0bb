package io.ycsbdrill.fault.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.NodeStatus.State;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every node controller must do, run by the fake and by each real one. Each test finds a cluster whose nodes are all
 * whole, and leaves it so. A test of a capability that the controller does not have is skipped.
 */
public abstract class NodeControllerContract {
    protected static final Duration BOUND = Duration.ofSeconds(150);

    private final List<EngineEvent> events = new CopyOnWriteArrayList<>();
    private NodeController controller;
    private AutoCloseable subscription;

    /** The controller of a cluster; the same one for every test, or a fresh one. */
    protected abstract NodeController controller();

    /** Whether a node waits for a checkpoint even when there was nothing to copy. */
    protected boolean alwaysWaitsForCheckpoint() {
        return true;
    }

    /** Whether other nodes handle the failure of one, and it copies from them; false for a server that stands alone. */
    protected boolean hasPeers() {
        return true;
    }

    @BeforeEach
    final void listen() {
        controller = controller();
        subscription = controller.listen(events::add);
    }

    @AfterEach
    final void everyNodeIsWholeAgain() throws Exception {
        controller.capability(Pausable.class).ifPresent(p -> controller.nodes().forEach(n -> p.resume(n.id())));
        controller.capability(Startable.class).ifPresent(s -> {
            controller.nodes().forEach(n -> s.start(n.id()));
            controller.nodes().forEach(n -> s.awaitStarted(n.id(), BOUND));
        });
        subscription.close();
    }

    @Test
    void statusHasEveryNodeInOrderAndAllAreWhole() {
        List<NodeStatus> status = controller.status();

        assertThat(status)
                .extracting(NodeStatus::id)
                .containsExactlyElementsOf(Stream.concat(controller.nodes().stream(), controller.frontEnds().stream())
                        .map(NodeInfo::id)
                        .toList());
        assertThat(status).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(controller.engine()).isNotBlank();
        assertThat(controller.engineVersion()).isNotBlank();
    }

    /** Of a cluster elsewhere nothing is known. */
    @Test
    void nodesOfThisMachineHaveUsedProcessorTimeAndMemory() {
        assumeTrue(controller instanceof LocalCluster, "its processes are not on this machine");
        List<String> servers = Stream.concat(controller.nodes().stream(), controller.frontEnds().stream())
                .map(NodeInfo::id)
                .toList();

        Map<String, NodeUse> use = controller.use();

        assertThat(use).containsKeys(servers.toArray(String[]::new));
        assertThat(use.values()).allSatisfy(used -> {
            assertThat(used.cpuSeconds()).isNotNegative();
            assertThat(used.memoryBytes()).isGreaterThan(1_000_000);
        });
        assertThat(use.values()).extracting(NodeUse::process).doesNotHaveDuplicates();
    }

    @Test
    void unknownNodeIsRefusedByName() {
        Killable killable = needed(Killable.class);

        assertThatThrownBy(() -> killable.kill("nobody"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("nobody");
    }

    @Test
    void killedNodeIsDownUntilItIsStartedAndThenTellsItsPhasesInOrder() throws Exception {
        Killable killable = needed(Killable.class);
        Startable startable = needed(Startable.class);
        List<EngineEvent> unheard = new CopyOnWriteArrayList<>();
        AutoCloseable closed = controller.listen(unheard::add);
        closed.close();
        closed.close();

        killable.kill(victim());
        assertThat(state(victim())).isEqualTo(State.DOWN);
        assertThatCode(() -> killable.kill(victim())).doesNotThrowAnyException();
        startable.start(victim());
        startable.awaitStarted(victim(), BOUND);

        assertThat(state(victim())).isEqualTo(State.STARTED);
        assertPhases();
        assertThat(unheard).as("a closed subscription hears nothing more").isEmpty();
    }

    @Test
    void startingARunningNodeDoesNothing() {
        Startable startable = needed(Startable.class);

        startable.start(victim());

        assertThat(state(victim())).isEqualTo(State.STARTED);
        assertThat(signals()).doesNotContain(Signal.NODE_DOWN, Signal.PROCESS_STARTED);
    }

    @Test
    void stoppedNodeIsDownAndStoppingItAgainDoesNothing() {
        Stoppable stoppable = needed(Stoppable.class);
        Startable startable = needed(Startable.class);

        stoppable.stop(victim(), Stoppable.Mode.GRACEFUL, BOUND);
        assertThat(state(victim())).isEqualTo(State.DOWN);
        assertThatCode(() -> stoppable.stop(victim(), Stoppable.Mode.ABORT, BOUND))
                .doesNotThrowAnyException();
        startable.start(victim());
        startable.awaitStarted(victim(), BOUND);

        assertPhases();
    }

    @Test
    void initialStartNeedsTheNodeDownAndTellsEveryPhase() {
        Initialisable initialisable = needed(Initialisable.class);
        Killable killable = needed(Killable.class);
        Startable startable = needed(Startable.class);

        assertThatThrownBy(() -> initialisable.startInitial(victim()))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining(victim());
        killable.kill(victim());
        initialisable.startInitial(victim());
        startable.awaitStarted(victim(), BOUND);

        assertPhases();
    }

    @Test
    void pausedNodeGoesOnWhenResumed() {
        Pausable pausable = needed(Pausable.class);

        pausable.pause(victim());
        assertThat(state(victim())).isEqualTo(State.PAUSED);
        pausable.pause(victim());
        pausable.resume(victim());
        pausable.resume(victim());

        assertThat(state(victim())).isNotEqualTo(State.PAUSED);
    }

    private void assertPhases() {
        assertThat(signals())
                .containsSubsequence(
                        hasPeers()
                                ? List.of(
                                        Signal.NODE_DOWN,
                                        Signal.FAILURE_HANDLED,
                                        Signal.PROCESS_STARTED,
                                        Signal.SYNCHRONISE_STARTED,
                                        Signal.RECOVERED)
                                : List.of(Signal.NODE_DOWN, Signal.PROCESS_STARTED, Signal.RECOVERED));
        if (alwaysWaitsForCheckpoint()) {
            assertThat(signals())
                    .containsSubsequence(Signal.SYNCHRONISE_STARTED, Signal.WAIT_CHECKPOINT_STARTED, Signal.RECOVERED);
        }
        long[] times = events.stream()
                .filter(e -> e.node().equals(victim()))
                .filter(e -> e.signal() != Signal.STEP && e.signal() != Signal.NOTE)
                .mapToLong(EngineEvent::atNanos)
                .toArray();
        assertThat(times).isSorted();
    }

    private List<Signal> signals() {
        return events.stream()
                .filter(e -> e.node().equals(victim()))
                .map(EngineEvent::signal)
                .toList();
    }

    private State state(String node) {
        return controller.status().stream()
                .filter(s -> s.id().equals(node))
                .map(NodeStatus::state)
                .findFirst()
                .orElseThrow();
    }

    private List<String> ids() {
        return controller.nodes().stream().map(NodeInfo::id).toList();
    }

    private String victim() {
        return ids().get(Math.min(1, ids().size() - 1));
    }

    private <C> C needed(Class<C> type) {
        Optional<C> capability = controller.capability(type);
        assumeTrue(
                capability.isPresent(), "the controller of " + controller.engine() + " is not " + type.getSimpleName());
        return capability.orElseThrow();
    }
}

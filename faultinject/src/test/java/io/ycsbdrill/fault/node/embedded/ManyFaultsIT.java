package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.trouble.Starvable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** One fault after the other on the same cluster, each of which must tell every phase. {@code soak/drills.sh} does more. */
@Tag("process")
@Tag("soak")
@EnabledOnOs(OS.LINUX)
class ManyFaultsIT {
    private static final int FAULTS = Integer.getInteger("ycsbdrill.faults", 6);
    private static final Duration BOUND = Duration.ofSeconds(150);

    @TempDir
    private Path directory;

    @Test
    @Timeout(600)
    void everyFaultTellsEveryPhaseInOrderAndLeavesAllNodesStarted() throws Exception {
        LocalCluster cluster = new EmbeddedEngine()
                .up(
                        directory.resolve("c"),
                        Map.of("data-nodes", "2", "backups", "1"),
                        Lifetime.OWNED,
                        System.out::println);
        List<EngineEvent> events = new CopyOnWriteArrayList<>();
        cluster.listen(events::add);
        try {
            for (int i = 0; i < FAULTS; i++) {
                String node = "node" + (i % 2 + 1);
                events.clear();
                takeDownAndStart(cluster, node, i % 3);

                cluster.capability(Startable.class).orElseThrow().awaitStarted(node, BOUND);

                // Once each, but that a further rebalance takes the node back to synchronise, and nothing may be waited
                // for.
                assertThat(letters(events, node)).as("fault %s, on %s", i, node).matches("DFP(SW)*S?R");
                assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
                assertThat(events).noneMatch(e -> !e.node().equals(node) && e.signal() == Signal.NODE_DOWN);
            }
        } finally {
            cluster.down();
        }
        assertThat(directory.resolve("c")).doesNotExist();
    }

    @Test
    @Timeout(300)
    void aStarvedNodeIsNotPausedAndStops() throws Exception {
        LocalCluster cluster = new EmbeddedEngine()
                .up(
                        directory.resolve("c"),
                        Map.of("data-nodes", "2", "backups", "1"),
                        Lifetime.OWNED,
                        System.out::println);
        try {
            Starvable starvable = cluster.capability(Starvable.class).orElseThrow();
            starvable.starve("node2", 0.9);
            NodeLocks.await(
                    Duration.ofSeconds(30), () -> stateOf(cluster, "node2") == State.PAUSED, () -> "never stopped");

            cluster.capability(Stoppable.class).orElseThrow().stop("node2", Stoppable.Mode.GRACEFUL, BOUND);

            starvable.relieve("node2");
            assertThat(stateOf(cluster, "node2")).isEqualTo(State.DOWN);
        } finally {
            cluster.down();
        }
    }

    private static State stateOf(LocalCluster cluster, String node) {
        return cluster.status().stream()
                .filter(status -> status.id().equals(node))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private static void takeDownAndStart(LocalCluster cluster, String node, int kind) {
        switch (kind) {
            case 0 -> {
                cluster.capability(Killable.class).orElseThrow().kill(node);
                cluster.capability(Startable.class).orElseThrow().start(node);
            }
            case 1 -> {
                cluster.capability(Stoppable.class).orElseThrow().stop(node, Stoppable.Mode.GRACEFUL, BOUND);
                cluster.capability(Startable.class).orElseThrow().start(node);
            }
            default -> {
                cluster.capability(Killable.class).orElseThrow().kill(node);
                cluster.capability(Initialisable.class).orElseThrow().startInitial(node);
            }
        }
    }

    private static String letters(List<EngineEvent> events, String node) {
        Map<Signal, String> letters = Map.of(
                Signal.NODE_DOWN, "D",
                Signal.FAILURE_HANDLED, "F",
                Signal.PROCESS_STARTED, "P",
                Signal.SYNCHRONISE_STARTED, "S",
                Signal.WAIT_CHECKPOINT_STARTED, "W",
                Signal.RECOVERED, "R");
        return events.stream()
                .filter(e -> e.node().equals(node))
                .map(e -> letters.getOrDefault(e.signal(), ""))
                .collect(Collectors.joining());
    }
}

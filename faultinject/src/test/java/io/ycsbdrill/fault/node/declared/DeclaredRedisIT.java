package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A primary, two replicas and three Sentinels of Redis. */
class DeclaredRedisIT extends DeclaredContract {

    @BeforeAll
    static void up() {
        up("redis.yaml");
    }

    /** For some ten seconds the former primary says that it is one, until the Sentinels have made it a replica. */
    @Test
    @Tag("soak")
    void theFormerPrimaryHasRecoveredWhenItHasCopiedFromTheNewOneAndNotBefore() throws Exception {
        List<EngineEvent> events = Collections.synchronizedList(new ArrayList<>());
        AutoCloseable listening = cluster.listen(events::add);
        Startable nodes = cluster.capability(Startable.class).orElseThrow();

        String former = withoutPrimary();
        nodes.start(former);
        nodes.awaitStarted(former, BOUND);
        listening.close();

        assertThat(cluster.primary()).isPresent().get().isNotEqualTo(former);
        assertThat(events)
                .filteredOn(event -> event.node().equals(former))
                .extracting(EngineEvent::signal)
                .filteredOn(signal -> signal.begins().isPresent())
                .containsExactly(
                        Signal.NODE_DOWN,
                        Signal.FAILURE_HANDLED,
                        Signal.PROCESS_STARTED,
                        Signal.SYNCHRONISE_STARTED,
                        Signal.RECOVERED);
        assertThat(events)
                .anyMatch(event ->
                        event.node().startsWith("sentinel") && event.text().contains("+odown"));
    }

    @Test
    void aSentinelIsKilledAndStartedLikeANodeAndNoNodeNotices() throws Exception {
        List<EngineEvent> events = Collections.synchronizedList(new ArrayList<>());
        AutoCloseable listening = cluster.listen(events::add);
        cluster.capability(Killable.class).orElseThrow().kill("sentinel2");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnlyOnce(State.DOWN);
        Startable servers = cluster.capability(Startable.class).orElseThrow();
        servers.start("sentinel2");
        servers.awaitStarted("sentinel2", BOUND);
        listening.close();

        assertThat(events).extracting(EngineEvent::node).contains("sentinel2").noneMatch(id -> id.startsWith("node"));
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
    }
}

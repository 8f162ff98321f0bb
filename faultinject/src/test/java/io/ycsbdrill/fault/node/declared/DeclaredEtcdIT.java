package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Startable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three nodes of etcd. */
class DeclaredEtcdIT extends DeclaredContract {

    @BeforeAll
    static void up() {
        up("etcd.yaml");
    }

    /** The node that the contract ends is not to be the leader: a kill at once followed by a start leaves no time for an election. */
    @BeforeEach
    void theLeaderIsNotTheOneThatIsEnded() {
        if (cluster.primary().equals(Optional.of("node2"))) {
            withoutPrimary();
            Startable nodes = cluster.capability(Startable.class).orElseThrow();
            nodes.start("node2");
            nodes.awaitStarted("node2", BOUND);
        }
    }

    /** As when the others were told and the start failed then: the new member has no name yet. */
    @Test
    void aNodeCanBeInitialisedAgainAfterHalfAnInitialisation() {
        cluster.capability(Killable.class).orElseThrow().kill("node2");
        ((DeclaredCluster) cluster).initialise("node2");

        cluster.capability(Initialisable.class).orElseThrow().startInitial("node2");

        cluster.capability(Startable.class).orElseThrow().awaitStarted("node2", BOUND);
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(NodeStatus.State.STARTED);
    }

    @Test
    void anotherNodeIsPrimaryWhenThePrimaryIsKilled() throws Exception {
        List<EngineEvent> events = Collections.synchronizedList(new ArrayList<>());
        AutoCloseable listening = cluster.listen(events::add);
        Startable nodes = cluster.capability(Startable.class).orElseThrow();

        String former = withoutPrimary();
        nodes.start(former);
        nodes.awaitStarted(former, BOUND);
        listening.close();

        assertThat(cluster.primary()).isPresent().get().isNotEqualTo(former);
        assertThat(events)
                .filteredOn(event -> event.node().equals(former) && event.signal() == Signal.FAILURE_HANDLED)
                .singleElement()
                .satisfies(event ->
                        assertThat(event.source()).isEqualTo(cluster.primary().orElseThrow() + ".log"));
    }
}

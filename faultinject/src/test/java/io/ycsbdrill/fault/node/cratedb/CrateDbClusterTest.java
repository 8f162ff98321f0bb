package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.cratedb.CrateDbState.Health;
import io.ycsbdrill.fault.node.cratedb.CrateDbState.Shard;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CrateDbClusterTest {

    /** The servers are busiest while shards move. */
    @Test
    void aLookThatNobodyAnswersInTimeDoesNotEndTheWaitForShards() {
        AtomicInteger looks = new AtomicInteger();

        CrateDbCluster.awaitCalm("node3", () -> {
            int look = looks.incrementAndGet();
            if (look == 2) {
                throw new NodeControlException("no server of cratedb answers");
            }
            return state(look <= 3 ? List.of(new Shard("node3", "INITIALIZING", "INDEX", "PEER")) : List.of());
        });

        assertThat(looks).hasValueGreaterThan(4);
    }

    @Test
    void theWaitForShardsEndsWithAnInterrupt() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> CrateDbCluster.awaitCalm("node3", () -> {
                    throw new NodeControlException("no server of cratedb answers");
                }))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("interrupted");
        assertThat(Thread.interrupted()).isTrue();
    }

    /** It may be the last one, which nobody can let go. */
    @Test
    void aRemovalThatIsNotAllowedLeavesTheServerAlone() {
        List<String> done = new ArrayList<>();

        assertThatThrownBy(() -> CrateDbCluster.drain(
                        () -> {
                            throw new NodeControlException("no other server");
                        },
                        () -> done.add("order"),
                        () -> done.add("end")))
                .hasMessage("no other server");

        assertThat(done).isEmpty();
    }

    @Test
    void aRemovalThatFailsSaysWhyAndThatTheServerDoesNotComeBack() {
        NodeControlException start = new NodeControlException("the port is taken");

        assertThatThrownBy(() -> CrateDbCluster.drain(
                        () -> {},
                        () -> {
                            throw new NodeControlException("shards did not move");
                        },
                        () -> {
                            throw start;
                        }))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("shards did not move; and it could not be started again: the port is taken");
    }

    private static CrateDbState state(List<Shard> moving) {
        return new CrateDbState(
                Map.of("node1", "h", "node2", "h", "node3", "h"),
                Optional.of("node1"),
                Optional.of(Health.GREEN),
                Optional.of(moving));
    }
}

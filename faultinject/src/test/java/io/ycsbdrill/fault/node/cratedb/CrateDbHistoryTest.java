package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.cratedb.CrateDbState.Health;
import io.ycsbdrill.fault.node.cratedb.CrateDbState.Shard;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CrateDbHistoryTest {
    private final List<String> seen = new ArrayList<>();
    private final CrateDbHistory history = new CrateDbHistory(List.of("n1", "n2"));

    private void note(EngineEvent event) {
        seen.add(event.node() + " " + event.signal() + (event.signal() == Signal.STEP ? " " + event.text() : ""));
    }

    private void told(boolean n2, Health health, Shard... moving) {
        told(n2, Optional.of(health), Optional.of(List.of(moving)));
    }

    private void told(boolean n2, Optional<Health> health, Optional<List<Shard>> moving) {
        Map<String, String> hosts = new TreeMap<>(Map.of("n1", "h1"));
        if (n2) {
            hosts.put("n2", "h2");
        }
        history.take(new CrateDbState(hosts, Optional.of("n1"), health, moving), 1, Instant.EPOCH, this::note);
    }

    @Test
    void aNodeThatIsKilledAndComesBackGoesThroughItsPhases() {
        told(true, Health.GREEN);
        told(false, Optional.of(Health.GREEN), Optional.empty());
        told(false, Health.RED);
        told(false, Health.YELLOW, new Shard("", "UNASSIGNED", "", ""));
        told(false, Health.YELLOW, new Shard("", "UNASSIGNED", "", ""));
        told(true, Health.YELLOW, new Shard("", "UNASSIGNED", "", ""));
        told(true, Health.YELLOW, new Shard("n2", "INITIALIZING", "INDEX", "PEER"));
        told(true, Health.YELLOW, new Shard("n2", "INITIALIZING", "INDEX", "PEER"));
        told(true, Health.YELLOW, new Shard("n2", "INITIALIZING", "TRANSLOG", "PEER"));
        told(true, Health.GREEN);
        told(true, Health.GREEN);

        assertThat(seen)
                .containsExactly(
                        "n2 NODE_DOWN",
                        "n2 FAILURE_HANDLED",
                        "n2 PROCESS_STARTED",
                        "n2 SYNCHRONISE_STARTED",
                        "n2 STEP PEER INDEX",
                        "n2 STEP PEER TRANSLOG",
                        "n2 RECOVERED");
    }

    @Test
    void aNodeThatTakesItsDataFromItsOwnDiskDoesNotSynchronise() {
        told(false, Health.RED);
        told(true, Health.RED, new Shard("n2", "INITIALIZING", "TRANSLOG", "EXISTING_STORE"));
        told(true, Optional.empty(), Optional.empty());
        told(true, Health.GREEN);

        assertThat(seen)
                .containsExactly(
                        "n2 NODE_DOWN", "n2 PROCESS_STARTED", "n2 STEP EXISTING_STORE TRANSLOG", "n2 RECOVERED");
    }

    @Test
    void aNodeThatDiesAgainBeginsAgain() {
        told(false, Health.YELLOW);
        told(true, Health.YELLOW);
        told(false, Health.YELLOW);
        told(true, Health.GREEN);

        assertThat(seen)
                .containsExactly(
                        "n2 NODE_DOWN",
                        "n2 FAILURE_HANDLED",
                        "n2 PROCESS_STARTED",
                        "n2 NODE_DOWN",
                        "n2 FAILURE_HANDLED",
                        "n2 PROCESS_STARTED",
                        "n2 RECOVERED");
    }

    /** A server that was cut off says that all the others are gone. */
    @Test
    void theViewOfAServerWithAMasterAndMostNodesIsBelieved() {
        CrateDbState alone = new CrateDbState(Map.of("n2", "h2"), Optional.empty(), Optional.empty(), Optional.empty());
        CrateDbState master = new CrateDbState(
                Map.of("n1", "h1"), Optional.of("n1"), Optional.of(Health.YELLOW), Optional.of(List.of()));
        CrateDbState stale =
                new CrateDbState(Map.of("n1", "h1", "n2", "h2"), Optional.empty(), Optional.empty(), Optional.empty());

        assertThat(CrateDbState.best(List.of(alone, master, stale))).isSameAs(master);
        assertThat(CrateDbState.best(List.of(alone, stale))).isSameAs(stale);
    }

    @Test
    void aClusterThatOnlyLosesCopiesIsLeftAlone() {
        told(true, Health.YELLOW, new Shard("n2", "INITIALIZING", "INDEX", "PEER"));
        told(true, Health.GREEN);

        assertThat(seen).isEmpty();
    }
}

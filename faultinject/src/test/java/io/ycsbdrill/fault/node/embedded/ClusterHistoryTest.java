package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.embedded.ClusterHistory.Life;
import io.ycsbdrill.fault.node.embedded.NodeEvent.Kind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterHistoryTest {
    private final List<String> told = new ArrayList<>();
    private final ClusterHistory history = new ClusterHistory(
            List.of("node1", "node2", "node3"),
            event -> told.add(event.atNanos() + " " + event.node() + " " + event.signal()));

    @BeforeEach
    void threeWholeNodes() {
        for (int i = 1; i <= 3; i++) {
            starts("node" + i, i, 100 + i);
            report("node" + i, i + 10, Kind.JOINED, Map.of("order", Integer.toString(i), "version", "2.18.0"));
            report("node" + i, i + 20, Kind.RECOVERED, Map.of());
        }
        told.clear();
    }

    @Test
    void failureIsHandledWhenTheLastSurvivorIsDone() {
        ends("node2", 1000);
        leaves("node1", "node2", 2, 4, 1010);
        leaves("node3", "node2", 2, 4, 1011);
        exchange("node3", 4, 1020);
        assertThat(history.failureOpen("node2")).isTrue();
        exchange("node1", 4, 1030);

        assertThat(told).containsExactly("1000 node2 NODE_DOWN", "1030 node2 FAILURE_HANDLED");
        assertThat(history.failureOpen("node2")).isFalse();
        assertThat(history.life("node2")).isEqualTo(Life.DOWN);
    }

    @Test
    void nodeThatTheOthersDropGoesDownOnceAlthoughItsProcessStays() {
        leaves("node1", "node2", 2, 4, 1000);
        leaves("node3", "node2", 2, 4, 1001);
        assertThat(history.dropped("node2")).isTrue();
        exchange("node1", 4, 1010);
        exchange("node3", 4, 1015);
        ends("node2", 5000);

        assertThat(told).containsExactly("1000 node2 NODE_DOWN", "1015 node2 FAILURE_HANDLED", "5000 node2 NOTE");
        assertThat(history.dropped("node2")).isFalse();
    }

    @Test
    void verdictOnAnEarlierLifeDoesNotTouchTheNewOne() {
        ends("node2", 1000);
        starts("node2", 1005, 202);
        leaves("node1", "node2", 2, 4, 1010);
        leaves("node3", "node2", 2, 4, 1010);
        exchange("node1", 4, 1020);
        exchange("node3", 4, 1021);
        report("node2", 1100, Kind.JOINED, Map.of("order", "5", "version", "2.18.0"));

        assertThat(told)
                .containsExactly(
                        "1000 node2 NODE_DOWN",
                        "1005 node2 PROCESS_STARTED",
                        "1021 node2 FAILURE_HANDLED",
                        "1100 node2 STEP");
        assertThat(history.dropped("node2")).isFalse();
    }

    @Test
    void survivorThatDiesTooIsNotWaitedFor() {
        ends("node2", 1000);
        leaves("node1", "node2", 2, 4, 1010);
        exchange("node1", 4, 1020);
        assertThat(told).containsExactly("1000 node2 NODE_DOWN");

        ends("node3", 1030);

        assertThat(told).containsExactly("1000 node2 NODE_DOWN", "1030 node3 NODE_DOWN", "1020 node2 FAILURE_HANDLED");
    }

    @Test
    void failureWithoutSurvivorsIsNeverHandled() {
        ends("node1", 1000);
        ends("node2", 1001);
        ends("node3", 1002);

        assertThat(told).containsExactly("1000 node1 NODE_DOWN", "1001 node2 NODE_DOWN", "1002 node3 NODE_DOWN");
        assertThat(history.failureOpen("node1")).isFalse();
        assertThat(history.coordinator()).isEmpty();
    }

    @Test
    void nodeKilledBeforeItSaidThatItJoinedIsHandledWhenTheOthersHaveSeenIt() {
        ends("node2", 1000);
        leaves("node1", "node2", 2, 4, 1001);
        leaves("node3", "node2", 2, 4, 1001);
        exchange("node1", 4, 1002);
        exchange("node3", 4, 1002);
        starts("node2", 1100, 202);
        report("node1", 1150, Kind.NODE_JOINED, Map.of("node", "node2", "order", "5"));
        told.clear();

        ends("node2", 1200);
        leaves("node1", "node2", 5, 6, 1210);
        exchange("node1", 6, 1220);
        exchange("node3", 6, 1221);

        assertThat(told).containsExactly("1200 node2 NODE_DOWN", "1221 node2 FAILURE_HANDLED");
    }

    @Test
    void failureOfANodeThatHasNotJoinedIsHandledAtOnce() {
        ends("node2", 1000);
        leaves("node1", "node2", 2, 4, 1001);
        leaves("node3", "node2", 2, 4, 1001);
        exchange("node1", 4, 1002);
        exchange("node3", 4, 1002);
        starts("node2", 1100, 202);
        told.clear();

        ends("node2", 1200);

        assertThat(told).containsExactly("1200 node2 NODE_DOWN", "1200 node2 FAILURE_HANDLED");
        assertThat(history.failureOpen("node2")).isFalse();
    }

    @Test
    void failureOfANodeThatHasNotJoinedIsNeverHandledWithoutMembers() {
        ends("node1", 1000);
        ends("node2", 1001);
        ends("node3", 1002);
        starts("node2", 1100, 202);
        told.clear();

        ends("node2", 1200);

        assertThat(told).containsExactly("1200 node2 NODE_DOWN");
    }

    @Test
    void coordinatorIsTheOldestMember() {
        assertThat(history.coordinator()).contains("node1");

        ends("node1", 1000);

        assertThat(history.coordinator()).contains("node2");
    }

    private void starts(String node, long at, long pid) {
        report(node, at, Kind.PROCESS_STARTED, Map.of("pid", Long.toString(pid)));
    }

    private void ends(String node, long at) {
        history.processEnded(node, at, Instant.EPOCH);
    }

    @Test
    void aNodeThatIsCutOffIsNotBelieved() {
        report("node3", 40, Kind.NODE_LEFT, Map.of("node", "node1", "order", "1", "topology", "4", "aside", "true"));
        leaves("node1", "node3", 3, 4, 41);
        leaves("node3", "node2", 2, 5, 42); // by now it is known to be dropped

        assertThat(history.dropped("node1")).isFalse();
        assertThat(history.dropped("node2")).isFalse();
        assertThat(history.dropped("node3")).isTrue();
        assertThat(told).contains("41 node3 NODE_DOWN", "40 node3 NOTE", "42 node3 NOTE");
    }

    private void leaves(String reporter, String node, int order, int topology, long at) {
        report(
                reporter,
                at,
                Kind.NODE_LEFT,
                Map.of("node", node, "order", Integer.toString(order), "topology", Integer.toString(topology)));
    }

    private void exchange(String node, int topology, long at) {
        report(node, at, Kind.EXCHANGE_DONE, Map.of("topology", Integer.toString(topology), "minor", "0"));
    }

    private void report(String node, long at, Kind kind, Map<String, String> fields) {
        history.reported(node, new NodeEvent(at, Instant.EPOCH, kind, fields));
    }
}

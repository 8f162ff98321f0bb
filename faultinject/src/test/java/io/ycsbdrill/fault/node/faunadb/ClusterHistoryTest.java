package io.ycsbdrill.fault.node.faunadb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.faunadb.ClusterStatus.Member;
import io.ycsbdrill.fault.node.faunadb.LogEvent.Kind;
import io.ycsbdrill.fault.node.kit.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Of three nodes, all of which serve at the beginning; times are in milliseconds. */
class ClusterHistoryTest {
    private static final List<String> NODES = List.of("node1", "node2", "node3");

    private final List<EngineEvent> events = new ArrayList<>();
    private final ClusterHistory history = new ClusterHistory(NODES, "25.02", events::add);

    private static Moment at(long millis) {
        return new Moment(millis * 1_000_000, Instant.ofEpochMilli(millis));
    }

    @BeforeEach
    void allServe() {
        NODES.forEach(node -> history.processSeen(node, 7, at(0)));
        NODES.forEach(node -> answer(node, 1));
        NODES.forEach(node -> history.writes(node, true, at(2)));
        NODES.forEach(node -> answer(node, 3));
        assertThat(NODES).allMatch(history::recovered);
        events.clear();
    }

    /** The node says that it reaches all but those, and that all own their data. */
    private void answer(String by, long millis, String... unreachable) {
        Map<String, Member> members = new HashMap<>();
        for (String node : NODES) {
            boolean up = !List.of(unreachable).contains(node);
            members.put(node, new Member("host-" + node, up, true, node.equals("node1")));
        }
        history.answered(by, new ClusterStatus(members), at(millis));
    }

    private void log(String node, Kind kind, long millis) {
        history.reported(node, new LogEvent(kind, Instant.EPOCH, "", kind.name()), at(millis));
    }

    private void unreachable(String node, String by, long millis) {
        history.reported(by, new LogEvent(Kind.UNREACHABLE, Instant.EPOCH, "host-" + node, "unreachable"), at(millis));
    }

    /** Changes of phase of node2: {@code NODE_DOWN 100}. */
    private List<String> phases() {
        return events.stream()
                .filter(event ->
                        event.node().equals("node2") && event.signal().begins().isPresent())
                .map(event -> event.signal() + " " + event.atNanos() / 1_000_000)
                .toList();
    }

    @Test
    void eachPhaseOfARestartIsDatedByWhatBeganIt() {
        history.processEnded("node2", 7, at(100));
        assertThat(history.failureOpen("node2")).isTrue();
        unreachable("node2", "node3", 10_100);
        unreachable("node2", "node3", 11_100);
        unreachable("node2", "node1", 11_150);
        assertThat(history.failureOpen("node2")).isFalse();
        history.processSeen("node2", 8, at(12_000));
        log("node2", Kind.CATCHING_UP, 20_000);
        log("node2", Kind.BEHIND, 20_100);
        answer("node2", 21_000);
        history.writes("node2", true, at(21_500));
        answer("node1", 22_000);
        answer("node3", 22_100);
        log("node2", Kind.CAUGHT_UP, 22_050);
        answer("node2", 23_000);

        assertThat(phases())
                .containsExactly(
                        "NODE_DOWN 100",
                        "FAILURE_HANDLED 11150",
                        "PROCESS_STARTED 12000",
                        "SYNCHRONISE_STARTED 20000",
                        "RECOVERED 22100");
        assertThat(history.recovered("node2")).isTrue();
    }

    @Test
    void aNodeIsNotRecoveredWhileOneOfFourThingsIsMissing() {
        history.processEnded("node2", 7, at(100));
        history.processSeen("node2", 8, at(200));
        assertThat(history.lacks("node2")).contains("own", "writes", "reached");
        answer("node1", 300);
        answer("node3", 300, "node2");
        answer("node2", 300);
        history.writes("node2", true, at(400));
        assertThat(history.lacks("node2")).isEqualTo("is not reached by all others");
        history.writes("node2", false, at(500));
        answer("node3", 600);
        assertThat(history.recovered("node2")).isFalse();
        history.writes("node2", true, at(700));

        assertThat(phases()).containsExactly("NODE_DOWN 100", "PROCESS_STARTED 200", "RECOVERED 700");
    }

    @Test
    void aPausedNodeIsDownWhenTheOthersGiveItUpAndRecoversWithoutAStart() {
        unreachable("node2", "node1", 10_000);
        assertThat(history.dropped("node2")).isTrue();
        unreachable("node2", "node3", 10_500);
        answer("node1", 30_000);
        answer("node2", 30_100);
        answer("node3", 30_200);
        history.writes("node2", true, at(30_300));

        assertThat(phases()).containsExactly("NODE_DOWN 10000", "FAILURE_HANDLED 10500", "RECOVERED 30300");
        assertThat(history.dropped("node2")).isFalse();
    }

    @Test
    void nobodyHandlesTheFailureOfTheLastNode() {
        NODES.forEach(node -> history.processEnded(node, 7, at(100)));

        assertThat(events).extracting(EngineEvent::signal).containsOnly(Signal.NODE_DOWN);
        assertThat(NODES).noneMatch(history::failureOpen);
        assertThat(history.coordinator()).isEmpty();
    }

    @Test
    void theLeaderOfTheLogIsThePrimaryNode() {
        assertThat(history.coordinator()).contains("node1");
    }

    /** An initialised node has another id; what is said of the one that it was is not about it. */
    @Test
    void anOldIdOfANodeMeansNothing() {
        Map<String, Member> members = Map.of("node2", new Member("another", true, true, false));
        history.answered("node1", new ClusterStatus(members), at(100));

        unreachable("node2", "node1", 200);

        assertThat(events).isEmpty();
    }
}

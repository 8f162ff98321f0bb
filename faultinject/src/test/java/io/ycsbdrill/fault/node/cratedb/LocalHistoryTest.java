package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.cratedb.CrateDbState.Health;
import io.ycsbdrill.fault.node.cratedb.LogEvent.Kind;
import io.ycsbdrill.fault.node.kit.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three servers, all of which have been in the cluster for long; times are in milliseconds. */
class LocalHistoryTest {
    private static final List<String> ALL = List.of("node1", "node2", "node3");

    private final List<EngineEvent> events = new ArrayList<>();
    private final LocalHistory history = new LocalHistory(ALL, "6.4.3", events::add);

    @BeforeEach
    void everyNodeIsRecovered() {
        ALL.forEach(node -> history.processSeen(node, 1, at(1)));
        ALL.forEach(node -> log(node, Kind.JOINED, 2));
        asked(3, Health.GREEN, ALL);
        ALL.forEach(node -> assertThat(history.recovered(node)).isTrue());
        events.clear();
    }

    private static Moment at(long millis) {
        return new Moment(millis * 1_000_000, Instant.ofEpochMilli(millis));
    }

    private void log(String node, Kind kind, long millis, String... nodes) {
        history.reported(
                node, new LogEvent(kind, Instant.ofEpochMilli(millis), List.of(nodes), kind.name()), at(millis));
    }

    private void asked(long millis, Health health, List<String> nodes) {
        Map<String, String> hosts = new TreeMap<>();
        nodes.forEach(node -> hosts.put(node, "h"));
        history.asked(
                new CrateDbState(hosts, Optional.of("node1"), Optional.of(health), Optional.of(List.of())), at(millis));
    }

    /** Node, signal and time of what begins a phase. */
    private List<String> phases() {
        return events.stream()
                .filter(e -> e.signal().begins().isPresent())
                .map(e -> e.node() + " " + e.signal() + " " + e.atNanos() / 1_000_000)
                .toList();
    }

    private void askedWithoutMaster(long millis) {
        history.asked(
                new CrateDbState(
                        Map.of("node1", "h"), Optional.empty(), Optional.of(Health.GREEN), Optional.of(List.of())),
                at(millis));
    }

    private List<String> unhandled() {
        return events.stream()
                .filter(e -> e.signal() == Signal.UNHANDLED)
                .map(e -> e.node() + " " + e.atNanos() / 1_000_000)
                .toList();
    }

    @Test
    void aKilledNodesPhasesAreDatedByTheLinesOfTheirCauses() {
        history.processEnded("node2", 1, at(100));
        assertThat(history.failureOpen("node2")).isTrue();
        log("node1", Kind.REMOVED, 110, "node2");
        log("node3", Kind.REMOVED, 130, "node2");
        assertThat(history.failureOpen("node2")).isTrue();
        asked(500, Health.YELLOW, List.of("node1", "node3"));
        assertThat(history.failureOpen("node2")).isFalse();
        history.processSeen("node2", 2, at(1000));
        asked(1500, Health.YELLOW, List.of("node1", "node3"));
        log("node2", Kind.JOINED, 3000);
        log("node2", Kind.COPY_STARTED, 3100);
        log("node2", Kind.COPY_STARTED, 3150);
        asked(3500, Health.YELLOW, ALL);
        log("node1", Kind.GREEN, 3800);
        asked(4000, Health.GREEN, ALL);

        assertThat(phases())
                .containsExactly(
                        "node2 NODE_DOWN 100",
                        "node2 FAILURE_HANDLED 130",
                        "node2 PROCESS_STARTED 1000",
                        "node2 SYNCHRONISE_STARTED 3100",
                        "node2 RECOVERED 3800");
        assertThat(history.recovered("node2")).isTrue();
    }

    /** What the tables said of an earlier life must not count: a question may be answered late. */
    @Test
    void anAnswerToAnEarlierQuestionDecidesNothing() {
        history.processEnded("node2", 1, at(100));
        log("node1", Kind.REMOVED, 110, "node2");
        asked(90, Health.GREEN, List.of("node1", "node3"));
        assertThat(phases()).containsExactly("node2 NODE_DOWN 100");
        history.processSeen("node2", 2, at(200));
        log("node2", Kind.JOINED, 300);
        asked(290, Health.GREEN, ALL);

        assertThat(history.recovered("node2")).isFalse();
    }

    @Test
    void aFailureThatLeavesDataMissingIsHandledWhenTheTablesSaySo() {
        history.processEnded("node2", 1, at(100));
        log("node1", Kind.REMOVED, 110, "node2");
        asked(500, Health.RED, List.of("node1", "node3"));
        assertThat(history.failureOpen("node2"))
                .as("the others may take over yet")
                .isTrue();
        asked(5499, Health.RED, List.of("node1", "node3"));
        assertThat(history.failureOpen("node2")).isTrue();
        asked(5500, Health.RED, List.of("node1", "node3"));
        assertThat(history.failureOpen("node2")).as("only its return helps").isFalse();
        assertThat(phases()).containsExactly("node2 NODE_DOWN 100");
        assertThat(unhandled()).containsExactly("node2 5500");

        asked(6500, Health.YELLOW, List.of("node1", "node3"));

        assertThat(phases()).containsExactly("node2 NODE_DOWN 100", "node2 FAILURE_HANDLED 6500");
    }

    @Test
    void aFailureThatLeavesNoMasterIsUnhandledWhenNoneHasBeenElected() {
        List.of("node2", "node3").forEach(node -> history.processEnded(node, 1, at(100)));
        log("node1", Kind.ALONE, 110);
        askedWithoutMaster(500);
        askedWithoutMaster(5499);
        assertThat(history.failureOpen("node2")).isTrue();
        askedWithoutMaster(5600);
        askedWithoutMaster(6100);

        assertThat(unhandled()).containsExactly("node2 5600", "node3 5600");
        assertThat(List.of("node2", "node3")).noneMatch(history::failureOpen);
        assertThat(phases()).containsExactly("node2 NODE_DOWN 100", "node3 NODE_DOWN 100");
    }

    @Test
    void anElectionIsNoLossOfAllMasters() {
        history.processEnded("node2", 1, at(100));
        askedWithoutMaster(500);
        log("node1", Kind.REMOVED, 1100, "node2");
        log("node3", Kind.REMOVED, 1110, "node2");
        asked(1500, Health.RED, List.of("node1", "node3"));
        asked(5600, Health.RED, List.of("node1", "node3"));
        asked(6000, Health.YELLOW, List.of("node1", "node3"));

        assertThat(unhandled()).isEmpty();
        assertThat(phases()).containsExactly("node2 NODE_DOWN 100", "node2 FAILURE_HANDLED 6000");
    }

    @Test
    void theFailureOfANodeThatIsNotInTheClusterYetIsHandledAtOnce() {
        history.processEnded("node2", 1, at(100));
        log("node1", Kind.REMOVED, 110, "node2");
        log("node3", Kind.REMOVED, 130, "node2");
        asked(500, Health.YELLOW, List.of("node1", "node3"));
        history.processSeen("node2", 2, at(1000));

        history.processEnded("node2", 2, at(1500));

        assertThat(phases()).endsWith("node2 NODE_DOWN 1500", "node2 FAILURE_HANDLED 1500");
        assertThat(history.failureOpen("node2")).isFalse();
    }

    @Test
    void theFailureOfANodeThatTheTablesKnowIsHandledByTheOthers() {
        history.processEnded("node2", 1, at(100));
        log("node1", Kind.REMOVED, 110, "node2");
        log("node3", Kind.REMOVED, 130, "node2");
        asked(500, Health.YELLOW, List.of("node1", "node3"));
        history.processSeen("node2", 2, at(1000));
        asked(1400, Health.YELLOW, ALL); // its own line is not read yet

        history.processEnded("node2", 2, at(1500));

        assertThat(phases()).endsWith("node2 NODE_DOWN 1500");
        assertThat(history.failureOpen("node2")).isTrue();
    }

    /** Just after a failure {@code sys.shards} fails: for how long depends on the machine, and data are not missing meanwhile. */
    @Test
    void tablesThatFailDoNotSayThatOnlyTheNodesReturnHelps() {
        history.processEnded("node2", 1, at(100));
        log("node1", Kind.REMOVED, 110, "node2");
        for (long millis : List.of(500L, 9000L)) {
            history.asked(
                    new CrateDbState(
                            Map.of("node1", "h", "node3", "h"),
                            Optional.of("node1"),
                            Optional.of(Health.YELLOW),
                            Optional.empty()),
                    at(millis));
        }

        assertThat(history.failureOpen("node2")).isTrue();
        asked(9500, Health.YELLOW, List.of("node1", "node3"));
        assertThat(history.failureOpen("node2")).isFalse();
        assertThat(phases()).containsExactly("node2 NODE_DOWN 100", "node2 FAILURE_HANDLED 9500");
    }

    /** A watch that begins while the nodes come up may read a node's log before its line, and the tables after it. */
    @Test
    void survivorsThatWereFoundInTheClusterHandleAFailure() {
        LocalHistory late = new LocalHistory(ALL, "6", events::add);
        ALL.forEach(node -> late.processSeen(node, 1, at(1)));
        late.found(
                Map.of("node1", 1L, "node2", 1L, "node3", 1L),
                Optional.of(new CrateDbState(
                        Map.of("node1", "h", "node2", "h", "node3", "h"),
                        Optional.of("node1"),
                        Optional.of(Health.GREEN),
                        Optional.of(List.of()))),
                ALL);

        late.processEnded("node2", 1, at(100));

        assertThat(late.failureOpen("node2")).isTrue();
    }

    @Test
    void aNodeWithNothingToCopyIsRecoveredWhenItJoins() {
        history.processEnded("node2", 1, at(100));
        log("node1", Kind.REMOVED, 110, "node2");
        asked(500, Health.GREEN, List.of("node1", "node3"));
        history.processSeen("node2", 2, at(1000));
        log("node2", Kind.JOINED, 3000);
        asked(3200, Health.GREEN, ALL);

        assertThat(phases()).endsWith("node2 PROCESS_STARTED 1000", "node2 RECOVERED 3000");
    }

    @Test
    void aPausedNodeIsDownWhenTheOthersRemoveItAndComesBackWithoutAStart() {
        log("node1", Kind.REMOVED, 100, "node2");
        log("node3", Kind.REMOVED, 120, "node2");
        assertThat(history.dropped("node2")).isTrue();
        assertThat(history.running("node2")).isTrue();
        asked(500, Health.YELLOW, List.of("node1", "node3"));
        log("node2", Kind.REMOVED, 900, "node1", "node3"); // its own view when it goes on
        log("node1", Kind.ADDED, 1000, "node2");
        log("node2", Kind.COPY_STARTED, 1100);
        asked(1200, Health.YELLOW, ALL);
        log("node1", Kind.GREEN, 1300);
        asked(1400, Health.GREEN, ALL);

        assertThat(phases())
                .containsExactly(
                        "node2 NODE_DOWN 100",
                        "node2 FAILURE_HANDLED 120",
                        "node2 SYNCHRONISE_STARTED 1100",
                        "node2 RECOVERED 1300");
        assertThat(history.recovered("node1")).isTrue();
    }

    /** The nodes that have come back have seen no other one go, and the tables that are not there yet miss nothing. */
    @Test
    void afterTheLossOfAllNobodyWaitsForTheFailureOfTheLast() {
        ALL.forEach(node -> history.processEnded(node, 1, at(100)));
        List<String> back = List.of("node1", "node2");
        back.forEach(node -> history.processSeen(node, 2, at(1000)));
        back.forEach(node -> log(node, Kind.JOINED, 2000));
        asked(2500, Health.UNRECOVERED, back);

        assertThat(history.failureOpen("node3")).isFalse();
        back.forEach(node -> assertThat(history.recovered(node)).isFalse());

        history.processSeen("node3", 2, at(3000));
        log("node3", Kind.JOINED, 4000);
        asked(4500, Health.RED, ALL);
        asked(5000, Health.GREEN, ALL);
        ALL.forEach(node -> assertThat(history.recovered(node)).isTrue());
        assertThat(phases())
                .contains("node1 RECOVERED 5000", "node3 RECOVERED 5000")
                .doesNotContain("node1 RECOVERED 2000");
    }

    @Test
    void withoutSurvivorsNothingIsHandled() {
        ALL.forEach(node -> history.processEnded(node, 1, at(100)));

        ALL.forEach(node -> assertThat(history.failureOpen(node)).isFalse());
        ALL.forEach(node -> history.processSeen(node, 2, at(1000)));
        ALL.forEach(node -> log(node, Kind.JOINED, 2000));
        asked(2500, Health.RED, ALL);
        asked(3000, Health.GREEN, ALL);

        assertThat(phases())
                .contains("node1 NODE_DOWN 100", "node1 PROCESS_STARTED 1000", "node1 RECOVERED 3000")
                .noneMatch(line -> line.contains(Signal.FAILURE_HANDLED.name()));
    }

    @Test
    void aCopyOfARecoveredNodeIsAStepOnly() {
        log("node2", Kind.COPY_STARTED, 100);

        assertThat(phases()).isEmpty();
        assertThat(events).extracting(EngineEvent::signal).containsExactly(Signal.STEP);
    }

    /** The node was away for so long that the others made new copies; shards then move to it, which restores nothing. */
    @Test
    void aShareOfShardsThatMovesToANodeIsNoSynchronisation() {
        history.processEnded("node2", 1, at(100));
        log("node1", Kind.REMOVED, 110, "node2");
        asked(500, Health.YELLOW, List.of("node1", "node3"));
        history.processSeen("node2", 2, at(1000));
        log("node2", Kind.JOINED, 3000);
        asked(3100, Health.YELLOW, ALL);
        log("node1", Kind.GREEN, 3200);
        log("node2", Kind.COPY_STARTED, 3300);
        asked(3400, Health.GREEN, ALL);

        assertThat(phases()).endsWith("node2 PROCESS_STARTED 1000", "node2 RECOVERED 3200");
    }
}

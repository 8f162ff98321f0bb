package io.ycsbdrill.fault.node.ndb;

import static io.ycsbdrill.fault.node.EngineEvent.Signal.FAILURE_HANDLED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.NODE_DOWN;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.NOTE;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.PROCESS_STARTED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.RECOVERED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.STEP;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.SYNCHRONISE_STARTED;
import static io.ycsbdrill.fault.node.EngineEvent.Signal.WAIT_CHECKPOINT_STARTED;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.ndb.mgm.MgmEvent;
import io.ycsbdrill.fault.node.ndb.mgm.MgmEventReader;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import io.ycsbdrill.fault.recovery.Observation;
import io.ycsbdrill.fault.recovery.RecoveryTracker;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Most of it replays event streams recorded on a real cluster of three data nodes (1, 2, 3; management server 65). */
class NdbEventMapperTest {
    private static final int INFO_EVENT = 49;
    private static final List<Signal> WHOLE_RECOVERY = List.of(
            NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED, SYNCHRONISE_STARTED, WAIT_CHECKPOINT_STARTED, RECOVERED);

    private final List<EngineEvent> told = new ArrayList<>();
    private final NdbEventMapper mapper = new NdbEventMapper(List.of(1, 2, 3), told::add, node -> false);

    /** Times in milliseconds after the start of the recording, read off the recorded lines by hand. */
    @ParameterizedTest
    @CsvSource({
        "kill, 3, 1041, 1062, 4062, 6257, 8201, 22698",
        "master, 1, 836, 923, 3908, 5668, 7097, 21712",
        "initial, 2, 16001, 16023, 18178, 20753, 22940, 37413",
        "pause, 2, 7844, 7909, 19068, 20727, 22353, 37005",
    })
    void signalsComeOnceInOrderAndAtTheRecordedTime(
            String recording, String node, long down, long handled, long process, long sync, long wait, long whole)
            throws IOException {
        replay(recording);

        assertThat(signals(node)).extracting(EngineEvent::signal).containsExactlyElementsOf(WHOLE_RECOVERY);
        assertThat(signals(node))
                .extracting(e -> e.atNanos() / 1_000_000)
                .containsExactly(down, handled, process, sync, wait, whole);
        assertThat(told).filteredOn(e -> !e.signal().equals(STEP)).allMatch(e -> e.node()
                .equals(node));
    }

    @Test
    void initialRestartSynchronisesFromTheFirstCopyAndANodeRestartFromTheSecond() throws IOException {
        replay("initial");
        replay("kill");

        assertThat(signals("2"))
                .filteredOn(e -> e.signal() == SYNCHRONISE_STARTED)
                .singleElement()
                .satisfies(e -> assertThat(e.text()).endsWith("NEW=Restore fragments ongoing"));
        assertThat(signals("3"))
                .filteredOn(e -> e.signal() == SYNCHRONISE_STARTED)
                .singleElement()
                .satisfies(e -> assertThat(e.text()).endsWith("NEW=Synchronize start node with live nodes"));
    }

    @Test
    void stepsOfTheLocalRecoveryAreKeptOnce() throws IOException {
        replay("kill");

        for (String step : List.of(
                "Included in heartbeat protocol",
                "Copy meta data to start node",
                "Restore fragments ongoing",
                "Undo Disk data ongoing",
                "Execute REDO logs ongoing",
                "Build indexes ongoing",
                "Wait handover of subscriptions")) {
            assertThat(told)
                    .filteredOn(e -> e.signal() == STEP && e.text().endsWith("NEW=" + step))
                    .hasSize(1);
        }
        assertThat(told).anyMatch(e -> e.text().equals("Bring Database On-line Completed on node 3"));
    }

    /** The other survivors say "Restart completed" before the subscriptions are handed over: eight seconds early here. */
    @Test
    void earlyWordOfASurvivorIsNotTheEndOfTheRecovery() throws IOException {
        replay("kill");

        assertThat(signals("3")).last().satisfies(e -> {
            assertThat(e.signal()).isEqualTo(RECOVERED);
            assertThat(e.atNanos() / 1_000_000).isGreaterThan(22_000);
        });
    }

    @Test
    void twoRecoveriesInARowAreTwo() throws IOException {
        replay("graceful");

        List<Signal> twice = new ArrayList<>(WHOLE_RECOVERY);
        twice.addAll(WHOLE_RECOVERY);
        assertThat(signals("2")).extracting(EngineEvent::signal).containsExactlyElementsOf(twice);
    }

    /** A node that was restarted to wait has its node id long before it may start: that is still time down. */
    @ParameterizedTest
    @CsvSource({"mgmrestart, 24305", "mgminit, 28237"})
    void nodeThatWaitsForTheOrderToStartIsDownUntilThen(String recording, long startedMillis) throws IOException {
        replay(recording);

        assertThat(signals("2")).extracting(EngineEvent::signal).containsExactlyElementsOf(WHOLE_RECOVERY);
        assertThat(signals("2").get(2).text()).startsWith("NDBStartStarted");
        assertThat(signals("2").get(2).atNanos() / 1_000_000).isEqualTo(startedMillis);
    }

    @Test
    void lossOfTheWholeClusterHasNoSynchronisePhase() throws IOException {
        replay("loss");

        for (String node : List.of("1", "2", "3")) {
            assertThat(signals(node))
                    .extracting(EngineEvent::signal)
                    .containsExactly(NODE_DOWN, PROCESS_STARTED, WAIT_CHECKPOINT_STARTED, RECOVERED);
        }
    }

    /** Whoever took an empty cluster for a recovered one would be told too early that all copies are back. */
    @Test
    void nodesThatAreStartedWithoutTheirDataHaveRecoveredWhenTheyHaveThem() throws IOException {
        mapper.emptied();
        replay("loss");

        for (String node : List.of("1", "2", "3")) {
            assertThat(signals(node)).extracting(EngineEvent::signal).doesNotContain(RECOVERED);
            assertThat(mapper.recovered(Integer.parseInt(node))).isFalse();
        }
        mapper.statusRead(List.of(node(1, "SINGLE USER MODE")), true, 90_000_000_000L, Instant.EPOCH);
        assertThat(mapper.recovered(1)).isFalse();

        mapper.filled("the backup is there", 100_000_000_000L, Instant.EPOCH);

        for (String node : List.of("1", "2", "3")) {
            assertThat(signals(node)).last().satisfies(event -> {
                assertThat(event.signal()).isEqualTo(RECOVERED);
                assertThat(event.atNanos()).isEqualTo(100_000_000_000L);
                assertThat(event.text()).isEqualTo("the backup is there");
            });
        }
    }

    /** As when hosts or containers end: no survivor is left to report it, and no angel. */
    @Test
    void lossOfTheWholeClusterWithItsAngelsIsDatedByTheLostConnections() throws IOException {
        replay("loss", e -> e.type() != MgmEvent.STOP_FORCED);

        Map<String, Long> lostMillis = Map.of("1", 1149L, "2", 1162L, "3", 1168L);
        lostMillis.forEach((node, millis) -> {
            assertThat(signals(node))
                    .extracting(EngineEvent::signal)
                    .containsExactly(NODE_DOWN, PROCESS_STARTED, WAIT_CHECKPOINT_STARTED, RECOVERED);
            assertThat(signals(node).get(0).atNanos() / 1_000_000).isEqualTo(millis);
        });
    }

    @Test
    void nodesThatWereOnlyOutOfTheManagementServersSightAreRecoveredWhenTheirStateSaysSo() {
        loseAllAndConnectAgain();
        assertThat(mapper.onlyConnected(1)).isTrue();

        mapper.statusRead(
                List.of(node(1, "STARTED"), node(2, "STARTED"), node(3, "STARTED")), true, 200, Instant.EPOCH);

        for (String node : List.of("1", "2", "3")) {
            assertThat(signals(node))
                    .extracting(EngineEvent::signal)
                    .containsExactly(NODE_DOWN, PROCESS_STARTED, RECOVERED);
        }
    }

    @Test
    void nodesThatStartAfterTheLossOfAllAreNotLostOnceMore() {
        loseAllAndConnectAgain();

        mapper.statusRead(
                List.of(node(1, "NOT_STARTED"), node(2, "STARTING"), node(3, "NO_CONTACT")), true, 200, Instant.EPOCH);

        for (String node : List.of("1", "2", "3")) {
            assertThat(signals(node)).extracting(EngineEvent::signal).containsExactly(NODE_DOWN, PROCESS_STARTED);
        }
    }

    @Test
    void connectionsThatTwoManagementServersLostAreNotAllOfOne() {
        disconnected(1, 65, 110);
        disconnected(2, 65, 120);
        disconnected(3, 66, 130);
        mapper.streamBegins();
        disconnected(3, 65, 140);

        assertThat(List.of("1", "2", "3")).allMatch(node -> signals(node).isEmpty());
    }

    /** Had it failed then, the others would have reported it. */
    @Test
    void aConnectionThatWasLostLongBeforeTheOthersIsNoFailure() {
        disconnected(1, 65, 0);
        disconnected(2, 65, 600_000_000_000L);
        disconnected(3, 65, 600_000_000_001L);

        assertThat(signals("1")).isEmpty();
        for (String node : List.of("2", "3")) {
            assertThat(signals(node)).extracting(EngineEvent::signal).containsExactly(NODE_DOWN);
        }
    }

    @Test
    void theLastNodeIsNotDownWhileItsProcessRuns() {
        NdbEventMapper local = new NdbEventMapper(List.of(1, 2), told::add, node -> true);
        local.event(new MgmEvent(MgmEvent.NODE_FAIL_REPORT, 2, Map.of("failed_node", "1")), 100, Instant.EPOCH);
        local.event(new MgmEvent(MgmEvent.DISCONNECTED, 65, Map.of("node", "2")), 110, Instant.EPOCH);

        assertThat(told)
                .filteredOn(e -> e.node().equals("2"))
                .extracting(EngineEvent::signal)
                .containsExactly(STEP);
    }

    @Test
    void nodesWhoseProcessesRunAreNotDownForAManagementServerThatLostThem() {
        NdbEventMapper local = new NdbEventMapper(List.of(1, 2), told::add, node -> true);
        for (String node : List.of("1", "2")) {
            local.event(new MgmEvent(MgmEvent.DISCONNECTED, 65, Map.of("node", node)), 110, Instant.EPOCH);
        }

        assertThat(told).extracting(EngineEvent::signal).containsOnly(STEP);
    }

    @Test
    void endOfTheProcessSeenByUsComesFirstAndOnce() {
        mapper.processEnded(2, "process 7 ended", 90, 100, Instant.EPOCH);
        failed(2, 1, 110);
        handled(2, 120);
        failed(2, 3, 130);
        mapper.processEnded(2, "process 7 ended", 90, 140, Instant.EPOCH);

        assertThat(signals("2")).extracting(EngineEvent::signal).containsExactly(NODE_DOWN, FAILURE_HANDLED);
        assertThat(signals("2").get(0))
                .isEqualTo(new EngineEvent(100, Instant.EPOCH, "2", NODE_DOWN, "process", "process 7 ended"));
    }

    /** Ordered to start again without its files, a waiting node ends first; its report of that still says "wait". */
    @Test
    void waitingNodeThatWasOrderedToStartHasStartedWithItsNextNodeId() {
        mapper.willWaitForOrder(2);
        failed(2, 1, 110);
        handled(2, 120);
        connected(2, 130);
        mapper.orderGiven(2);
        mapper.event(new MgmEvent(MgmEvent.STOP_COMPLETED, 2, Map.of("action", "7")), 140, Instant.EPOCH);
        connected(2, 150);

        assertThat(signals("2"))
                .extracting(EngineEvent::signal)
                .containsExactly(NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED);
        assertThat(signals("2").get(2).atNanos()).isEqualTo(150);
    }

    /** A thread that was held up may report the end of a process after the next one has its node id. */
    @Test
    void lateReportOfTheProcessIsNoSecondFailure() {
        failed(2, 1, 110);
        handled(2, 120);
        connected(2, 130);
        mapper.processEnded(2, "process 7 ended", 90, 140, Instant.EPOCH);

        assertThat(signals("2"))
                .extracting(EngineEvent::signal)
                .containsExactly(NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED);
    }

    @Test
    void failureDuringTheRecoveryIsASecondOne() {
        failed(2, 1, 110);
        failed(2, 3, 111);
        handled(2, 120);
        connected(2, 130);
        failed(2, 1, 140);
        failed(2, 3, 141);
        handled(2, 150);

        assertThat(signals("2"))
                .extracting(EngineEvent::signal)
                .containsExactly(NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED, NODE_DOWN, FAILURE_HANDLED);
    }

    /** As in the recording {@code mgminit}, at 24.2 s: only the management server and the angel notice. */
    @Test
    void failureOfANodeThatHasOnlyItsIdIsHandledAtOnce() {
        failed(2, 1, 110);
        handled(2, 120);
        connected(2, 130);
        mapper.event(new MgmEvent(MgmEvent.START_PHASE_COMPLETED, 2, Map.of("phase", "0")), 135, Instant.EPOCH);
        disconnected(2, 65, 140);
        mapper.event(new MgmEvent(MgmEvent.STOP_FORCED, 2, Map.of("signum", "9")), 145, Instant.EPOCH);
        connected(2, 150);

        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly(
                        "NODE_DOWN 110",
                        "FAILURE_HANDLED 120",
                        "PROCESS_STARTED 130",
                        "NODE_DOWN 140",
                        "FAILURE_HANDLED 140",
                        "PROCESS_STARTED 150");
    }

    @Test
    void failureOfANodeThatIsInTheClusterIsHandledByTheOthers() {
        failed(2, 1, 110);
        handled(2, 120);
        connected(2, 130);
        nodeStatus(2, "Included in heartbeat protocol", 135);
        disconnected(2, 65, 140);
        mapper.event(new MgmEvent(MgmEvent.STOP_FORCED, 2, Map.of("signum", "9")), 145, Instant.EPOCH);
        handled(2, 150);

        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly(
                        "NODE_DOWN 110",
                        "FAILURE_HANDLED 120",
                        "PROCESS_STARTED 130",
                        "NODE_DOWN 145",
                        "FAILURE_HANDLED 150");
    }

    @Test
    void failureOfALocalNodeThatHasNoIdYetIsHandledAtOnce() {
        failed(2, 1, 110);
        handled(2, 120);
        mapper.processSeen(2);
        mapper.processEnded(2, "process 8 ended", 130, 140, Instant.EPOCH);
        mapper.processSeen(2);
        connected(2, 150);

        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly(
                        "NODE_DOWN 110",
                        "FAILURE_HANDLED 120",
                        "NODE_DOWN 140",
                        "FAILURE_HANDLED 140",
                        "PROCESS_STARTED 150");
    }

    @Test
    void aStartingNodeIsNotDownWhileItsProcessRuns() {
        NdbEventMapper local = new NdbEventMapper(List.of(1, 2), told::add, node -> true);
        local.processEnded(2, "process 7 ended", 90, 100, Instant.EPOCH);
        local.event(
                new MgmEvent(
                        MgmEvent.NODE_FAIL_COMPLETED,
                        1,
                        Map.of("block", "0", "failed_node", "2", "completing_node", "0")),
                110,
                Instant.EPOCH);
        local.event(new MgmEvent(MgmEvent.CONNECTED, 65, Map.of("node", "2")), 120, Instant.EPOCH);
        local.event(new MgmEvent(MgmEvent.DISCONNECTED, 65, Map.of("node", "2")), 130, Instant.EPOCH);
        local.processEnded(2, "process 8 ended", 135, 140, Instant.EPOCH);

        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly(
                        "NODE_DOWN 100",
                        "FAILURE_HANDLED 110",
                        "PROCESS_STARTED 120",
                        "NODE_DOWN 140",
                        "FAILURE_HANDLED 140");
    }

    @Test
    void lateReportOfAnotherSurvivorIsNoSecondFailure() {
        failed(2, 1, 110);
        handled(2, 120);
        connected(2, 130);
        failed(2, 3, 140);

        assertThat(signals("2"))
                .extracting(EngineEvent::signal)
                .containsExactly(NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED);
    }

    /** Each survivor reports a failure twice, by an event and by a line of text. */
    @Test
    void bothLateReportsOfAnotherSurvivorAreNoSecondFailure() {
        failed(2, 3, 110);
        handled(2, 120);
        connected(2, 130);
        failed(2, 1, 140);
        nodeStatus(2, "Node failed, fail handling ongoing", 141);

        assertThat(signals("2"))
                .extracting(EngineEvent::signal)
                .containsExactly(NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED);
    }

    /** The angel of an isolated node reports when it reaches the management server again, and another process may have been started by then. */
    @Test
    void lateReportOfAnAngelIsNoSecondFailure() {
        failed(2, 1, 110);
        handled(2, 120);
        nodeStatus(2, "Allocated node id", 130);
        nodeStatus(2, "Included in heartbeat protocol", 140);
        mapper.event(
                new MgmEvent(MgmEvent.STOP_FORCED, 2, Map.of("signum", "0", "error", "2305", "sphase", "255")),
                150,
                Instant.EPOCH);
        nodeStatus(2, "Synchronize start node with live nodes", 160);

        assertThat(signals("2"))
                .extracting(EngineEvent::signal)
                .containsExactly(NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED, SYNCHRONISE_STARTED);
    }

    /** A node that waits for its data after its start has not recovered, and its own process may end all the same. */
    @Test
    void anAngelWhoseProcessEndedAfterItsStartWithoutDataReportsAFailure() {
        mapper.emptied();
        failed(2, 1, 110);
        handled(2, 120);
        nodeStatus(2, "Allocated node id", 130);
        nodeStatus(2, "Included in heartbeat protocol", 140);
        mapper.event(new MgmEvent(MgmEvent.START_COMPLETED, 2, Map.of("version", "1")), 150, Instant.EPOCH);
        mapper.event(
                new MgmEvent(MgmEvent.STOP_FORCED, 2, Map.of("signum", "9", "error", "0", "sphase", "255")),
                160,
                Instant.EPOCH);

        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly("NODE_DOWN 110", "FAILURE_HANDLED 120", "PROCESS_STARTED 130", "NODE_DOWN 160");
    }

    /** No other node reports its end, as none has it. */
    @Test
    void failureOfANodeThatHasOnlyItsIdIsHandledAtOnceAlsoAfterAGap() {
        failed(2, 1, 110);
        handled(2, 120);
        connected(2, 130);
        mapper.statusRead(List.of(node(2, "NOT_STARTED")), true, 135, Instant.EPOCH);
        disconnected(2, 65, 140);

        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly(
                        "NODE_DOWN 110",
                        "FAILURE_HANDLED 120",
                        "PROCESS_STARTED 130",
                        "NODE_DOWN 140",
                        "FAILURE_HANDLED 140");
    }

    @Test
    void anAngelWhoseProcessEndedInItsStartReportsAFailure() {
        failed(2, 1, 110);
        handled(2, 120);
        nodeStatus(2, "Allocated node id", 130);
        nodeStatus(2, "Included in heartbeat protocol", 140);
        mapper.event(
                new MgmEvent(MgmEvent.STOP_FORCED, 2, Map.of("signum", "0", "error", "2308", "sphase", "4")),
                150,
                Instant.EPOCH);

        assertThat(signals("2"))
                .extracting(EngineEvent::signal)
                .containsExactly(NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED, NODE_DOWN);
    }

    @Test
    void afterAGapOnlyWhatIsCertainIsTold() {
        failed(2, 1, 110);
        handled(2, 120);
        mapper.statusRead(
                List.of(node(1, "NO_CONTACT"), node(2, "STARTED"), node(3, "STARTED")), true, 500, Instant.EPOCH);

        assertThat(signals("1")).extracting(EngineEvent::signal).containsExactly(NODE_DOWN);
        assertThat(signals("2"))
                .extracting(EngineEvent::signal)
                .containsExactly(NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED, RECOVERED);
        assertThat(signals("2").get(3).text()).contains("gap");
        assertThat(signals("3")).isEmpty();
    }

    @Test
    void aNodeThatHasRecoveredInAGapIsRecoveredForTheTracker() {
        failed(2, 1, 110);
        handled(2, 120);
        mapper.statusRead(List.of(node(2, "STARTED")), true, 500, Instant.EPOCH);

        RecoveryTracker tracker = new RecoveryTracker();
        signals("2").stream()
                .map(e -> new EngineObserved(e.atNanos(), e.node(), e.signal(), e.source(), e.text()))
                .flatMap(marker -> Observation.of(marker).stream())
                .forEach(tracker::observe);
        assertThat(tracker.recoveries()).hasSize(1);
        assertThat(tracker.active()).isEmpty();
    }

    @Test
    void failureInAGapIsDatedAtTheFirstLook() {
        mapper.noContact(node(1, "NO_CONTACT"), 500, Instant.EPOCH);
        mapper.noContact(node(1, "NO_CONTACT"), 600, Instant.EPOCH);
        mapper.statusRead(List.of(node(1, "NO_CONTACT")), true, 700, Instant.EPOCH);
        mapper.noContact(node(2, "NO_CONTACT"), 500, Instant.EPOCH);
        mapper.statusRead(List.of(node(2, "STARTING")), true, 700, Instant.EPOCH);
        mapper.noContact(node(3, "NO_CONTACT"), 500, Instant.EPOCH);
        mapper.statusRead(List.of(node(3, "STARTED")), true, 700, Instant.EPOCH);
        nodeStatus(2, "Synchronize start node with live nodes", 800);

        assertThat(signals("1")).extracting(e -> e.signal() + " " + e.atNanos()).containsExactly("NODE_DOWN 500");
        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly("NODE_DOWN 500", "PROCESS_STARTED 700", "SYNCHRONISE_STARTED 800");
        assertThat(signals("3")).isEmpty();
    }

    @Test
    void aNodeThatIsStartingAfterAGapHasFailedInIt() {
        mapper.statusRead(List.of(node(2, "STARTING")), true, 700, Instant.EPOCH);
        failed(3, 1, 710);
        mapper.statusRead(List.of(node(3, "STARTING")), true, 900, Instant.EPOCH);

        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly("NODE_DOWN 700", "PROCESS_STARTED 700");
        assertThat(signals("3"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly("NODE_DOWN 710", "PROCESS_STARTED 900");
    }

    /** The server learns a node's state some time after it has let it in. */
    @Test
    void aNodeThatHasOnlyBegunBeforeAGapHasNotFailedInIt() {
        failed(2, 1, 110);
        handled(2, 120);
        nodeStatus(2, "Allocated node id", 130);
        mapper.statusRead(List.of(node(2, "NOT_STARTED")), true, 700, Instant.EPOCH);
        nodeStatus(2, "Synchronize start node with live nodes", 800);

        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .containsExactly(
                        "NODE_DOWN 110", "FAILURE_HANDLED 120", "PROCESS_STARTED 130", "SYNCHRONISE_STARTED 800");
    }

    @Test
    void aNodeThatWasCopyingBeforeAGapAndBeginsAfterItHasFailedInIt() {
        failed(2, 1, 110);
        handled(2, 120);
        nodeStatus(2, "Allocated node id", 130);
        nodeStatus(2, "Synchronize start node with live nodes", 140);
        mapper.statusRead(List.of(node(2, "NOT_STARTED")), true, 700, Instant.EPOCH);
        nodeStatus(2, "Included in heartbeat protocol", 800);

        assertThat(signals("2"))
                .extracting(e -> e.signal() + " " + e.atNanos())
                .endsWith("NODE_DOWN 700", "PROCESS_STARTED 800");
    }

    @Test
    void aNodeThatTheServerReachesAfterItCountedAsDownIsFoundRecovered() {
        mapper.statusRead(List.of(node(1, "NO_CONTACT")), true, 500, Instant.EPOCH);
        connected(1, 600);
        assertThat(mapper.onlyConnected(1)).isTrue();

        mapper.statusRead(List.of(node(1, "STARTED")), true, 700, Instant.EPOCH);

        assertThat(signals("1")).extracting(EngineEvent::signal).containsExactly(NODE_DOWN, PROCESS_STARTED, RECOVERED);
    }

    @Test
    void aNodeOutOfSightAtTheFirstLookIsDownWhenOthersReportIt() {
        mapper.statusRead(List.of(node(1, "NO_CONTACT")), false, 100, Instant.EPOCH);
        assertThat(mapper.outOfSight(1)).isTrue();
        failed(1, 2, 200);
        handled(1, 210);
        connected(1, 300);

        assertThat(signals("1"))
                .extracting(EngineEvent::signal)
                .containsExactly(NODE_DOWN, FAILURE_HANDLED, PROCESS_STARTED);
    }

    @Test
    void aNodeOutOfSightAtTheFirstLookHasStartedWithItsConnectionUnlessItIsUp() {
        mapper.statusRead(
                List.of(node(1, "NO_CONTACT"), node(2, "NO_CONTACT"), node(3, "NO_CONTACT")),
                false,
                100,
                Instant.EPOCH);
        connected(1, 150);
        connected(2, 150);
        connected(3, 150);
        assertThat(signals("1")).isEmpty();
        assertThat(mapper.onlyConnected(1)).isTrue();

        mapper.statusRead(
                List.of(node(1, "STARTING"), node(2, "NOT_STARTED"), node(3, "STARTED")), true, 200, Instant.EPOCH);

        for (String node : List.of("1", "2")) {
            assertThat(signals(node))
                    .extracting(e -> e.signal() + " " + e.atNanos())
                    .containsExactly("PROCESS_STARTED 150");
        }
        assertThat(signals("3")).isEmpty();
        assertThat(mapper.recovered(3)).isTrue();
        assertThat(mapper.onlyConnected(3)).isFalse();
    }

    @Test
    void aNodeOutOfSightIsNotDownForAnotherServerThatDoesNotSeeItEither() {
        mapper.statusRead(List.of(node(1, "NO_CONTACT")), false, 100, Instant.EPOCH);
        mapper.streamBegins();
        mapper.statusRead(List.of(node(1, "NO_CONTACT")), true, 200, Instant.EPOCH);
        nodeStatus(1, "Allocated node id", 300);

        assertThat(signals("1")).extracting(e -> e.signal() + " " + e.atNanos()).containsExactly("PROCESS_STARTED 300");
    }

    @Test
    void aNodeThatTheServerNeverSawCannotReportTheLossOfTheLastOne() {
        mapper.statusRead(
                List.of(node(1, "NO_CONTACT"), node(2, "STARTED"), node(3, "STARTED")), false, 100, Instant.EPOCH);
        disconnected(2, 65, 200);
        disconnected(3, 65, 210);

        assertThat(signals("1")).isEmpty();
        assertThat(signals("2")).extracting(e -> e.signal() + " " + e.atNanos()).containsExactly("NODE_DOWN 200");
        assertThat(signals("3")).extracting(e -> e.signal() + " " + e.atNanos()).containsExactly("NODE_DOWN 210");
    }

    /** It was down before, so that the end of a process that did not come up is no failure. */
    @Test
    void aNodeWhoseProcessWasGoneAtTheFirstLookWasDown() {
        mapper.statusRead(List.of(node(1, "NO_CONTACT")), false, 100, Instant.EPOCH);
        mapper.gone(1);
        mapper.processEnded(1, "process 7 ended", 190, 200, Instant.EPOCH);
        connected(1, 300);

        assertThat(signals("1")).extracting(e -> e.signal() + " " + e.atNanos()).containsExactly("PROCESS_STARTED 300");
    }

    /** An answer to a question from before the connection is old, though the connection is no event for listeners. */
    @Test
    void aConnectionToANodeIsAChange() {
        long before = mapper.changes();
        mapper.event(new MgmEvent(MgmEvent.CONNECTED, 65, Map.of("node", "70")), 10, Instant.EPOCH);
        assertThat(mapper.changes()).isEqualTo(before);

        connected(1, 20);

        assertThat(mapper.changes()).isGreaterThan(before);
        assertThat(told).isEmpty();
    }

    /** Who reported the failure in the gap is not known, so that no report after it is taken for a late one. */
    @Test
    void failureAfterOneThatWasSeenAfterAGapIsReported() {
        mapper.statusRead(List.of(node(1, "NO_CONTACT")), true, 500, Instant.EPOCH);
        connected(1, 600);
        failed(1, 2, 700);

        assertThat(signals("1")).extracting(EngineEvent::signal).containsExactly(NODE_DOWN, PROCESS_STARTED, NODE_DOWN);
    }

    @Test
    void nodeThatIsStartingAtTheFirstLookIsFollowedFromThere() {
        mapper.statusRead(
                List.of(node(1, "STARTED"), node(2, "STARTING"), node(3, "STARTED")), false, 1, Instant.EPOCH);
        mapper.event(new MgmEvent(MgmEvent.START_COMPLETED, 2, Map.of("version", "1")), 10, Instant.EPOCH);

        assertThat(signals("2")).extracting(EngineEvent::signal).containsExactly(RECOVERED);
    }

    @Test
    void eventsOfUnknownNodesAndKindsAreIgnored() {
        failed(9, 1, 1);
        mapper.event(new MgmEvent(4711, 1, Map.of()), 2, Instant.EPOCH);
        mapper.event(new MgmEvent(MgmEvent.CONNECTED, 65, Map.of("node", "70")), 3, Instant.EPOCH);

        assertThat(told).isEmpty();
    }

    private void failed(int node, int reporter, long at) {
        mapper.event(
                new MgmEvent(MgmEvent.NODE_FAIL_REPORT, reporter, Map.of("failed_node", "" + node)), at, Instant.EPOCH);
    }

    private void handled(int node, long at) {
        mapper.event(
                new MgmEvent(
                        MgmEvent.NODE_FAIL_COMPLETED,
                        1,
                        Map.of("block", "0", "failed_node", "" + node, "completing_node", "0")),
                at,
                Instant.EPOCH);
    }

    /** What the master says of a node's restart. */
    private void nodeStatus(int node, String now, long at) {
        byte[] text = ("NR Status: node=" + node + ",OLD=Initial state,NEW=" + now + "\0\0\0\0")
                .getBytes(StandardCharsets.UTF_8);
        ByteBuffer words = ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN);
        String data = IntStream.range(0, text.length / 4)
                .mapToObj(word -> Integer.toString(words.getInt(4 * word)))
                .collect(Collectors.joining(" "));
        mapper.event(new MgmEvent(INFO_EVENT, 1, Map.of("data", data)), at, Instant.EPOCH);
    }

    private void connected(int node, long at) {
        mapper.event(new MgmEvent(MgmEvent.CONNECTED, 65, Map.of("node", "" + node)), at, Instant.EPOCH);
    }

    private void disconnected(int node, int server, long at) {
        mapper.event(new MgmEvent(MgmEvent.DISCONNECTED, server, Map.of("node", "" + node)), at, Instant.EPOCH);
    }

    private void loseAllAndConnectAgain() {
        for (int node = 1; node <= 3; node++) {
            disconnected(node, 65, 100 + node);
        }
        for (int node = 1; node <= 3; node++) {
            connected(node, 150 + node);
        }
    }

    private static MgmNode node(int id, String status) {
        return new MgmNode(id, "NDB", status, 0, 1, 0, "127.0.0.1", 0);
    }

    private List<EngineEvent> signals(String node) {
        return told.stream()
                .filter(e -> e.node().equals(node) && e.signal() != STEP && e.signal() != NOTE)
                .toList();
    }

    private void replay(String recording) throws IOException {
        replay(recording, e -> true);
    }

    /** A line of a recording is the time in seconds, a blank, and the line as received. */
    private void replay(String recording, Predicate<MgmEvent> received) throws IOException {
        MgmEventReader reader = new MgmEventReader();
        try (InputStream in =
                Objects.requireNonNull(getClass().getResourceAsStream("/ndb/" + recording + ".events"), recording)) {
            for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList()) {
                int blank = line.indexOf(' ');
                long nanos = Math.round(Double.parseDouble(line.substring(0, blank)) * 1_000) * 1_000_000;
                reader.line(line.substring(blank + 1))
                        .filter(received)
                        .ifPresent(e -> mapper.event(e, nanos, Instant.EPOCH.plusNanos(nanos)));
            }
        }
    }
}

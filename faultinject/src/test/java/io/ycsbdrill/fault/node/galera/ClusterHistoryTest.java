package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.galera.ClusterHistory.Life;
import io.ycsbdrill.fault.node.galera.LogEvent.Kind;
import io.ycsbdrill.fault.node.galera.LogEvent.View;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClusterHistoryTest {
    private static final List<String> ALL = List.of("node1", "node2", "node3");

    private final List<EngineEvent> events = new ArrayList<>();
    private final ClusterHistory history = new ClusterHistory(ALL, events::add);
    private long clock;

    @BeforeEach
    void allAreWhole() {
        for (String node : ALL) {
            history.processSeen(node);
            says(node, Kind.STARTING);
            sees(node, true, ALL);
            says(node, Kind.SYNCED);
        }
        events.clear();
    }

    @Test
    void failureIsHandledWhenTheLastSurvivorHasItsView() {
        ends("node3");
        assertThat(history.failureOpen("node3")).isTrue();
        sees("node1", true, List.of("node1", "node2"));
        assertThat(signals("node3")).containsExactly(Signal.NODE_DOWN);

        sees("node2", true, List.of("node1", "node2"));

        assertThat(signals("node3")).containsExactly(Signal.NODE_DOWN, Signal.FAILURE_HANDLED);
        assertThat(last().atNanos()).isEqualTo(clock);
        assertThat(history.failureOpen("node3")).isFalse();
        assertThat(history.coordinator()).contains("node1");
    }

    @Test
    void nodeThatIsGivenUpWhileItsProcessIsThereComesBackWithoutAStart() {
        sees("node1", true, List.of("node1", "node2"));
        sees("node2", true, List.of("node1", "node2"));
        assertThat(history.dropped("node3")).isTrue();
        sees("node3", false, List.of("node3"));
        says("node3", Kind.TRANSFER);
        says("node3", Kind.JOINED);
        says("node3", Kind.SYNCED);

        assertThat(signals("node3"))
                .containsExactly(
                        Signal.NODE_DOWN,
                        Signal.FAILURE_HANDLED,
                        Signal.SYNCHRONISE_STARTED,
                        Signal.WAIT_CHECKPOINT_STARTED,
                        Signal.RECOVERED);
        assertThat(history.life("node3")).isEqualTo(Life.RECOVERED);
    }

    /** Its disk was full, for example. */
    @Test
    void nodeThatHasLeftForGoodComesBackOnlyWithAnotherProcess() {
        says("node3", Kind.EXPELLED);
        assertThat(history.expelled("node3")).isTrue();
        sees("node1", true, List.of("node1", "node2"));
        sees("node2", true, List.of("node1", "node2"));
        sees("node3", false, List.of("node3"));
        ends("node3");
        assertThat(history.expelled("node3")).isFalse();
        history.processSeen("node3");
        says("node3", Kind.STARTING);
        says("node3", Kind.SYNCED);

        assertThat(history.expelled("node3")).isFalse();
        assertThat(signals("node3"))
                .containsExactly(Signal.NODE_DOWN, Signal.FAILURE_HANDLED, Signal.PROCESS_STARTED, Signal.RECOVERED);
    }

    @Test
    void orderlyLeaveIsOneFailureAndTheProcessEndsLater() {
        says("node3", Kind.LEAVING);
        assertThat(history.life("node3")).isEqualTo(Life.LEAVING);
        sees("node1", true, List.of("node1", "node2"));
        sees("node2", true, List.of("node1", "node2"));
        ends("node3");

        assertThat(signals("node3")).containsExactly(Signal.NODE_DOWN, Signal.FAILURE_HANDLED);
        assertThat(last().signal()).isEqualTo(Signal.NOTE);
    }

    @Test
    void withoutMajorityNothingIsHandled() {
        ends("node2");
        ends("node3");
        assertThat(signals("node2")).containsExactly(Signal.NODE_DOWN);
        sees("node1", false, List.of("node1"));
        long known = clock;
        sees("node1", false, List.of("node1"));

        assertThat(signals("node2")).containsExactly(Signal.NODE_DOWN, Signal.UNHANDLED);
        assertThat(signals("node3")).containsExactly(Signal.NODE_DOWN, Signal.UNHANDLED);
        assertThat(events)
                .filteredOn(e -> e.signal() == Signal.UNHANDLED)
                .extracting(EngineEvent::atNanos)
                .containsOnly(known);
        assertThat(history.failureOpen("node3")).isFalse();
    }

    @Test
    void whoServesAgainHandlesWhatNobodyWasLeftToHandle() {
        ends("node2");
        ends("node3");
        sees("node1", false, List.of("node1"));
        sees("node1", true, List.of("node1"));

        assertThat(signals("node2")).containsExactly(Signal.NODE_DOWN, Signal.UNHANDLED, Signal.FAILURE_HANDLED);
        assertThat(signals("node3")).containsExactly(Signal.NODE_DOWN, Signal.UNHANDLED, Signal.FAILURE_HANDLED);
    }

    @Test
    void lossOfAllIsHandledByNobody() {
        ALL.forEach(this::ends);

        ALL.forEach(node -> assertThat(signals(node)).containsExactly(Signal.NODE_DOWN, Signal.UNHANDLED));
        assertThat(history.coordinator()).isEmpty();
    }

    /** It has not joined yet, so nobody has to notice that it is gone. */
    @Test
    void theFailureOfANodeThatIsStillStartingIsHandledAtOnce() {
        ends("node3");
        sees("node1", true, List.of("node1", "node2"));
        sees("node2", true, List.of("node1", "node2"));
        history.processSeen("node3");
        says("node3", Kind.STARTING);
        ends("node3");

        assertThat(signals("node3"))
                .containsExactly(
                        Signal.NODE_DOWN,
                        Signal.FAILURE_HANDLED,
                        Signal.PROCESS_STARTED,
                        Signal.NODE_DOWN,
                        Signal.FAILURE_HANDLED);
    }

    @Test
    void recoveryAndServerAreOneStart() {
        ends("node3");
        history.processSeen("node3");
        says("node3", Kind.STARTING);
        says("node3", Kind.STARTING);

        assertThat(signals("node3")).containsExactly(Signal.NODE_DOWN, Signal.PROCESS_STARTED);
        assertThat(history.life("node3")).isEqualTo(Life.STARTING);
    }

    @Test
    void whoAttachesLaterIsNotFooledByAFrozenNodesOwnAccount() {
        sees("node1", true, List.of("node1", "node2"));
        sees("node2", true, List.of("node1", "node2"));
        ALL.forEach(node -> history.found(node, true, true));

        assertThat(history.dropped("node3")).isTrue();
        assertThat(history.life("node1")).isEqualTo(Life.RECOVERED);
        assertThat(history.life("node3")).isNotEqualTo(Life.RECOVERED);
        sees("node1", true, ALL);
        ALL.forEach(node -> history.found(node, true, true));
        assertThat(history.life("node3")).isEqualTo(Life.RECOVERED);
    }

    /** A heal after a power loss waited for it until its bound: it was down for good, though it said that it was synced. */
    @Test
    void whoAttachesWhileANodeStartsSeesItRecoverWhateverTheOldViewsAre() {
        sees("node1", true, List.of("node1", "node2"));
        assertThat(history.dropped("node3")).isTrue();

        ALL.forEach(node -> history.found(node, true, false));
        says("node3", Kind.SYNCED);

        assertThat(history.recovered("node3")).isTrue();
    }

    @Test
    void donorThatIsSyncedAgainWasNeverAway() {
        says("node1", Kind.SYNCED);

        assertThat(signals("node1")).isEmpty();
    }

    @Test
    void recordedCopyOfEverythingHasItsPhases() throws IOException {
        ends("node2");
        history.processSeen("node2");
        LogReaderTest.read("joiner-sst.log").forEach(e -> history.reported("node2", e, ++clock, Instant.EPOCH));

        assertThat(signals("node2"))
                .containsExactly(
                        Signal.NODE_DOWN,
                        Signal.PROCESS_STARTED,
                        Signal.SYNCHRONISE_STARTED,
                        Signal.WAIT_CHECKPOINT_STARTED,
                        Signal.RECOVERED);
        assertThat(history.version()).isEqualTo("10.11.19-MariaDB-0+deb12u1");
        assertThat(events)
                .filteredOn(e -> e.signal() == Signal.NOTE)
                .extracting(EngineEvent::text)
                .containsOnlyOnce("state transfer: SST, a copy of everything");
    }

    private void ends(String node) {
        history.processEnded(node, 1, ++clock, Instant.EPOCH);
    }

    private void says(String node, Kind kind) {
        history.reported(node, LogEvent.of(kind, Instant.EPOCH, kind.name()), ++clock, Instant.EPOCH);
    }

    private void sees(String node, boolean primary, List<String> members) {
        Map<String, String> ids = new LinkedHashMap<>();
        members.forEach(name -> ids.put("id-" + name, name));
        View view = new View(primary, "id-" + node, ids);
        history.reported(node, new LogEvent(Kind.VIEW, Instant.EPOCH, false, "view", "", view), ++clock, Instant.EPOCH);
    }

    private EngineEvent last() {
        return events.get(events.size() - 1);
    }

    private List<Signal> signals(String node) {
        return events.stream()
                .filter(e -> e.node().equals(node))
                .map(EngineEvent::signal)
                .filter(s -> s != Signal.STEP && s != Signal.NOTE)
                .toList();
    }
}

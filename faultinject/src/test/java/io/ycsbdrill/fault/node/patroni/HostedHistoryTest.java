package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Three nodes, of which a is primary at first; what they say at one question after the other, each a second later. */
class HostedHistoryTest {
    private static final Map<String, String> BOTH = Map.of("b", "async", "c", "async");

    private final HostedHistory history = new HostedHistory(List.of("a", "b", "c"));
    private final List<String> events = new ArrayList<>();
    private final LastPrimary last = new LastPrimary();
    private long now;

    private void say(HostedMember... answers) {
        now++;
        history.take(
                HostedGroup.of(List.of(answers), last),
                now * 1_000_000_000,
                Instant.EPOCH.plusSeconds(now),
                event -> events.add(event.atNanos() / 1_000_000_000 + " " + event.node() + " " + event.signal()));
    }

    private static HostedMember primary(String node, long timeline, long position, Map<String, String> replicas) {
        return running(node, new PatroniAnswer(true, timeline, position, replicas));
    }

    private static HostedMember replica(String node, long timeline, long position) {
        return running(node, new PatroniAnswer(false, timeline, position, Map.of()));
    }

    private static HostedMember running(String node, PatroniAnswer answer) {
        return new HostedMember(node, true, "running", Optional.of(answer), "");
    }

    private static HostedMember in(String node, String state) {
        return new HostedMember(node, true, state, Optional.empty(), "");
    }

    private static HostedMember gone(String node) {
        return HostedMember.gone(node);
    }

    private void allIsWell() {
        say(primary("a", 1, 100, BOTH), replica("b", 1, 100), replica("c", 1, 100));
    }

    @Test
    void aPrimaryThatDiesIsReplacedAndComesBackAsAReplica() {
        allIsWell();
        say(gone("a"), replica("b", 1, 200), replica("c", 1, 200));
        say(gone("a"), replica("b", 1, 200), replica("c", 1, 200));
        say(gone("a"), replica("b", 1, 200), replica("c", 1, 200));
        say(gone("a"), primary("b", 2, 210, Map.of()), replica("c", 1, 200));
        say(in("a", "starting"), primary("b", 2, 220, Map.of("c", "async")), replica("c", 2, 220));
        say(replica("a", 1, 190), primary("b", 2, 230, Map.of("c", "async")), replica("c", 2, 230));
        say(replica("a", 2, 210), primary("b", 2, 240, Map.of("a", "async", "c", "async")), replica("c", 2, 240));
        say(replica("a", 2, 239), primary("b", 2, 250, Map.of("a", "async", "c", "async")), replica("c", 2, 250));
        say(replica("a", 2, 240), primary("b", 2, 260, Map.of("a", "async", "c", "async")), replica("c", 2, 260));

        assertThat(events)
                .containsExactly(
                        "2 a NOTE",
                        "2 a NODE_DOWN",
                        "5 a FAILURE_HANDLED",
                        "6 a PROCESS_STARTED",
                        "6 a STEP",
                        "7 a STEP",
                        "8 a SYNCHRONISE_STARTED",
                        "10 a RECOVERED");
    }

    @Test
    void aPostgresThatPatroniStartsAgainIsNoFailover() {
        allIsWell();
        say(in("a", "crashed"), replica("b", 1, 100), replica("c", 1, 100));
        say(in("a", "starting"), replica("b", 1, 100), replica("c", 1, 100));
        say(primary("a", 2, 110, BOTH), replica("b", 2, 110), replica("c", 2, 110));

        assertThat(events).containsExactly("2 a NODE_DOWN", "3 a PROCESS_STARTED", "3 a STEP", "4 a RECOVERED");
    }

    @Test
    void aLostAnswerIsNoFailureWhileThePrimaryStreams() {
        allIsWell();
        for (int i = 0; i < 5; i++) {
            say(primary("a", 1, 100, BOTH), replica("c", 1, 100));
        }

        assertThat(events).containsExactly("2 b NOTE");
    }

    @Test
    void aPrimaryThatIsCutOffIsOutWhenAnotherOneIsPromoted() {
        allIsWell();
        say(primary("a", 1, 200, Map.of()), replica("b", 1, 150), replica("c", 1, 150));
        say(primary("a", 1, 300, Map.of()), primary("b", 2, 160, Map.of("c", "async")), replica("c", 2, 160));
        say(primary("a", 1, 400, Map.of()), primary("b", 2, 170, Map.of("c", "async")), replica("c", 2, 170));
        say(in("a", "stopped"), primary("b", 2, 180, Map.of("c", "async")), replica("c", 2, 180));
        say(replica("a", 2, 180), primary("b", 2, 180, BOTH), replica("c", 2, 180));

        assertThat(events).startsWith("3 a NODE_DOWN", "3 a FAILURE_HANDLED").contains("6 a PROCESS_STARTED");
        assertThat(events).noneMatch(event -> event.contains(" b ") || event.contains(" c "));
    }

    /** For up to a loop of Patroni's they hang. */
    @Test
    void theFailureOfASynchronousReplicaIsHandledWhenCommitsWaitForAnother() {
        Map<String, String> synchronous = Map.of("b", "sync", "c", "async");
        say(primary("a", 1, 100, synchronous), replica("b", 1, 100), replica("c", 1, 100));
        for (int i = 0; i < 3; i++) {
            say(primary("a", 1, 100, Map.of("c", "async")), gone("b"), replica("c", 1, 100));
        }
        assertThat(events).containsExactly("2 b NOTE", "2 b NODE_DOWN");
        say(primary("a", 1, 100, Map.of("c", "sync")), gone("b"), replica("c", 1, 100));
        say(primary("a", 1, 100, Map.of("c", "sync")), in("b", "creating replica"), replica("c", 1, 100));
        say(primary("a", 1, 100, Map.of("b", "async", "c", "sync")), replica("b", 1, 90), replica("c", 1, 100));
        say(primary("a", 1, 100, Map.of("b", "async", "c", "sync")), replica("b", 1, 100), replica("c", 1, 100));

        assertThat(events)
                .containsExactly(
                        "2 b NOTE",
                        "2 b NODE_DOWN",
                        "5 b FAILURE_HANDLED",
                        "6 b PROCESS_STARTED",
                        "6 b SYNCHRONISE_STARTED",
                        "7 b STEP",
                        "8 b RECOVERED");
    }

    /** A cut-off primary is not primary again because the new one is silent for a moment. */
    @Test
    void anAnswerThatIsLostWhileTwoAreCalledPrimaryChangesNothing() {
        allIsWell();
        say(primary("a", 1, 300, Map.of()), primary("b", 2, 160, Map.of("c", "async")), replica("c", 2, 160));
        say(primary("a", 1, 400, Map.of()), replica("c", 2, 160));
        say(primary("a", 1, 500, Map.of()), primary("b", 2, 170, Map.of("c", "async")), replica("c", 2, 170));

        assertThat(events).containsExactly("2 a NODE_DOWN", "2 a FAILURE_HANDLED", "3 b NOTE");
    }

    /** With etcd3 in 3.0.2 a primary that wakes up takes its key back, and the new one gives up. */
    @Test
    void aPrimaryThatTakesItsPlaceBackIsPrimary() {
        allIsWell();
        say(primary("a", 1, 300, Map.of()), primary("b", 2, 160, Map.of("c", "async")), replica("c", 2, 160));
        say(primary("a", 1, 400, Map.of()), in("b", "stopped"), replica("c", 2, 160));

        assertThat(events)
                .startsWith("2 a NODE_DOWN", "2 a FAILURE_HANDLED")
                .contains("3 a RECOVERED", "3 b NODE_DOWN");
    }

    /** One that has lost etcd makes itself read-only; it recovers when it is primary again, and not before. */
    @Test
    void aPrimaryThatStepsDownWithoutASuccessorWaitsUntilThereIsOne() {
        allIsWell();
        say(in("a", "stopped"), replica("b", 1, 100), replica("c", 1, 100));
        for (int i = 0; i < 5; i++) {
            say(replica("a", 1, 100), replica("b", 1, 100), replica("c", 1, 100));
        }
        say(primary("a", 2, 100, BOTH), replica("b", 2, 100), replica("c", 2, 100));

        assertThat(events).containsExactly("2 a NODE_DOWN", "8 a PROCESS_STARTED", "8 a RECOVERED");
    }

    @Test
    void onePoorAnswerIsNoFailure() {
        allIsWell();
        say(in("a", "unknown"), replica("b", 1, 100), replica("c", 1, 100));
        allIsWell();
        say(primary("a", 1, 100, BOTH), in("b", "stopped"), replica("c", 1, 100));

        assertThat(events).containsExactly("2 a NOTE");
    }

    @Test
    void aReplicaThatNeverFollowsTheNewPrimaryIsDownInTheEnd() {
        allIsWell();
        for (int i = 0; i < 25; i++) {
            say(gone("a"), primary("b", 2, 210, Map.of()), replica("c", 1, 200));
        }

        assertThat(events).contains("2 c NODE_DOWN");
    }

    @Test
    void aReplicaThatIsSilentForLongIsDownAlthoughThePrimaryStillListsIt() {
        allIsWell();
        for (int i = 0; i < 25; i++) {
            say(primary("a", 1, 100, BOTH), replica("c", 1, 100));
        }

        assertThat(events).contains("2 b NODE_DOWN");
    }

    @Test
    void aReplicaThatThePrimaryLosesIsDownFromTheFirstQuestionOn() {
        allIsWell();
        for (int i = 0; i < 3; i++) {
            say(primary("a", 1, 200, Map.of("c", "async")), replica("b", 1, 100), replica("c", 1, 200));
        }
        say(primary("a", 1, 200, BOTH), replica("b", 1, 100), replica("c", 1, 200));
        say(primary("a", 1, 200, BOTH), replica("b", 1, 200), replica("c", 1, 200));

        assertThat(events)
                .startsWith("2 b NODE_DOWN", "4 b FAILURE_HANDLED")
                .endsWith("6 b RECOVERED")
                .contains("5 b SYNCHRONISE_STARTED");
    }

    @Test
    void replicasThatFollowANewPrimaryLateAreNotDown() {
        allIsWell();
        say(gone("a"), replica("b", 1, 200), replica("c", 1, 200));
        for (int i = 0; i < 6; i++) {
            say(gone("a"), primary("b", 2, 210, Map.of()), replica("c", 1, 200));
        }

        assertThat(events).noneMatch(event -> event.contains(" c "));
    }

    @Test
    void whenPostgresRunsNowhereNobodyCanHandleIt() {
        allIsWell();
        for (int i = 0; i < 3; i++) {
            say(gone("a"), gone("b"), gone("c"));
        }

        assertThat(events)
                .contains("2 a NODE_DOWN", "2 b NODE_DOWN", "2 c NODE_DOWN", "4 a UNHANDLED", "4 c UNHANDLED");
    }

    @Test
    void oneThatDiesWhileItComesBackBeginsAgain() {
        allIsWell();
        for (int i = 0; i < 3; i++) {
            say(primary("a", 1, 100, Map.of("c", "async")), gone("b"), replica("c", 1, 100));
        }
        say(primary("a", 1, 100, Map.of("c", "async")), in("b", "starting"), replica("c", 1, 100));
        for (int i = 0; i < 3; i++) {
            say(primary("a", 1, 100, Map.of("c", "async")), gone("b"), replica("c", 1, 100));
        }

        assertThat(events).contains("2 b NODE_DOWN", "5 b PROCESS_STARTED", "6 b NODE_DOWN");
    }
}

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
    private long now;

    private void say(HostedMember... answers) {
        now++;
        history.take(
                HostedGroup.of(List.of(answers)),
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
                        "3 a FAILURE_HANDLED",
                        "4 a PROCESS_STARTED",
                        "4 a STEP",
                        "5 a STEP",
                        "6 a SYNCHRONISE_STARTED",
                        "8 a RECOVERED");
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

    @Test
    void aCommitThatWaitsForAReplicaKeepsItsFailureOpen() {
        Map<String, String> synchronous = Map.of("b", "sync", "c", "async");
        say(primary("a", 1, 100, synchronous), replica("b", 1, 100), replica("c", 1, 100));
        say(primary("a", 1, 100, Map.of("c", "async")), gone("b"), replica("c", 1, 100));
        say(primary("a", 1, 100, Map.of("c", "sync")), in("b", "creating replica"), replica("c", 1, 100));
        say(primary("a", 1, 100, Map.of("b", "async", "c", "sync")), replica("b", 1, 90), replica("c", 1, 100));
        say(primary("a", 1, 100, Map.of("b", "async", "c", "sync")), replica("b", 1, 100), replica("c", 1, 100));

        assertThat(events)
                .containsExactly(
                        "2 b NOTE",
                        "2 b NODE_DOWN",
                        "2 b FAILURE_HANDLED",
                        "3 b PROCESS_STARTED",
                        "3 b SYNCHRONISE_STARTED",
                        "4 b STEP",
                        "5 b RECOVERED");
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
        say(primary("a", 1, 100, Map.of("c", "async")), gone("b"), replica("c", 1, 100));
        say(primary("a", 1, 100, Map.of("c", "async")), in("b", "starting"), replica("c", 1, 100));
        for (int i = 0; i < 3; i++) {
            say(primary("a", 1, 100, Map.of("c", "async")), gone("b"), replica("c", 1, 100));
        }

        assertThat(events).contains("2 b NODE_DOWN", "3 b PROCESS_STARTED", "4 b NODE_DOWN");
    }
}

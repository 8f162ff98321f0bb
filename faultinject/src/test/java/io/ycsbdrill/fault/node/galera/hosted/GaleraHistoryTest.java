package io.ycsbdrill.fault.node.galera.hosted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Three nodes; what they say at one question after the other, each a second later. */
class GaleraHistoryTest {
    private static final Set<String> ALL = Set.of("a", "b", "c");
    private static final Set<String> TWO = Set.of("a", "b");

    private static final String NOT_YET =
            "ERROR 1047 (08S01) at line 1: WSREP has not yet prepared node for application use";

    private final GaleraHistory history = new GaleraHistory(List.of("a", "b", "c"));
    private final List<String> events = new ArrayList<>();
    private long now;

    private void say(GaleraAnswer... answers) {
        now++;
        history.take(
                GaleraState.of(List.of(answers)),
                now * 1_000_000_000,
                Instant.EPOCH.plusSeconds(now),
                event -> events.add(event.atNanos() / 1_000_000_000 + " " + event.node() + " " + event.signal()));
    }

    private static GaleraAnswer synced(String node, Set<String> members) {
        return new GaleraAnswer(node, node, "10", true, "Synced", members, "");
    }

    private static GaleraAnswer saying(String node, String state) {
        return new GaleraAnswer(node, node, "10", false, state, Set.of(), "");
    }

    @Test
    void aNodeThatCatchesUpByItself() {
        say(synced("a", ALL), synced("b", ALL), synced("c", ALL));
        say(synced("a", ALL), synced("b", ALL));
        say(synced("a", TWO), synced("b", ALL));
        say(synced("a", TWO), synced("b", TWO));
        say(synced("a", TWO), synced("b", TWO), saying("c", "Joining: receiving State Transfer"));
        say(synced("a", ALL), synced("b", ALL), new GaleraAnswer("c", "c", "10", true, "Joined", Set.of(), NOT_YET));
        say(synced("a", ALL), synced("b", ALL), synced("c", ALL));

        assertThat(events)
                .containsExactly(
                        "2 c NOTE",
                        "3 c NODE_DOWN",
                        "4 c FAILURE_HANDLED",
                        "5 c PROCESS_STARTED",
                        "5 c SYNCHRONISE_STARTED",
                        "6 c STEP",
                        "7 c RECOVERED");
    }

    @Test
    void aNodeThatDiesAgainBeginsAgain() {
        say(synced("a", ALL), synced("b", ALL), synced("c", ALL));
        say(synced("a", TWO), synced("b", TWO));
        say(synced("a", TWO), synced("b", TWO), saying("c", "Joining: receiving State Transfer"));
        say(synced("a", TWO), synced("b", TWO));
        say(synced("a", TWO), synced("b", TWO));
        say(synced("a", TWO), synced("b", TWO));
        say(synced("a", TWO), synced("b", TWO), saying("c", "Joining: receiving State Transfer"));
        say(synced("a", ALL), synced("b", ALL), synced("c", ALL));

        assertThat(events)
                .containsExactly(
                        "2 c NOTE",
                        "2 c NODE_DOWN",
                        "2 c FAILURE_HANDLED",
                        "3 c PROCESS_STARTED",
                        "3 c SYNCHRONISE_STARTED",
                        "4 c NODE_DOWN",
                        "4 c FAILURE_HANDLED",
                        "7 c PROCESS_STARTED",
                        "7 c SYNCHRONISE_STARTED",
                        "8 c RECOVERED");
    }

    @Test
    void aNodeThatGetsAllDataDoesNotAnswerMeanwhile() {
        say(synced("a", TWO), synced("b", TWO));
        say(synced("a", ALL), synced("b", ALL));
        say(new GaleraAnswer("a", "a", "10", true, "Donor/Desynced", ALL, ""), synced("b", ALL));
        say(new GaleraAnswer("a", "a", "10", true, "Donor/Desynced", ALL, ""), synced("b", ALL));
        say(synced("a", ALL), synced("b", ALL), synced("c", ALL));

        assertThat(events)
                .containsExactly(
                        "1 c NOTE",
                        "1 c NODE_DOWN",
                        "1 c FAILURE_HANDLED",
                        "2 c PROCESS_STARTED",
                        "3 c SYNCHRONISE_STARTED",
                        "5 c RECOVERED");
    }

    /** It has never answered since it was started. */
    @Test
    void aNodeThatDiesWhileItGetsAllDataBeginsAgain() {
        say(synced("a", ALL), synced("b", ALL), synced("c", ALL));
        say(synced("a", TWO), synced("b", TWO));
        say(synced("a", ALL), synced("b", ALL));
        say(new GaleraAnswer("a", "a", "10", true, "Donor/Desynced", ALL, ""), synced("b", ALL));
        say(synced("a", TWO), synced("b", TWO));
        say(synced("a", TWO), synced("b", TWO));
        say(synced("a", TWO), synced("b", TWO));

        assertThat(events)
                .containsExactly(
                        "2 c NOTE",
                        "2 c NODE_DOWN",
                        "2 c FAILURE_HANDLED",
                        "3 c PROCESS_STARTED",
                        "4 c SYNCHRONISE_STARTED",
                        "5 c NODE_DOWN",
                        "5 c FAILURE_HANDLED");
    }

    @Test
    void oneLostQuestionIsNoWordOfTheGroup() {
        say(synced("a", ALL), synced("b", ALL));
        say(synced("a", ALL), synced("b", ALL), synced("c", ALL));
        say(synced("a", ALL), synced("b", ALL));
        say(synced("a", ALL), synced("b", ALL));
        say(synced("a", ALL), synced("b", ALL));

        assertThat(events).containsExactly("1 c NOTE", "3 c NOTE", "3 c NODE_DOWN");
    }

    /** It serves, and refuses what it is asked about the others. */
    @Test
    void aNodeThatHasOnlyJustJoinedSaysNothingOfTheOthers() {
        GaleraAnswer joined = new GaleraAnswer("c", "c", "10", true, "Joined", Set.of(), NOT_YET);
        say(synced("a", ALL), joined);

        assertThat(events).as("b did not answer once").containsExactly("1 b NOTE");
        assertThat(GaleraState.of(List.of(synced("a", ALL), synced("b", ALL), joined))
                        .recovered("b"))
                .isTrue();
    }

    @Test
    void aNodeThatLostTheMajorityIsDown() {
        say(synced("a", TWO), synced("b", TWO), saying("c", "Initialized"));

        assertThat(events).startsWith("1 c NODE_DOWN", "1 c FAILURE_HANDLED");
    }

    @Test
    void aDeadNodeHasNotStartedWhenTheOthersLoseTheMajority() {
        say(synced("a", TWO), synced("b", TWO));
        say(saying("a", "Initialized"));
        say(synced("a", ALL), synced("b", ALL), saying("c", "Joining: receiving State Transfer"));

        assertThat(events)
                .containsExactly(
                        "1 c NOTE",
                        "1 c NODE_DOWN",
                        "1 c FAILURE_HANDLED",
                        "2 b NOTE",
                        "3 c PROCESS_STARTED",
                        "3 c SYNCHRONISE_STARTED");
    }

    @Test
    void whenAllAreLostNobodyIsLeftToHandleIt() {
        say(synced("a", ALL), synced("b", ALL), synced("c", ALL));
        now++;
        history.takeNothing(
                now * 1_000_000_000,
                Instant.EPOCH.plusSeconds(now),
                event -> events.add(event.atNanos() / 1_000_000_000 + " " + event.node() + " " + event.signal()));
        say(saying("b", "Joining: receiving State Transfer"));
        say(synced("a", Set.of("a")), saying("b", "Joining: receiving State Transfer"));
        say(synced("a", TWO), synced("b", TWO));

        assertThat(events)
                .containsExactly(
                        "2 a NODE_DOWN",
                        "2 b NODE_DOWN",
                        "2 c NODE_DOWN",
                        "3 b PROCESS_STARTED",
                        "3 b SYNCHRONISE_STARTED",
                        "4 a PROCESS_STARTED",
                        "4 a RECOVERED",
                        "5 b RECOVERED");
    }

    @Test
    void aFailureThatNobodyIsLeftToHandleIsSaidToBeOne() {
        say(synced("a", ALL), synced("b", ALL), synced("c", ALL));
        say(synced("a", ALL));
        say(saying("a", "Initialized"));
        say(saying("a", "Initialized"));
        say(saying("a", "Initialized"));
        say(saying("a", "Initialized"));
        say(synced("a", Set.of("a")));

        assertThat(events)
                .containsExactly(
                        "2 b NOTE",
                        "2 c NOTE",
                        "2 b NODE_DOWN",
                        "2 c NODE_DOWN",
                        "5 b UNHANDLED",
                        "5 c UNHANDLED",
                        "7 b FAILURE_HANDLED",
                        "7 c FAILURE_HANDLED");
    }

    @Test
    void whatTheClientPrintsIsRead() throws IOException {
        String output = "wsrep_cluster_status\tPrimary\nwsrep_local_state_comment\tSynced\nwsrep_node_name\tdb1\n"
                + "version\t10.11.19-MariaDB\nmember\tdb1\nmember\tdb2\n";
        assertThat(GaleraAnswer.parse("db1", output))
                .isEqualTo(
                        new GaleraAnswer("db1", "db1", "10.11.19-MariaDB", true, "Synced", Set.of("db1", "db2"), ""));
        assertThat(GaleraAnswer.parse("db1", output.replace("Primary", "non-Primary"))
                        .members())
                .as("what it saw last is no view of the group")
                .isEmpty();
        GaleraAnswer refused = GaleraAnswer.parse("db1", output.replaceAll("member.*\\n", "") + NOT_YET + "\n");
        assertThat(refused.saysMembers()).isFalse();
        assertThat(refused.problem()).isEqualTo(NOT_YET);
        assertThatThrownBy(() -> GaleraAnswer.parse("db1", "ERROR 2002 (HY000): Can't connect\n"))
                .hasMessage("ERROR 2002 (HY000): Can't connect");
        assertThatThrownBy(() -> GaleraAnswer.parse("db1", "")).hasMessage("it printed nothing");
    }
}

package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.kit.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Processes and answers of nodes on other hosts become events: {@code 30 node1 NODE_DOWN}. */
class AnsweredHistoryTest {
    private static final List<String> NODES = List.of("node1", "node2", "node3");
    private static final String ROLES = EngineFileTest.whole("", "")
            .replace(
                    EngineFileTest.PROBE,
                    "{tcp: 'a:1', recovered: 'link:up', primary: 'role:primary', position: 'at:(\\d+)'}");
    private static final String REPLICA = "link:up at:5 ";
    private static final String PRIMARY = "role:primary at:5 ";
    private static final String BROKEN = "link:down at:5 ";

    private final List<String> events = new ArrayList<>();
    private AnsweredHistory history;

    private static Moment at(long nanos) {
        return new Moment(nanos, Instant.EPOCH.plusNanos(nanos));
    }

    /** All are up before 12, and have answered so. */
    private void up(String file, Map<String, String> answers) {
        history = new AnsweredHistory(
                EngineFileReader.read("f", file),
                NODES,
                event -> events.add(event.atNanos() + " " + event.node() + " " + event.signal()));
        NODES.forEach(id -> {
            history.known(id, true);
            history.processSeen(id, "1", at(1), true);
        });
        for (int asked = 2; asked < 12; asked += 2) {
            int now = asked;
            new LinkedHashMap<>(answers).forEach((id, answer) -> history.answered(id, answer, now, at(now + 1)));
        }
        events.clear();
    }

    private void upWithPrimary(String primary) {
        Map<String, String> answers = new LinkedHashMap<>();
        NODES.forEach(id -> answers.put(id, id.equals(primary) ? PRIMARY : REPLICA));
        up(ROLES, answers);
    }

    private void ask(String node, String answer, long asked) {
        history.answered(node, answer, asked, at(asked + 1));
    }

    private String primary(long now) {
        return history.primaryAt(now).orElse("nobody");
    }

    @Test
    void whoAnswersAsThePrimaryIsPrimaryAndNotTheFirstNode() {
        upWithPrimary("node2");

        assertThat(primary(10)).isEqualTo("node2");
        assertThat(NODES).allMatch(history::recovered);
    }

    @Test
    void anAnswerOfLongAgoDoesNotSayWhoIsPrimaryNow() {
        upWithPrimary("node2");

        assertThat(primary(10 + AnsweredHistory.FRESH_NANOS)).isEqualTo("nobody");
        ask("node2", PRIMARY, 10 + AnsweredHistory.FRESH_NANOS);
        assertThat(primary(10 + AnsweredHistory.FRESH_NANOS)).isEqualTo("node2");
        history.unanswered("node2", 20);
        assertThat(primary(21)).isEqualTo("nobody");
    }

    @Test
    void ofTwoThatAnswerSoNobodyIsPrimaryUntilOneIsLeft() {
        up(ROLES, Map.of("node1", PRIMARY, "node2", PRIMARY, "node3", REPLICA));
        assertThat(primary(10)).isEqualTo("nobody");

        ask("node1", REPLICA, 20);
        ask("node2", PRIMARY, 22);

        assertThat(primary(23)).isEqualTo("node2");
    }

    /** A primary that hangs may be one still, and one that starts again may say that it is one. */
    @Test
    void whileANodeDoesNotAnswerNobodyWhoWasNotWellIsBelieved() {
        upWithPrimary("node1");
        history.processEnded("node2", "1", at(20));
        history.processSeen("node2", "2", at(30), false);

        history.unanswered("node1", 40);
        ask("node2", PRIMARY, 41);

        assertThat(primary(42)).isEqualTo("nobody");
        ask("node1", PRIMARY, 50);
        assertThat(primary(51)).isEqualTo("node1");
        assertThat(events).noneMatch(event -> event.contains("NOTE"));
    }

    /** The primary's host answered later than the node was back: the failure was handled when it ended, and not when it started. */
    @Test
    void theFailureOfAReplicaThatIsStartedAtOnceWasHandledBeforeItsStart() {
        upWithPrimary("node1");

        history.processEnded("node3", "1", at(20));
        history.processSeen("node3", "2", at(25), false);
        ask("node1", PRIMARY, 30);

        assertThat(events)
                .containsExactly("20 node3 NODE_DOWN", "25 node3 PROCESS_STARTED", "20 node3 FAILURE_HANDLED");
    }

    /** A former primary that starts again says that it is one. */
    @Test
    void aNodeThatServesTakesOverByItsAnswerAndOneThatComesBackDoesNot() {
        upWithPrimary("node1");

        history.processEnded("node1", "1", at(20));
        ask("node2", PRIMARY, 30);
        history.processSeen("node1", "2", at(40), false);
        ask("node1", PRIMARY, 41);

        assertThat(primary(42)).isEqualTo("node2");
        assertThat(history.recovered("node1")).isFalse();
        assertThat(events)
                .containsExactly(
                        "20 node1 NODE_DOWN", "31 node2 NOTE", "31 node1 FAILURE_HANDLED", "40 node1 PROCESS_STARTED");
    }

    /** Hosts are asked for processes and nodes for answers at different times: the new primary may be known before the old one's end. */
    @Test
    void theFailureOfThePrimaryIsNotHandledBeforeAnotherOneWasPrimary() {
        upWithPrimary("node1");

        ask("node2", PRIMARY, 1000);
        history.processEnded("node1", "1", at(400));
        assertThat(history.failureOpen("node1")).isTrue();
        ask("node2", PRIMARY, 1500);

        assertThat(events).containsExactly("1001 node2 NOTE", "400 node1 NODE_DOWN", "1001 node1 FAILURE_HANDLED");
    }

    @Test
    void theFailureOfAReplicaIsHandledAtItsEndWhenThePrimarySaysAfterItThatItIsOne() {
        upWithPrimary("node1");

        history.processEnded("node2", "1", at(20));
        ask("node1", PRIMARY, 15);
        assertThat(history.failureOpen("node2")).as("that was asked before").isTrue();
        assertThat(history.wanted("node3")).isTrue();
        ask("node3", REPLICA, 25);
        assertThat(history.failureOpen("node2")).isTrue();
        ask("node1", PRIMARY, 30);

        assertThat(events).containsExactly("20 node2 NODE_DOWN", "20 node2 FAILURE_HANDLED");
    }

    @Test
    void aPrimaryThatStartsAgainBeforeAnybodyTookOverGoesOnAsOne() {
        upWithPrimary("node1");

        history.processEnded("node1", "1", at(20));
        history.processEnded("node3", "1", at(21));
        history.processSeen("node1", "2", at(30), false);
        ask("node1", PRIMARY, 19);
        assertThat(primary(31)).as("that was the other process").isEqualTo("nobody");
        ask("node1", PRIMARY, 31);
        assertThat(primary(32)).as("node2 was not asked since").isEqualTo("nobody");
        assertThat(history.recovered("node1")).isFalse();
        ask("node2", REPLICA, 33);
        ask("node1", PRIMARY, 35);

        assertThat(primary(36)).isEqualTo("node1");
        assertThat(events)
                .containsExactly(
                        "20 node1 NODE_DOWN",
                        "21 node3 NODE_DOWN",
                        "30 node1 PROCESS_STARTED",
                        "36 node1 NOTE",
                        "36 node1 RECOVERED",
                        "36 node3 FAILURE_HANDLED");
    }

    /** Its replicas may copy all its data for minutes. */
    @Test
    void aPrimaryThatStartsAgainIsBelievedWhenTheOthersSayTwiceThatTheyAreNone() {
        upWithPrimary("node1");
        history.processEnded("node1", "1", at(20));
        history.processSeen("node1", "2", at(30), false);

        ask("node2", BROKEN, 29);
        ask("node2", BROKEN, 31);
        ask("node3", REPLICA, 32);
        ask("node1", PRIMARY, 33);
        assertThat(primary(34)).isEqualTo("nobody");
        ask("node2", BROKEN, 35);
        ask("node1", PRIMARY, 37);

        assertThat(primary(38)).isEqualTo("node1");
        assertThat(history.recovered("node1")).isTrue();
    }

    /** Its data is about to be thrown away. */
    @Test
    void aFormerPrimaryThatStartsAgainAfterAnotherTookOverIsNotBelieved() {
        upWithPrimary("node1");

        history.processEnded("node1", "1", at(20));
        history.processSeen("node1", "2", at(30), false);
        ask("node1", PRIMARY, 31);
        ask("node2", PRIMARY, 29); // it was held
        ask("node1", PRIMARY, 33);
        ask("node2", PRIMARY, 35);

        assertThat(primary(36)).isEqualTo("node2");
        assertThat(history.recovered("node1")).isFalse();
        assertThat(events).contains("30 node1 FAILURE_HANDLED");
    }

    @Test
    void whileAHostIsUnknownNobodyWhoWasNotWellIsBelievedAndSomebodyMayBeLeft() {
        upWithPrimary("node1");
        history.processEnded("node3", "1", at(20));
        history.known("node3", false);
        history.processEnded("node1", "1", at(21));
        history.processSeen("node1", "2", at(30), false);
        ask("node2", REPLICA, 33);
        ask("node1", PRIMARY, 35);
        assertThat(primary(36)).isEqualTo("nobody");

        history.processEnded("node1", "2", at(40));
        history.processEnded("node2", "1", at(41));

        assertThat(events).noneMatch(event -> event.contains("UNHANDLED"));
    }

    @Test
    void theAnswerOfAProcessThatHasEndedSinceIsNobodys() {
        upWithPrimary("node1");

        history.processEnded("node1", "1", at(20));
        ask("node1", PRIMARY, 21);
        history.processSeen("node1", "2", at(30), false);

        assertThat(primary(31)).isEqualTo("nobody");
    }

    @Test
    void aPausedPrimaryIsOutWhenAnotherOneIsPrimaryAndThreeQuestionsWereNotAnswered() {
        upWithPrimary("node1");

        history.unanswered("node1", 20);
        history.unanswered("node1", 21);
        history.unanswered("node1", 22);
        history.unanswered("node1", 23);
        assertThat(events).as("a node that does not answer is not down").isEmpty();
        ask("node2", PRIMARY, 30);
        history.unanswered("node1", 32);
        assertThat(history.dropped("node1")).isTrue();
        ask("node1", REPLICA, 40);
        ask("node2", PRIMARY, 42);
        ask("node1", REPLICA, 44);

        assertThat(events)
                .containsExactly(
                        "31 node2 NOTE", "31 node1 NODE_DOWN", "31 node1 FAILURE_HANDLED", "45 node1 RECOVERED");
    }

    @Test
    void aPrimaryThatHandsOverAndIsLateOnceIsNotDown() {
        upWithPrimary("node1");

        ask("node2", PRIMARY, 20);
        history.unanswered("node1", 22);
        ask("node1", REPLICA, 30);

        assertThat(history.recovered("node1")).isTrue();
        assertThat(events).containsExactly("21 node2 NOTE", "21 node1 NOTE");
    }

    /** It says so for a moment after it was resumed. */
    @Test
    void aFormerPrimaryThatIsDoubtedDoesNotTakeItBack() {
        upWithPrimary("node1");
        history.unanswered("node1", 15);

        ask("node2", PRIMARY, 20);
        ask("node1", PRIMARY, 25);

        assertThat(primary(26)).isEqualTo("node2");
        assertThat(history.recovered("node2")).isTrue();
    }

    /** Of an answer only the beginning may have come in time, and a replica is connected in a moment. */
    @Test
    void aFormerPrimaryIsOutByThreeAnswersInARowThatAreNotAReplicas() {
        upWithPrimary("node1");

        ask("node2", PRIMARY, 20);
        ask("node1", "", 30);
        ask("node1", BROKEN, 32);
        assertThat(history.dropped("node1")).isFalse();
        ask("node1", BROKEN, 34);

        assertThat(history.dropped("node1")).isTrue();
        assertThat(events).containsExactly("21 node2 NOTE", "21 node1 NODE_DOWN", "21 node1 FAILURE_HANDLED");
    }

    @Test
    void whatANodeMustHaveIsWhatThePrimaryHadAfterIt() {
        upWithPrimary("node1");
        history.processEnded("node2", "1", at(20));
        history.processSeen("node2", "2", at(30), false);

        ask("node2", "link:up at:7 ", 40);
        ask("node1", "role:primary at:9 ", 50);
        ask("node2", "link:up at:8 ", 60);
        assertThat(history.recovered("node2")).isFalse();
        ask("node2", "link:up at:9 ", 70);

        assertThat(events)
                .containsExactly(
                        "20 node2 NODE_DOWN",
                        "30 node2 PROCESS_STARTED",
                        "20 node2 FAILURE_HANDLED",
                        "71 node2 RECOVERED");
    }

    /** Of a file whose probe does not say who is primary, be it by logs or by nothing. */
    @Test
    void withoutRolesAFailureIsHandledWhenAnotherNodeIsWellThatIsAskedAfterIt() {
        String file = EngineFileTest.whole(
                "primary: node1",
                "log: {time: '(x)', format: 'yyyy-MM-dd HH:mm:ss', lines: [{has: x, means: primary}]}");
        up(file, Map.of("node1", "PONG", "node2", "PONG", "node3", "PONG"));
        assertThat(primary(10)).isEqualTo("nobody");
        assertThat(history.wanted("node2")).as("all are well").isFalse();

        history.processEnded("node1", "1", at(20));
        assertThat(history.wanted("node2")).isTrue();
        ask("node2", "PONG", 15);
        ask("node2", BROKEN, 25);
        assertThat(history.failureOpen("node1")).isTrue();
        ask("node3", "PONG", 30);

        assertThat(events).containsExactly("20 node1 NODE_DOWN", "31 node1 FAILURE_HANDLED");
    }

    @Test
    void withNobodyLeftTheFailureIsUnhandled() {
        upWithPrimary("node1");
        history.processEnded("node1", "1", at(20));
        history.processEnded("node2", "1", at(21));
        history.processEnded("node3", "1", at(22));

        assertThat(events).contains("22 node1 UNHANDLED", "22 node2 UNHANDLED", "22 node3 UNHANDLED");
    }
}

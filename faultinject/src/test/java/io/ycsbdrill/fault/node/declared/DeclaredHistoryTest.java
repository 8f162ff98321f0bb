package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.declared.LogLines.Meaning;
import io.ycsbdrill.fault.node.kit.Moment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Processes, lines and answers become events: {@code 30 node1 NODE_DOWN}. */
class DeclaredHistoryTest {
    private static final String FILE = EngineFileTest.whole(
            "primary: node1\nhelpers: {name: aide, count: 1, ports: [p], command: [server], probe: {tcp: 'a:1', recovered: x}}",
            "");
    private static final String POSITIONS = FILE.replace(
            EngineFileTest.PROBE, "{tcp: 'a:1', recovered: 'link:up', primary: 'role:primary', position: 'at:(\\d+)'}");

    private final List<String> events = new ArrayList<>();
    private DeclaredHistory history;

    @BeforeEach
    void threeNodesAndAHelperAreUp() {
        history = up(FILE, "PONG");
    }

    private DeclaredHistory up(String file, String answer) {
        DeclaredHistory made = new DeclaredHistory(
                EngineFileReader.read("f", file),
                List.of("node1", "node2", "node3", "aide1"),
                event -> events.add(event.atNanos() + " " + event.node() + " " + event.signal()));
        for (String id : List.of("node1", "node2", "node3", "aide1")) {
            made.processSeen(id, "1", at(1), false);
        }
        made.answered("node1", answer, 2, at(3));
        made.answered("node2", answer, 2, at(3));
        made.answered("node3", answer, 2, at(3));
        made.answered("aide1", "x", 2, at(3));
        events.clear();
        return made;
    }

    private static Moment at(long nanos) {
        return new Moment(nanos, Instant.EPOCH.plusNanos(nanos));
    }

    @Test
    void failureOfThePrimaryIsHandledWhenAnotherOneIsPrimary() {
        history.processEnded("node1", "1", at(10));
        assertThat(history.failureOpen("node1")).isTrue();
        assertThat(history.coordinator()).isEmpty();
        history.reported("node3", Meaning.PRIMARY, "took over", at(20));
        history.processSeen("node1", "2", at(30), false);
        history.reported("node1", Meaning.SYNCHRONISE, "copies", at(40));
        history.answered("node1", "PONG", 45, at(50));

        assertThat(history.coordinator()).contains("node3");
        assertThat(events)
                .containsExactly(
                        "10 node1 NODE_DOWN",
                        "20 node3 NOTE",
                        "20 node1 FAILURE_HANDLED",
                        "30 node1 PROCESS_STARTED",
                        "40 node1 SYNCHRONISE_STARTED",
                        "50 node1 RECOVERED");
    }

    @Test
    void nobodyWaitsForAnotherNodeOrAHelper() {
        history.processEnded("node2", "1", at(10));
        history.processEnded("aide1", "1", at(20));

        assertThat(history.failureOpen("node2")).isFalse();
        assertThat(events)
                .containsExactly(
                        "10 node2 NODE_DOWN",
                        "10 node2 FAILURE_HANDLED",
                        "20 aide1 NODE_DOWN",
                        "20 aide1 FAILURE_HANDLED");
    }

    @Test
    void withNobodyLeftTheFailureIsUnhandled() {
        history.processEnded("node1", "1", at(10));
        history.processEnded("node2", "1", at(11));
        history.processEnded("node3", "1", at(12));

        assertThat(events).contains("12 node1 UNHANDLED", "12 node3 UNHANDLED");
        assertThat(history.failureOpen("node1")).isFalse();
    }

    @Test
    void aPausedPrimaryIsOutWhenAnotherOneIsPrimaryAndAnOldAnswerDoesNotBringItBack() {
        history.reported("node2", Meaning.PRIMARY, "took over", at(20));
        assertThat(history.wanted("node1")).isTrue();
        history.unanswered("node1", 15);
        assertThat(history.dropped("node1")).as("it was asked before").isFalse();
        history.unanswered("node1", 22);
        assertThat(history.dropped("node1")).isTrue();
        history.answered("node1", "PONG", 15, at(30));
        assertThat(history.recovered("node1")).isFalse();
        history.answered("node1", "PONG", 25, at(40));

        assertThat(events)
                .containsExactly(
                        "20 node2 NOTE", "20 node1 NODE_DOWN", "20 node1 FAILURE_HANDLED", "40 node1 RECOVERED");
    }

    @Test
    void aPrimaryThatHandsOverAndIsWellIsNotDown() {
        history.reported("node2", Meaning.PRIMARY, "was asked to", at(20));
        history.answered("node1", "PONG", 25, at(30));
        history.unanswered("node1", 35);

        assertThat(history.recovered("node1")).isTrue();
        assertThat(history.wanted("node1")).isFalse();
        assertThat(events).containsExactly("20 node2 NOTE", "20 node1 NOTE");
    }

    @Test
    void whereNoneIsPrimaryTheOthersGoOnAtOnce() {
        history = up(FILE.replace("primary: node1\n", ""), "PONG");
        history.processEnded("node1", "1", at(10));
        assertThat(history.failureOpen("node1")).isFalse();
        history.processEnded("node2", "1", at(11));
        history.processEnded("node3", "1", at(12));

        assertThat(events)
                .containsExactly(
                        "10 node1 NODE_DOWN",
                        "10 node1 FAILURE_HANDLED",
                        "11 node2 NODE_DOWN",
                        "11 node2 FAILURE_HANDLED",
                        "12 node3 NODE_DOWN",
                        "12 node3 UNHANDLED");
    }

    @Test
    void whatANodeMustHaveIsAskedOfTheNewPrimary() {
        history = up(POSITIONS, "link:up at:5 ");
        history.answered("node1", "role:primary at:90 ", 4, at(5));
        history.answered("node3", "link:up at:90 ", 6, at(7));
        events.clear();
        assertThat(history.recovered("node3")).isTrue();

        history.processEnded("node1", "1", at(10));
        history.reported("node3", Meaning.PRIMARY, "took over", at(20));
        history.answered("node2", "link:up at:91 ", 25, at(26));

        assertThat(history.recovered("node2")).as("that was of the former one").isFalse();
    }

    /** It follows the new one for a moment, and would seem to have recovered before it has stopped. */
    @Test
    void aPrimaryThatHandsOverBeforeItStopsIsDownWhenItHasStopped() {
        history.stopping("node1");
        history.reported("node2", Meaning.PRIMARY, "took over", at(20));
        history.reported("node1", Meaning.SYNCHRONISE, "follows", at(21));
        history.answered("node1", "PONG", 22, at(23));
        history.processEnded("node1", "1", at(30));

        assertThat(events).containsExactly("20 node2 NOTE", "30 node1 NODE_DOWN", "30 node1 FAILURE_HANDLED");
    }

    @Test
    void aPrimaryThatIsCutOffAndStepsDownByItselfIsOutAllTheSame() {
        history.reported("node1", Meaning.NOT_PRIMARY, "no quorum", at(15));
        assertThat(history.coordinator()).isEmpty();
        history.reported("node2", Meaning.PRIMARY, "took over", at(20));
        history.answered("node1", "no quorum", 21, at(22));

        assertThat(history.coordinator()).contains("node2");
        assertThat(history.dropped("node1")).isTrue();
        assertThat(events)
                .containsExactly("15 node1 NOTE", "20 node2 NOTE", "20 node1 NODE_DOWN", "20 node1 FAILURE_HANDLED");
    }

    @Test
    void aFormerPrimaryThatStillThinksItIsOneHasNotRecovered() {
        history = up(POSITIONS, "link:up at:5 ");
        history.answered("node1", "role:primary at:5 ", 4, at(5));
        history.answered("node2", "link:up at:5 ", 6, at(7));
        history.answered("node3", "link:up at:5 ", 6, at(7));
        assertThat(history.recovered("node2")).isTrue();
        events.clear();

        history.processEnded("node1", "1", at(10));
        history.reported("node2", Meaning.PRIMARY, "took over", at(20));
        history.processSeen("node1", "2", at(30), false);
        history.answered("node1", "role:primary at:9 ", 35, at(36));
        assertThat(history.recovered("node1")).isFalse();

        history.answered("node1", "link:up at:7 ", 40, at(41));
        history.answered("node2", "role:primary at:8 ", 39, at(42));
        assertThat(history.recovered("node1"))
                .as("nobody has said since what it must have")
                .isFalse();
        history.answered("node2", "role:primary at:8 ", 43, at(44));
        history.answered("node1", "link:up at:7 ", 45, at(46));
        assertThat(history.recovered("node1")).as("it lags behind").isFalse();
        history.answered("node1", "link:up at:8 ", 47, at(48));

        assertThat(events).endsWith("30 node1 PROCESS_STARTED", "48 node1 RECOVERED");
    }

    @Test
    void anEventIsNeverBeforeTheOneBeforeIt() {
        history.processEnded("node2", "1", at(10));
        history.processSeen("node2", "2", at(30), false);
        history.reported("node2", Meaning.SYNCHRONISE, "written before its process was seen", at(25));

        assertThat(events).endsWith("30 node2 PROCESS_STARTED", "30 node2 SYNCHRONISE_STARTED");
    }
}

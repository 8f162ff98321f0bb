package io.ycsbdrill.fault.recovery;

import static io.ycsbdrill.fault.recovery.Observation.Kind.DOWN;
import static io.ycsbdrill.fault.recovery.Observation.Kind.HANDLED;
import static io.ycsbdrill.fault.recovery.Observation.Kind.PROCESS;
import static io.ycsbdrill.fault.recovery.Observation.Kind.RECOVERED;
import static io.ycsbdrill.fault.recovery.Observation.Kind.RELEASED;
import static io.ycsbdrill.fault.recovery.Observation.Kind.SYNCHRONISE;
import static io.ycsbdrill.fault.recovery.Observation.Kind.WAIT_CHECKPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Occurrence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecoveryTrackerTest {
    private static final Occurrence RESTART = new Occurrence("restart", 1, "restart", "R");

    private final RecoveryTracker tracker = new RecoveryTracker();

    private static Observation fault(long at, String node) {
        return new Observation(at, node, Observation.Kind.FAULT, Optional.of(RESTART));
    }

    private static Observation see(long at, Observation.Kind kind) {
        return Observation.seen(at, "n1", kind);
    }

    private List<String> spans(Observation... observations) {
        for (Observation o : observations) {
            tracker.observe(o);
        }
        return spans();
    }

    private List<String> spans() {
        return tracker.recoveries().stream()
                .flatMap(r -> r.spans().stream())
                .map(s -> s.phase().label() + " " + s.startNanos()
                        + (s.endNanos().isPresent() ? "-" + s.endNanos().getAsLong() : ""))
                .toList();
    }

    private static List<Observation> whole() {
        return List.of(
                fault(100, "n1"),
                see(110, DOWN),
                see(150, HANDLED),
                see(200, PROCESS),
                see(300, SYNCHRONISE),
                see(400, WAIT_CHECKPOINT),
                see(500, RECOVERED));
    }

    private static final List<String> WHOLE = List.of(
            "fault 100-110",
            "failure-handling 110-150",
            "down 150-200",
            "local-recovery 200-300",
            "synchronise 300-400",
            "wait-checkpoint 400-500",
            "recovered 500");

    @Test
    void aRecoveryGoesThroughAllPhasesWithoutGap() {
        assertThat(spans(whole().toArray(Observation[]::new))).isEqualTo(WHOLE);
    }

    @Test
    void theOrderOfArrivalDoesNotMatter() {
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            List<Observation> shuffled = new ArrayList<>(whole());
            Collections.shuffle(shuffled, random);
            RecoveryTracker t = new RecoveryTracker();
            // An event dated before its fault but arriving after it is taken to be of the fault's time: keep the fault
            // first.
            shuffled.remove(whole().get(0));
            t.observe(whole().get(0));
            shuffled.forEach(t::observe);

            assertThat(t.recoveries()).singleElement().satisfies(r -> assertThat(
                            r.spans().stream().map(s -> s.phase().label() + " " + s.startNanos()))
                    .isEqualTo(WHOLE.stream()
                            .map(s -> s.replaceFirst("-\\d+$", ""))
                            .toList()));
        }
    }

    @Test
    void aPhaseThatTheEngineDoesNotHaveIsAbsent() {
        assertThat(spans(fault(100, "n1"), see(110, DOWN), see(200, PROCESS), see(500, RECOVERED)))
                .containsExactly(
                        "fault 100-110", "failure-handling 110-200", "local-recovery 200-500", "recovered 500");
    }

    @Test
    void reportsOfSeveralSurvivorsAreOneFailure() {
        assertThat(spans(
                        fault(100, "n1"),
                        see(110, DOWN),
                        see(111, DOWN),
                        see(150, HANDLED),
                        see(151, DOWN),
                        see(152, HANDLED)))
                .containsExactly("fault 100-110", "failure-handling 110-150", "down 150");
    }

    @Test
    void aNodeThatDiesAgainWhileRecoveringStartsOver() {
        assertThat(spans(
                        fault(100, "n1"),
                        see(110, DOWN),
                        see(150, HANDLED),
                        see(200, PROCESS),
                        see(300, SYNCHRONISE),
                        see(350, DOWN),
                        see(360, HANDLED),
                        see(400, PROCESS),
                        see(450, RECOVERED)))
                .containsExactly(
                        "fault 100-110",
                        "failure-handling 110-150",
                        "down 150-200",
                        "local-recovery 200-300",
                        "synchronise 300-350",
                        "failure-handling 350-360",
                        "down 360-400",
                        "local-recovery 400-450",
                        "recovered 450");
        assertThat(tracker.latest("n1").orElseThrow().reachedNanos(Phase.LOCAL_RECOVERY))
                .as("the last time counts")
                .hasValue(400);
    }

    @Test
    void aSecondFaultOnTheSameNodeEndsTheFirstRecoveryUnfinished() {
        Occurrence second = new Occurrence("kill", 1, "kill", "kill");

        tracker.observe(fault(100, "n1"));
        tracker.observe(see(110, DOWN));
        tracker.observe(see(200, PROCESS));
        tracker.observe(new Observation(250, "n1", Observation.Kind.FAULT, Optional.of(second)));

        assertThat(spans())
                .containsExactly("fault 100-110", "failure-handling 110-200", "local-recovery 200-250", "fault 250");
        assertThat(tracker.active()).singleElement().satisfies(r -> assertThat(r.of())
                .isEqualTo(second));
        assertThat(tracker.recoveries().get(0).recoveredNanos()).isEmpty();
    }

    @Test
    void thePhaseOfTheClusterIsThatOfTheNodeFarthestFromRecovered() {
        assertThat(tracker.phase()).isEqualTo(Phase.STEADY);
        spans(fault(100, "n1"), see(110, DOWN), see(150, HANDLED), see(200, PROCESS), see(300, SYNCHRONISE));
        assertThat(tracker.phase()).isEqualTo(Phase.SYNCHRONISE);
        tracker.observe(fault(310, "n2"));
        tracker.observe(Observation.seen(320, "n2", DOWN));
        assertThat(tracker.phase()).isEqualTo(Phase.FAILURE_HANDLING);
        tracker.observe(see(400, RECOVERED));
        assertThat(tracker.phase()).isEqualTo(Phase.FAILURE_HANDLING);
        tracker.observe(Observation.seen(410, "n2", PROCESS));
        tracker.observe(Observation.seen(420, "n2", RECOVERED));
        assertThat(tracker.phase()).isEqualTo(Phase.RECOVERED);
    }

    @Test
    void aFailureThatNobodyInjectedIsUnplanned() {
        assertThat(spans(see(100, DOWN), see(120, HANDLED))).containsExactly("failure-handling 100-120", "down 120");
        assertThat(tracker.recoveries().get(0).of()).isEqualTo(Occurrence.UNPLANNED);
    }

    @Test
    void aNodeThrownOutAfterAPauseWasNotRecovered() {
        assertThat(spans(
                        fault(100, "n1"),
                        see(200, RELEASED),
                        see(250, DOWN),
                        see(260, HANDLED),
                        see(300, PROCESS),
                        see(400, RECOVERED)))
                .containsExactly(
                        "fault 100-250",
                        "failure-handling 250-260",
                        "down 260-300",
                        "local-recovery 300-400",
                        "recovered 400");
    }

    @Test
    void aFailureLongAfterAPauseHasAnotherCause() {
        long later = 200 + NodeHistory.EJECTION_NANOS + 1;

        spans(fault(100, "n1"), see(200, RELEASED), see(later, DOWN));

        assertThat(tracker.recoveries()).hasSize(2).last().satisfies(r -> assertThat(r.of())
                .isEqualTo(Occurrence.UNPLANNED));
    }

    @Test
    void aNodeDeclaredDeadWhilePausedRecoversWhenTheEngineSaysSo() {
        assertThat(spans(
                        fault(100, "n1"),
                        see(150, DOWN),
                        see(160, HANDLED),
                        see(170, RECOVERED),
                        see(200, RELEASED),
                        see(250, RECOVERED)))
                .as("before it was resumed it cannot be whole")
                .containsExactly("fault 100-150", "failure-handling 150-160", "down 160-250", "recovered 250");
    }

    @Test
    void anEngineClockALittleOffDoesNotPutTheDeathBeforeItsFault() {
        assertThat(spans(fault(2_000_000_000L, "n1"), see(1_999_000_000L, DOWN), see(2_100_000_000L, HANDLED)))
                .containsExactly(
                        "fault 2000000000-2000000000", "failure-handling 2000000000-2100000000", "down 2100000000");
    }

    @Test
    void signsOfLifeWithoutAFailureMeanNothing() {
        assertThat(spans(see(1, PROCESS), see(2, SYNCHRONISE), see(3, RECOVERED), see(4, HANDLED)))
                .isEmpty();
    }

    @Test
    void theTableHasNoEndForWhatIsOpenAndNoZeroForWhatIsAbsent() {
        spans(fault(1_000_000_000L, "n1"), see(1_500_000_001L, DOWN));

        assertThat(PhaseTable.csv(tracker.recoveries())).isEqualTo("""
                        step,occurrence,fault,node,phase,stage,start_s,end_s,duration_s
                        restart,1,restart,n1,fault,,1.000000000,1.500000001,0.500000001
                        restart,1,restart,n1,failure-handling,,1.500000001,,
                        """);
    }

    @Test
    void aPhaseThatIsDatedBackIsCorrectedButNotToldTwice() {
        tracker.observe(fault(100, "n1"));
        assertThat(tracker.observe(see(130, DOWN))).hasSize(1);
        assertThat(tracker.observe(see(120, DOWN))).isEmpty();

        assertThat(spans()).containsExactly("fault 100-120", "failure-handling 120");
    }

    @Test
    void aRecoveryThatWasToldTooEarlyIsToldAgainWhenItIsTrue() {
        tracker.observe(fault(100, "n1"));
        assertThat(tracker.observe(see(200, RELEASED))).hasSize(1);
        tracker.observe(see(250, DOWN));
        tracker.observe(see(300, PROCESS));

        assertThat(tracker.observe(see(400, RECOVERED))).singleElement().satisfies(p -> assertThat(p.atNanos())
                .isEqualTo(400));
    }
}

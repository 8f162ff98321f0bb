package io.ycsbdrill.fault.recovery;

import static io.ycsbdrill.base.Phase.DOWN;
import static io.ycsbdrill.base.Phase.FAILURE_HANDLING;
import static io.ycsbdrill.base.Phase.LOCAL_RECOVERY;
import static io.ycsbdrill.base.Phase.RECOVERED;
import static io.ycsbdrill.base.Phase.SYNCHRONISE;
import static io.ycsbdrill.base.Phase.WAIT_CHECKPOINT;
import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.marker.Occurrence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RecoveryTrackerTest {
    private static final Occurrence RESTART = new Occurrence("restart", 1, "restart", "R");
    private static final Occurrence DELAY = new Occurrence("slow", 1, "delay", "delay");
    private static final Occurrence THROTTLE = new Occurrence("thin", 1, "throttle", "throttle");
    private static final Occurrence PAUSE = new Occurrence("pause", 1, "pause", "pause");
    private static final Occurrence RESUME = new Occurrence("resume", 1, "resume", "resume");

    private final RecoveryTracker tracker = new RecoveryTracker();

    private static Observation fault(long at, String node) {
        return new Observation.Begun(at, node, RESTART, false);
    }

    private static Observation lasting(long at, Occurrence of) {
        return new Observation.Begun(at, "n1", of, true);
    }

    private static Observation see(long at, Phase sign) {
        return new Observation.Seen(at, "n1", sign);
    }

    private static Observation released(long at) {
        return released(at, RESTART);
    }

    private static Observation released(long at, Occurrence of) {
        return released(at, at, of);
    }

    private static Observation released(long requestedAt, long at, Occurrence of) {
        return new Observation.Released(requestedAt, at, "n1", of);
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
                see(110, FAILURE_HANDLING),
                see(150, DOWN),
                see(200, LOCAL_RECOVERY),
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
        assertThat(spans(fault(100, "n1"), see(110, FAILURE_HANDLING), see(200, LOCAL_RECOVERY), see(500, RECOVERED)))
                .containsExactly(
                        "fault 100-110", "failure-handling 110-200", "local-recovery 200-500", "recovered 500");
    }

    @Test
    void reportsOfSeveralSurvivorsAreOneFailure() {
        assertThat(spans(
                        fault(100, "n1"),
                        see(110, FAILURE_HANDLING),
                        see(111, FAILURE_HANDLING),
                        see(150, DOWN),
                        see(151, FAILURE_HANDLING),
                        see(152, DOWN)))
                .containsExactly("fault 100-110", "failure-handling 110-150", "down 150");
    }

    @Test
    void aNodeThatDiesAgainWhileRecoveringStartsOver() {
        assertThat(spans(
                        fault(100, "n1"),
                        see(110, FAILURE_HANDLING),
                        see(150, DOWN),
                        see(200, LOCAL_RECOVERY),
                        see(300, SYNCHRONISE),
                        see(350, FAILURE_HANDLING),
                        see(360, DOWN),
                        see(400, LOCAL_RECOVERY),
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
        tracker.observe(see(110, FAILURE_HANDLING));
        tracker.observe(see(200, LOCAL_RECOVERY));
        tracker.observe(new Observation.Begun(250, "n1", second, false));

        assertThat(spans())
                .containsExactly("fault 100-110", "failure-handling 110-200", "local-recovery 200-250", "fault 250");
        assertThat(tracker.active()).singleElement().satisfies(r -> assertThat(r.of())
                .isEqualTo(second));
        assertThat(tracker.recoveries().get(0).reachedNanos(Phase.RECOVERED)).isEmpty();
    }

    /** It was taken for the end of whatever was in force on the node. */
    @Test
    void theEndOfAnEarlierFaultDoesNotEndALaterOne() {
        spans(lasting(100, DELAY), lasting(150, THROTTLE), released(200, DELAY));

        assertThat(tracker.active()).singleElement().satisfies(r -> {
            assertThat(r.of()).isEqualTo(THROTTLE);
            assertThat(r.phase()).isEqualTo(Phase.FAULT);
        });
        assertThat(spans(released(400, THROTTLE))).containsExactly("fault 100-150", "fault 150-400", "recovered 400");
    }

    @Test
    void aFaultThatOutlastsALaterOneIsInForceAgain() {
        assertThat(spans(lasting(100, DELAY), lasting(150, THROTTLE), released(200, THROTTLE), released(400, DELAY)))
                .containsExactly("fault 100-150", "fault 150-200", "recovered 200", "fault 200-400", "recovered 400");
        assertThat(tracker.recoveries()).extracting(Recovery::of).containsExactly(DELAY, THROTTLE, DELAY);
        assertThat(tracker.of(DELAY, "n1").orElseThrow().reachedNanos(RECOVERED))
                .hasValue(400);
    }

    @Test
    void aResumeReleasesTheNodeThatAnotherStepHasPaused() {
        assertThat(spans(lasting(100, PAUSE), released(150, RESUME), released(400, PAUSE)))
                .containsExactly("fault 100-150", "recovered 150");
    }

    /** It was taken for the end of what had begun last. */
    @Test
    void aResumeEndsThePauseAndNotALaterFault() {
        assertThat(spans(
                        lasting(100, PAUSE),
                        lasting(120, DELAY),
                        released(150, RESUME),
                        released(300, DELAY),
                        released(400, PAUSE)))
                .containsExactly("fault 100-120", "fault 120-300", "recovered 300");
    }

    @Test
    void aResumeOfANodeThatWasNotPausedEndsNoOtherFault() {
        assertThat(spans(lasting(100, DELAY), released(150, RESUME), released(300, DELAY)))
                .containsExactly("fault 100-300", "recovered 300");
    }

    /** It ended the injector. */
    @Test
    void aResumeOfANodeThatWasNotPausedExplainsNoFailure() {
        assertThat(spans(released(100, RESUME), see(110, FAILURE_HANDLING))).containsExactly("failure-handling 110");
        assertThat(tracker.latest("n1").orElseThrow().of()).isEqualTo(Occurrence.UNPLANNED);
    }

    /** For as long as it was in force after that it had no phase. */
    @Test
    void aFaultThatOutlastsAFailureIsInForceAgain() {
        assertThat(spans(
                        lasting(100, DELAY),
                        fault(150, "n1"),
                        see(160, FAILURE_HANDLING),
                        see(180, LOCAL_RECOVERY),
                        see(200, RECOVERED),
                        released(400, DELAY)))
                .containsExactly(
                        "fault 100-150",
                        "fault 150-160",
                        "failure-handling 160-180",
                        "local-recovery 180-200",
                        "recovered 200",
                        "fault 200-400",
                        "recovered 400");
        assertThat(tracker.recoveries()).extracting(Recovery::of).containsExactly(DELAY, RESTART, DELAY);
    }

    /** As when the command that starts the node ends only when it has recovered. */
    @Test
    void aLateSignOfARecoveryDoesNotConcernAFaultThatIsInForceAgain() {
        assertThat(spans(
                        lasting(100, DELAY),
                        fault(150, "n1"),
                        see(160, FAILURE_HANDLING),
                        see(180, LOCAL_RECOVERY),
                        see(200, RECOVERED),
                        see(205, LOCAL_RECOVERY),
                        released(400, DELAY)))
                .endsWith("recovered 200", "fault 200-400", "recovered 400");
    }

    @Test
    void aPauseEndsWithTheProcessThatIsPaused() {
        assertThat(spans(
                        lasting(100, PAUSE),
                        fault(150, "n1"),
                        see(160, FAILURE_HANDLING),
                        see(180, LOCAL_RECOVERY),
                        see(200, RECOVERED),
                        released(400, PAUSE)))
                .endsWith("local-recovery 180-200", "recovered 200");
    }

    @Test
    void thePhaseOfTheClusterIsThatOfTheNodeFarthestFromRecovered() {
        assertThat(tracker.phase(tracker.active())).isEqualTo(Phase.STEADY);
        spans(
                fault(100, "n1"),
                see(110, FAILURE_HANDLING),
                see(150, DOWN),
                see(200, LOCAL_RECOVERY),
                see(300, SYNCHRONISE));
        assertThat(tracker.phase(tracker.active())).isEqualTo(Phase.SYNCHRONISE);
        tracker.observe(fault(310, "n2"));
        tracker.observe(new Observation.Seen(320, "n2", FAILURE_HANDLING));
        assertThat(tracker.phase(tracker.active())).isEqualTo(Phase.FAILURE_HANDLING);
        tracker.observe(see(400, RECOVERED));
        assertThat(tracker.phase(tracker.active())).isEqualTo(Phase.FAILURE_HANDLING);
        tracker.observe(new Observation.Seen(410, "n2", LOCAL_RECOVERY));
        tracker.observe(new Observation.Seen(420, "n2", RECOVERED));
        assertThat(tracker.phase(tracker.active())).isEqualTo(Phase.RECOVERED);
    }

    @Test
    void aFailureThatNobodyInjectedIsUnplanned() {
        assertThat(spans(see(100, FAILURE_HANDLING), see(120, DOWN)))
                .containsExactly("failure-handling 100-120", "down 120");
        assertThat(tracker.recoveries().get(0).of()).isEqualTo(Occurrence.UNPLANNED);
    }

    @Test
    void aNodeThrownOutAfterAPauseWasNotRecovered() {
        assertThat(spans(
                        fault(100, "n1"),
                        released(200),
                        see(250, FAILURE_HANDLING),
                        see(260, DOWN),
                        see(300, LOCAL_RECOVERY),
                        see(400, RECOVERED)))
                .containsExactly(
                        "fault 100-250",
                        "failure-handling 250-260",
                        "down 260-300",
                        "local-recovery 300-400",
                        "recovered 400");
    }

    /** The second time was taken for a failure of no fault. */
    @Test
    void aNodeThatIsEjectedTwiceDuringAFaultRecoversFromThatFault() {
        assertThat(spans(
                        lasting(100, DELAY),
                        see(110, FAILURE_HANDLING),
                        see(120, DOWN),
                        see(130, SYNCHRONISE),
                        see(140, RECOVERED),
                        see(200, FAILURE_HANDLING),
                        see(210, DOWN),
                        released(220, DELAY),
                        see(230, SYNCHRONISE),
                        see(240, RECOVERED)))
                .as("while it was back, it was in no phase of a recovery")
                .containsExactly(
                        "fault 100-110",
                        "failure-handling 110-120",
                        "down 120-130",
                        "synchronise 130-140",
                        "recovered 140-200",
                        "failure-handling 200-210",
                        "down 210-230",
                        "synchronise 230-240",
                        "recovered 240");
        assertThat(tracker.recoveries()).singleElement().satisfies(r -> {
            assertThat(r.of()).isEqualTo(DELAY);
            assertThat(r.reachedNanos(RECOVERED)).hasValue(240);
        });
    }

    @Test
    void aFailureBelongsToAFaultThatIsInForceAlsoWhenALaterOneIsOver() {
        long later = 200 + NodeHistory.EJECTION_NANOS + 1;

        spans(
                lasting(100, DELAY),
                fault(150, "n1"),
                see(160, FAILURE_HANDLING),
                see(180, LOCAL_RECOVERY),
                see(200, RECOVERED),
                see(later, FAILURE_HANDLING));

        assertThat(tracker.latest("n1").orElseThrow().of()).isEqualTo(DELAY);
    }

    @Test
    void aFailureLongAfterAPauseHasAnotherCause() {
        long later = 200 + NodeHistory.EJECTION_NANOS + 1;

        spans(fault(100, "n1"), released(200), see(later, FAILURE_HANDLING));

        assertThat(tracker.recoveries()).hasSize(2).last().satisfies(r -> assertThat(r.of())
                .isEqualTo(Occurrence.UNPLANNED));
    }

    @Test
    void aNodeDeclaredDeadWhilePausedRecoversWhenTheEngineSaysSo() {
        assertThat(spans(
                        fault(100, "n1"),
                        see(150, FAILURE_HANDLING),
                        see(160, DOWN),
                        see(170, RECOVERED),
                        released(200),
                        see(250, RECOVERED)))
                .as("before it was resumed it cannot be whole")
                .containsExactly("fault 100-150", "failure-handling 150-160", "down 160-250", "recovered 250");
    }

    /** It was ignored, and the drill ended as invalid: nothing says a second time that the node has recovered. */
    @Test
    void theEngineMayReportTheRecoveryBeforeTheCallThatResumesTheNodeHasReturned() {
        for (Occurrence by : List.of(PAUSE, RESUME)) {
            RecoveryTracker one = new RecoveryTracker();
            List.of(
                            lasting(100, PAUSE),
                            see(150, FAILURE_HANDLING),
                            see(160, DOWN),
                            see(210, RECOVERED),
                            released(205, 220, by))
                    .forEach(one::observe);

            assertThat(one.recoveries()).singleElement().satisfies(r -> assertThat(r.reachedNanos(RECOVERED))
                    .as("ended by %s", by)
                    .hasValue(210));
        }
    }

    @Test
    void aNodeThatFailsAgainWhileItIsResumedHasNotRecovered() {
        assertThat(spans(
                        lasting(100, PAUSE),
                        see(150, FAILURE_HANDLING),
                        see(160, DOWN),
                        see(210, RECOVERED),
                        see(215, FAILURE_HANDLING),
                        released(205, 220, PAUSE),
                        see(300, RECOVERED)))
                .endsWith("down 160-300", "recovered 300");
    }

    @Test
    void anEngineClockALittleOffDoesNotPutTheDeathBeforeItsFault() {
        assertThat(spans(fault(2_000_000_000L, "n1"), see(1_999_000_000L, FAILURE_HANDLING), see(2_100_000_000L, DOWN)))
                .containsExactly(
                        "fault 2000000000-2000000000", "failure-handling 2000000000-2100000000", "down 2100000000");
    }

    @Test
    void signsOfLifeWithoutAFailureMeanNothing() {
        assertThat(spans(see(1, LOCAL_RECOVERY), see(2, SYNCHRONISE), see(3, RECOVERED), see(4, DOWN)))
                .isEmpty();
    }

    @Test
    void theTableHasNoEndForWhatIsOpenAndNoZeroForWhatIsAbsent() {
        spans(fault(1_000_000_000L, "n1"), see(1_500_000_001L, FAILURE_HANDLING));

        assertThat(PhaseTable.csv(tracker.recoveries())).isEqualTo("""
                        step,occurrence,fault,node,phase,stage,start_s,end_s,duration_s
                        restart,1,restart,n1,fault,,1.000000000,1.500000001,0.500000001
                        restart,1,restart,n1,failure-handling,,1.500000001,,
                        """);
    }

    @Test
    void theTableHasNoRowForTheTimeInWhichANodeWasBack() {
        spans(
                lasting(1_000_000_000L, DELAY),
                see(2_000_000_000L, FAILURE_HANDLING),
                see(3_000_000_000L, LOCAL_RECOVERY),
                see(4_000_000_000L, RECOVERED),
                see(6_000_000_000L, FAILURE_HANDLING));

        assertThat(PhaseTable.csv(tracker.recoveries())).isEqualTo("""
                        step,occurrence,fault,node,phase,stage,start_s,end_s,duration_s
                        slow,1,delay,n1,fault,,1.000000000,2.000000000,1.000000000
                        slow,1,delay,n1,failure-handling,,2.000000000,3.000000000,1.000000000
                        slow,1,delay,n1,local-recovery,LRS,3.000000000,4.000000000,1.000000000
                        slow,1,delay,n1,failure-handling,,6.000000000,,
                        """);
    }

    @Test
    void aPhaseThatIsDatedBackIsCorrectedButNotToldTwice() {
        tracker.observe(fault(100, "n1"));
        assertThat(tracker.observe(see(130, FAILURE_HANDLING))).hasSize(1);
        assertThat(tracker.observe(see(120, FAILURE_HANDLING))).isEmpty();

        assertThat(spans()).containsExactly("fault 100-120", "failure-handling 120");
    }

    @Test
    void aRecoveryThatWasToldTooEarlyIsToldAgainWhenItIsTrue() {
        tracker.observe(fault(100, "n1"));
        assertThat(tracker.observe(released(200))).hasSize(1);
        tracker.observe(see(250, FAILURE_HANDLING));
        tracker.observe(see(300, LOCAL_RECOVERY));

        assertThat(tracker.observe(see(400, RECOVERED))).singleElement().satisfies(p -> assertThat(p.atNanos())
                .isEqualTo(400));
    }
}

package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DrillMetricsTest {
    private static final Offset<Double> EXACT = within(1e-6);

    @TempDir
    Path directory;

    private DrillMetrics metrics(SampleRun run) {
        return DrillMetrics.of(RunData.read(run.writeTo(directory.resolve("run"))));
    }

    private static double value(DrillMetrics metrics, Metric metric) {
        return metrics.get(metric).value().orElseThrow();
    }

    private static SampleRun stalling(double from, double to) {
        return SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= from && t < to ? 0 : 1000, t -> 300)
                .drill("stall", "{}");
    }

    @Test
    void nodeRestartIsMeasuredAsItWasScripted() {
        DrillMetrics metrics = metrics(SampleRun.nodeRestart().exact());

        assertThat(value(metrics, Metric.BASELINE)).isCloseTo(20_000, EXACT);
        assertThat(value(metrics, Metric.DETECT_ENGINE)).isCloseTo(0.21, EXACT);
        assertThat(value(metrics, Metric.DETECT_CLIENT)).isCloseTo(0.3, EXACT);
        assertThat(value(metrics, Metric.LONGEST_GAP)).isCloseTo(1.5, EXACT);
        assertThat(value(metrics, Metric.ZERO_SECONDS)).isCloseTo(1.4, EXACT);
        assertThat(value(metrics, Metric.DIP_DEPTH)).isCloseTo(100, EXACT);
        assertThat(value(metrics, Metric.FAILED)).isEqualTo(16);
        assertThat(value(metrics, Metric.UNKNOWN)).isEqualTo(3);
        assertThat(value(metrics, Metric.SERVICE_RESTORED)).isBetween(78.0, 78.6);
        assertThat(value(metrics, Metric.REDUNDANCY_RESTORED)).isCloseTo(78.27, EXACT);
        assertThat(value(metrics, Metric.TIME_TO_99)).isCloseTo(80.0, within(0.11));
        assertThat(metrics.gaps()).containsOnlyKeys("READ", "UPDATE", "TOTAL");
        assertThat(metrics.unsound()).isEmpty();
    }

    @Test
    void operationsLostAreTheAreaBelowTheBaseline() {
        DrillMetrics metrics = metrics(stalling(20, 22)
                .marker(20, "fault-started", "pause", "node1", "")
                .marker(25, "fault-ended", "pause", "node1", ""));

        assertThat(value(metrics, Metric.OPERATIONS_LOST)).isCloseTo(2000, EXACT);
        assertThat(value(metrics, Metric.SERVICE_RESTORED)).isCloseTo(2, EXACT);
        assertThat(value(metrics, Metric.BELOW_SLO)).isGreaterThanOrEqualTo(2);
        assertThat(metrics.get(Metric.ZERO_SECONDS)).isEqualTo(Measure.of(2, "\u00b1 0.1 s"));
    }

    @Test
    void faultWithoutConsequencesCostsNothing() {
        DrillMetrics metrics = metrics(stalling(99, 99).marker(20, "fault-started", "pause", "node1", ""));

        assertThat(value(metrics, Metric.SERVICE_RESTORED)).isZero();
        assertThat(value(metrics, Metric.LONGEST_GAP)).isCloseTo(0.1, EXACT);
        assertThat(value(metrics, Metric.OPERATIONS_LOST)).isCloseTo(0, EXACT);
        assertThat(metrics.get(Metric.DETECT_CLIENT).value()).isEmpty();
        assertThat(metrics.get(Metric.DETECT_ENGINE).value()).isEmpty();
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).note()).contains("never lost");
    }

    @Test
    void withoutBaselineOnlyWhatNeedsNoneIsMeasured() {
        DrillMetrics metrics = metrics(stalling(3, 4).marker(3, "fault-started", "kill", "node1", ""));

        assertThat(value(metrics, Metric.LONGEST_GAP)).isCloseTo(1.1, EXACT);
        assertThat(metrics.get(Metric.DIP_DEPTH).value()).isEmpty();
        assertThat(metrics.get(Metric.DIP_DEPTH).note()).contains("no baseline");
        assertThat(metrics.get(Metric.OPERATIONS_LOST).value()).isEmpty();
    }

    @Test
    void baselineThatIsNotSteadyIsSaidToBe() {
        SampleRun ramp = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> 100 + 50 * t, t -> 300)
                .marker(20, "fault-started", "kill", "node1", "");

        DrillMetrics metrics = metrics(ramp);

        assertThat(metrics.cautions()).first().asString().contains("Fault 1 (kill node1)", "no steady state");
        assertThat(metrics.get(Metric.BASELINE_VARIATION).note()).contains("not steady");
        assertThat(metrics(SampleRun.nodeRestart()).cautions()).isEmpty();
    }

    /** A ramp of 22 % over 10 s: its variation is 7 %, which the caution about variation cannot see. */
    @Test
    void aBaselineThatIsStillRisingIsSaidToBe() {
        DrillMetrics metrics = metrics(SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> 1000 * (1 + 0.022 * (t - 15)), t -> 300)
                .marker(20, "steady", "steady", "", ",\"since_ns\":\"10000000000\"")
                .marker(20, "fault-started", "kill", "node1", ""));

        assertThat(value(metrics, Metric.BASELINE_SLOPE)).isCloseTo(19.8, within(0.5));
        assertThat(metrics.cautions()).singleElement().asString().contains("drifted by +20 %");
    }

    @Test
    void aLaterBaselineBelowTheFirstIsSaidToHideWhatWasLost() {
        DrillMetrics metrics = metrics(SampleRun.lasting(80)
                .exact()
                .operation("READ", t -> t < 20 ? 1000 : 500, t -> 300)
                .marker(20, "fault-started", "pause", "node1", "")
                .marker(25, "fault-ended", "pause", "node1", "")
                .marker(60, "fault-started", "pause", "node2", ""));

        assertThat(metrics.cautions()).singleElement().asString().contains("Fault 2", "50 % of the first fault's");
    }

    /** The command ended, and only then did the engine notice that the node was gone. */
    @Test
    void aRecoveryThatWasReportedTooEarlyIsTakenBack() {
        DrillMetrics metrics = metrics(stalling(21, 26)
                .marker(20, "fault-started", "run", "node1", "")
                .marker(20.2, "event", "recovered", "node1", "")
                .marker(21, "event", "node-down", "node1", "")
                .marker(30, "event", "recovered", "node1", ""));

        assertThat(value(metrics, Metric.REDUNDANCY_RESTORED)).isCloseTo(10, EXACT);
        assertThat(value(metrics, Metric.DETECT_ENGINE)).isCloseTo(1, EXACT);
        assertThat(value(metrics, Metric.OPERATIONS_LOST)).isCloseTo(5000, EXACT);
    }

    @Test
    void aNodeThatGoesDownAgainAfterAnEarlyWordIsNotRecovered() {
        DrillMetrics metrics = metrics(stalling(21, 60)
                .marker(20, "fault-started", "run", "node1", "")
                .marker(20.2, "event", "recovered", "node1", "")
                .marker(21, "event", "node-down", "node1", ""));

        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).value()).isEmpty();
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).applicable()).isTrue();
    }

    /** It crashes by itself while another fault is long over, too, and is back half a minute later. */
    @Test
    void aLaterFailureThatNobodyInjectedIsNotThatOfAnEarlierFault() {
        DrillMetrics metrics = metrics(failingByItself(40, 80));

        for (FaultMetrics fault : metrics.faults()) {
            assertThat(fault.get(Metric.REDUNDANCY_RESTORED).value().orElseThrow())
                    .isCloseTo(20, EXACT);
            assertThat(fault.overlaps()).isEmpty();
        }
        assertThat(metrics.faults()).hasSize(2);
    }

    /** Half the throughput from 300 s to 330 s, while node1 is down without a fault; faults take 20 s. */
    private static SampleRun failingByItself(double... faults) {
        SampleRun run = SampleRun.lasting(360)
                .exact()
                .operation("READ", t -> t >= 300 && t < 330 ? 500 : 1000, t -> 300)
                .unplanned(300, 330, "node1", "failure-handling")
                .marker(300, "event", "node-down", "node1", "")
                .marker(330, "event", "recovered", "node1", "");
        for (int i = 1; i <= faults.length; i++) {
            double at = faults[i - 1];
            String node = "node" + i;
            run.marker(at, "fault-started", "restart", node, ",\"occurrence\":\"" + i + "\"")
                    .marker(at + 0.2, "event", "node-down", node, "")
                    .marker(at + 20, "event", "recovered", node, "");
        }
        return run;
    }

    @Test
    void aFailureThatNobodyInjectedIsNoSteadyStateBeforeTheNextFault() {
        DrillMetrics metrics = metrics(failingByItself(40, 80, 335));

        Measure baseline = metrics.faults().get(2).get(Metric.BASELINE);
        assertThat(baseline.value()).hasValue(1000);
        assertThat(baseline.note()).isEqualTo("330.0 s to 335.0 s");
    }

    @Test
    void aFailureThatGoesOnAtTheFirstFaultIsWhyThereIsNoBaseline() {
        Measure dip = metrics(stalling(99, 99)
                        .unplanned(5, 30, "node2", "synchronise")
                        .marker(20, "fault-started", "pause", "node1", ""))
                .get(Metric.DIP_DEPTH);

        assertThat(dip)
                .isEqualTo(Measure.absent("no baseline: less than 5 s of throughput before the fault were free of"
                        + " warm-up, earlier faults, and failures that nobody injected"));
    }

    /** The write may have been lost at 300 s or at 335 s; another one, after 330 s, at 335 s only. */
    @Test
    void aWriteThatAFailureWhichNobodyInjectedMayHaveLostHasNoAge() throws IOException {
        Path run = failingByItself(40, 80, 335).writeTo(directory.resolve("run"));
        String first = "{\"kind\":\"lost-update\",\"startSeconds\":298.9,\"endSeconds\":299}";
        String second = "{\"kind\":\"lost-update\",\"startSeconds\":333,\"endSeconds\":333.1}";

        Measure unknown = rpo(run, 1, first);
        Measure bound = rpo(run, 2, first + "," + second);

        assertThat(unknown)
                .isEqualTo(Measure.absent(
                        "1 lost writes may be due to a failure that nobody injected, so their age is" + " not known"));
        assertThat(bound.value().orElseThrow()).isCloseTo(2, EXACT);
        assertThat(bound.censored()).isTrue();
    }

    /** node5 fails because of the fault, before the injector has seen that the node of the fault is down. */
    @Test
    void aFailureThatTheFaultMayHaveCausedTakesNoAge() throws IOException {
        Path run = failingByItself(40, 80, 335)
                .marker(335.5, "fault-injected", "restart", "node3", ",\"occurrence\":\"3\"")
                .unplanned(335.2, 350, "node5", "failure-handling")
                .writeTo(directory.resolve("run"));

        Measure rpo = rpo(run, 1, "{\"kind\":\"lost-update\",\"startSeconds\":333,\"endSeconds\":333.1}");

        assertThat(rpo.value().orElseThrow()).isCloseTo(2.5, EXACT);
        assertThat(rpo.censored()).isFalse();
    }

    private static Measure rpo(Path run, int lost, String findings) throws IOException {
        Files.writeString(
                run.resolve("audit.json"),
                "{\"schema\":1,\"ackedLost\":" + lost + ",\"findings\":[" + findings + "],\"writes\":{\"ok\":30000}}");
        return DrillMetrics.of(RunData.read(run)).rpo();
    }

    @Test
    void aLaterFailureThatNobodyInjectedIsNoSignOfAFaultThatTookNoNodeDown() {
        Measure detected = metrics(stalling(99, 99)
                        .marker(20, "fault-started", "pause", "node1", "")
                        .marker(22, "event", "recovered", "node1", "")
                        .unplanned(53, Double.NaN, "node1", "failure-handling")
                        .marker(53, "event", "node-down", "node1", ""))
                .get(Metric.DETECT_ENGINE);

        assertThat(detected.value()).isEmpty();
        assertThat(detected.applicable()).isFalse();
    }

    /** With a rate, what counts is how long a user waited, not how long the server took once it was asked. */
    @Test
    void withARateLatencyIsResponseTime() {
        SampleRun queueing = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> 1000, t -> 300)
                .marker(20, "fault-started", "pause", "node1", "");
        DrillMetrics closed = metrics(queueing);

        DrillMetrics open = metrics(queueing.queueing(20, 30).rate(1000));

        assertThat(value(closed, Metric.BELOW_SLO)).isZero();
        assertThat(value(open, Metric.BELOW_SLO)).isCloseTo(10, EXACT);
        assertThat(open.get(Metric.BELOW_SLO).censored()).isFalse();
        assertThat(value(open, Metric.TIME_TO_P99)).isCloseTo(10, EXACT);
        assertThat(value(open, Metric.DEGRADED)).isCloseTo(10, EXACT);
        assertThat(value(open, Metric.SERVICE_RESTORED)).isCloseTo(10, EXACT);
    }

    /** The clients warmed up for 15 s; only what the drill judged steady counts as the baseline. */
    @Test
    void baselineBeginsWhereTheDrillFoundSteadyThroughput() {
        DrillMetrics metrics = metrics(SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t < 15 ? 100 : 1000, t -> 300)
                .drill("warming-up", "{}")
                .marker(25, "steady", "steady", "", ",\"since_ns\":\"15000000000\"")
                .marker(25, "fault-started", "pause", "node1", "")
                .marker(27, "fault-ended", "pause", "node1", ""));

        assertThat(value(metrics, Metric.BASELINE)).isCloseTo(1000, EXACT);
        assertThat(value(metrics, Metric.BASELINE_VARIATION)).isCloseTo(0, EXACT);
        assertThat(value(metrics, Metric.OPERATIONS_LOST)).isCloseTo(0, EXACT);
    }

    @Test
    void zeroThroughputBeforeTheFaultIsNoBaseline() {
        DrillMetrics metrics = metrics(stalling(0, 60).marker(30, "fault-started", "kill", "node1", ""));

        assertThat(metrics.get(Metric.BASELINE).value()).isEmpty();
        assertThat(metrics.get(Metric.LONGEST_GAP).note()).contains("no success until the end");
        assertThat(value(metrics, Metric.ZERO_SECONDS)).isCloseTo(30, EXACT);
        assertThat(metrics.get(Metric.ZERO_SECONDS).censored()).isTrue();
    }

    /** With windows longer than the steady state nobody can say what is slow. */
    @Test
    void withoutAPercentileInTheBaselineTheTimeBelowTheSloIsABound() {
        DrillMetrics metrics = metrics(SampleRun.lasting(60)
                .exact()
                .windows(30)
                .rate(1000)
                .withResponse()
                .operation("READ", t -> t >= 25 && t < 27 ? 0 : 1000, t -> 300)
                .marker(25, "fault-started", "pause", "node1", ""));

        assertThat(value(metrics, Metric.BELOW_SLO)).isCloseTo(2, EXACT);
        assertThat(metrics.get(Metric.BELOW_SLO).censored()).isTrue();
        assertThat(metrics.get(Metric.BELOW_SLO).note()).isEqualTo("throughput only; no p99 in the baseline");
    }

    /** The last window before the second fault is slow, and nobody knows what came between it and that fault. */
    @Test
    void aBoundThatTheNextFaultSetsSaysNothingOfTheEndOfTheData() {
        Measure below = metrics(pausedFrom(
                        20,
                        43,
                        steadyLoad().operation("READ", t -> 1000, t -> 300).queueing(20, 50)))
                .faults()
                .get(0)
                .get(Metric.BELOW_SLO);

        assertThat(below.censored()).isTrue();
        assertThat(below.note()).doesNotContain("not over");
    }

    @Test
    void neverRecoveredIsAbsentAndNotZero() {
        DrillMetrics metrics = metrics(stalling(20, 60)
                .marker(20, "fault-started", "kill", "node1", "")
                .marker(20.5, "event", "node-down", "node1", ""));

        assertThat(metrics.get(Metric.SERVICE_RESTORED).value()).isEmpty();
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).value()).isEmpty();
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).applicable()).isTrue();
        assertThat(metrics.get(Metric.TIME_TO_90).value()).isEmpty();
        assertThat(metrics.get(Metric.TIME_TO_P99).value()).isEmpty();
        assertThat(metrics.gaps().get("READ").open()).isTrue();
        assertThat(value(metrics, Metric.OPERATIONS_LOST)).isCloseTo(40_000, EXACT);
        for (Metric bound : List.of(Metric.ZERO_SECONDS, Metric.BELOW_SLO)) {
            assertThat(value(metrics, bound)).isCloseTo(40, EXACT);
            assertThat(metrics.get(bound).censored()).as(bound.key()).isTrue();
        }
    }

    /** The last window is 30 % slower than the baseline's, as healthy ones are now and then. */
    @Test
    void aServiceThatIsBackLeavesNoBoundHoweverSlowItsLastSecondsAre() {
        Measure below = metrics(SampleRun.lasting(60)
                        .exact()
                        .operation("READ", t -> t >= 38 && t < 40 ? 0 : 1000, t -> t >= 50 ? 390 : 300)
                        .marker(38, "fault-started", "pause", "node1", ""))
                .get(Metric.BELOW_SLO);

        assertThat(below.value().orElseThrow()).isGreaterThanOrEqualTo(12);
        assertThat(below.censored()).isFalse();
        assertThat(below.note()).doesNotContain("not over");
    }

    @Test
    void faultAfterTheLastSliceHasNoData() {
        DrillMetrics metrics = metrics(stalling(99, 99).marker(60, "fault-started", "kill", "node1", ""));

        assertThat(metrics.get(Metric.LONGEST_GAP).value()).isEmpty();
        assertThat(metrics.get(Metric.LONGEST_GAP).note()).isEqualTo("no data after the fault");
    }

    @Test
    void failuresBeforeTheFaultHideOnlyThoseThatAreNoMore() {
        SampleRun failing =
                stalling(20, 21).failing(10, 2, 0).failing(20.2, 1, 1).marker(20, "fault-started", "kill", "node1", "");

        Measure hidden = metrics(failing).get(Metric.DETECT_CLIENT);
        DrillMetrics metrics = metrics(failing.failing(20.4, 3, 0));

        assertThat(hidden.value()).isEmpty();
        assertThat(hidden.applicable()).isTrue();
        assertThat(value(metrics, Metric.DETECT_CLIENT)).isCloseTo(0.5, EXACT);
        assertThat(value(metrics, Metric.FAILED)).isEqualTo(4);
    }

    @Test
    void aFailureNowAndThenIsNoSignOfTheFault() {
        SampleRun placebo = stalling(99, 99).marker(20, "fault-started", "none", "node1", "");

        DrillMetrics few = metrics(placebo.failing(24.4, 1, 0).failing(47, 2, 0));
        DrillMetrics burst = metrics(placebo.failing(50, 4, 2));

        assertThat(few.get(Metric.DETECT_CLIENT).value()).isEmpty();
        assertThat(few.get(Metric.DETECT_CLIENT).applicable()).isTrue();
        assertThat(value(few, Metric.FAILED)).isEqualTo(3);
        assertThat(value(burst, Metric.DETECT_CLIENT)).isCloseTo(30.1, EXACT);
    }

    @Test
    void oneFailureAtTheFaultIsASign() {
        DrillMetrics metrics =
                metrics(stalling(99, 99).failing(20.1, 0, 1).marker(20, "fault-started", "kill", "node1", ""));

        assertThat(value(metrics, Metric.DETECT_CLIENT)).isCloseTo(0.2, EXACT);
    }

    /** A cluster that dies at once and is started again: six faults, one incident. */
    private static SampleRun clusterLoss() {
        SampleRun run = SampleRun.lasting(120)
                .exact()
                .operation("READ", t -> t < 30 ? 1000 : t < 50 ? 0 : t < 60 ? 500 : t < 65 ? 940 : 1000, t -> 300)
                .failing(35, 7, 2)
                .drill("cluster-loss", "{}");
        for (int i = 1; i <= 3; i++) {
            String node = "node" + i;
            run.marker(30, "fault-started", "kill", node, ",\"fault\":\"kill\",\"occurrence\":\"1\"")
                    .phase(30, 30.2, "kill", node, "fault")
                    .phase(30.2, 40, "kill", node, "failure-handling")
                    .marker(30.2, "event", "node-down", node, "")
                    .marker(40, "fault-started", "start", node, ",\"fault\":\"start\",\"brings_back\":true")
                    .phase(40, 50 + i, "kill", node, "local-recovery")
                    .recovered(50 + i, node);
        }
        return run;
    }

    @Test
    void severalNodesAtOnceAndTheirStartAreOneIncident() {
        DrillMetrics metrics = metrics(clusterLoss());

        FaultMetrics incident = metrics.faults().get(0);
        assertThat(metrics.faults()).hasSize(1);
        assertThat(incident.title()).isEqualTo("kill node1, node2, node3, then start");
        assertThat(incident.overlaps()).isEmpty();
        assertThat(value(metrics, Metric.REDUNDANCY_RESTORED)).isCloseTo(23, EXACT);
        assertThat(value(metrics, Metric.OUT)).isCloseTo(20, EXACT);
        assertThat(value(metrics, Metric.DEGRADED)).isCloseTo(30, EXACT);
        assertThat(metrics.cautions()).isEmpty();
        String text = DrillSummary.of(RunData.read(directory.resolve("run"))).text();
        assertThat(text).containsOnlyOnce("Baseline throughput B").containsOnlyOnce("Recovery of node1, node2, node3");
    }

    @Test
    void oneNodeThatNeverCameBackKeepsTheIncidentOpen() {
        DrillMetrics metrics = metrics(stalling(20, 30)
                .marker(20, "fault-started", "kill", "node1", ",\"occurrence\":\"1\"")
                .marker(20, "fault-started", "kill", "node2", ",\"occurrence\":\"1\"")
                .marker(20.2, "event", "node-down", "node1", "")
                .marker(20.2, "event", "node-down", "node2", "")
                .recovered(35, "node1"));

        assertThat(metrics.faults()).hasSize(1);
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).value()).isEmpty();
        for (Metric open : List.of(Metric.LOST_SECONDS, Metric.OPERATIONS_LOST, Metric.THROUGHPUT)) {
            assertThat(metrics.get(open).censored()).as(open.key()).isTrue();
        }
        assertThat(metrics.get(Metric.OUT).censored()).isFalse();
    }

    @Test
    void theImpactIsSplitByPhaseAndTheMinuteAfterIt() {
        List<PhaseImpact> impacts = metrics(clusterLoss()).faults().get(0).impacts();

        assertThat(impacts)
                .extracting(PhaseImpact::phase)
                .containsExactly("fault", "failure-handling", "local-recovery", PhaseImpact.AFTER);
        assertThat(impacts)
                .extracting(impact -> Math.round(10 * impact.lostSeconds().orElseThrow()) / 10.0)
                .containsExactly(0.2, 9.8, 11.5, 3.8);
        PhaseImpact handling = impacts.get(1);
        assertThat(handling.seconds()).isCloseTo(9.8, EXACT);
        assertThat(handling.failed()).isEqualTo(7);
        assertThat(handling.unknown()).isEqualTo(2);
        assertThat(handling.worstPercent()).hasValue(0);
        PhaseImpact local = impacts.get(2);
        assertThat(local.seconds()).isCloseTo(13, EXACT);
        assertThat(local.meanPercent().orElseThrow()).isCloseTo(100 * 1.5 / 13, within(0.01));
        PhaseImpact after = impacts.get(3);
        assertThat(after.seconds()).isCloseTo(60, EXACT);
        assertThat(after.worstPercent().orElseThrow()).isCloseTo(50, EXACT);
        assertThat(after.p99Factor().orElseThrow()).isCloseTo(1, within(0.1));
        assertThat(metrics(clusterLoss()).get(Metric.LOST_SECONDS).note())
                .isEqualTo("fault 0.2 s, failure-handling 9.8 s, local-recovery 11.5 s, after 3.8 s");
    }

    @Test
    void theDipAfterTheRecoveryIsItsWorstSecond() {
        Measure dip = metrics(clusterLoss()).get(Metric.AFTER_DIP);

        assertThat(dip.value().orElseThrow()).isCloseTo(50, EXACT);
        assertThat(dip.censored()).isFalse();
    }

    @Test
    void theDipOfLessThanAMinuteAfterTheRecoveryIsCensored() {
        Measure dip = metrics(stalling(20, 21)
                        .marker(20, "fault-started", "kill", "node1", "")
                        .marker(20.2, "event", "node-down", "node1", "")
                        .recovered(40, "node1"))
                .get(Metric.AFTER_DIP);

        assertThat(dip.value().orElseThrow()).isCloseTo(0, EXACT);
        assertThat(dip.censored()).isTrue();
        assertThat(dip.note()).isEqualTo("20 of 60 s");
    }

    @Test
    void withoutARecoveryThereIsNoDipAfterIt() {
        Measure never = metrics(stalling(20, 21)
                        .marker(20, "fault-started", "kill", "node1", "")
                        .marker(20.2, "event", "node-down", "node1", ""))
                .get(Metric.AFTER_DIP);
        Measure harmless = metrics(stalling(20, 21)
                        .marker(20, "fault-started", "pause", "node1", "")
                        .marker(21, "fault-ended", "pause", "node1", ""))
                .get(Metric.AFTER_DIP);

        assertThat(never).isEqualTo(Measure.absent("redundancy was not restored"));
        assertThat(harmless.applicable()).isFalse();
    }

    @Test
    void lessThanAMinuteAfterTheRecoveryIsSaid() {
        PhaseImpact after = metrics(stalling(20, 21)
                        .marker(20, "fault-started", "kill", "node1", "")
                        .marker(20.2, "event", "node-down", "node1", "")
                        .recovered(40, "node1"))
                .faults()
                .get(0)
                .impacts()
                .get(0);

        assertThat(after.duration()).isEqualTo("20 of 60 s");
    }

    /** Seconds of 900 and 1100 in turn: batches of six seconds have the same mean, single seconds would not show that. */
    @Test
    void theBaselineHasAConfidenceIntervalAndAnEffectWithinItIsSaidToBe() {
        DrillMetrics even = metrics(SampleRun.lasting(90)
                .exact()
                .operation("READ", t -> (int) t % 2 == 0 ? 900 : 1100, t -> 300)
                .marker(30, "fault-started", "pause", "node1", ""));
        DrillMetrics wandering = metrics(SampleRun.lasting(90)
                .exact()
                .operation("READ", t -> t < 30 ? ((int) t / 6 % 2 == 0 ? 900 : 1100) : 850, t -> 300)
                .marker(30, "fault-started", "pause", "node1", ""));

        assertThat(value(even, Metric.BASELINE_CONFIDENCE)).isCloseTo(0, EXACT);
        // Batches of 900, 1100, 900, 1100, 900: 2.776 * 109.5 / sqrt(5) = 136 of 980; the effect is 50 of B = 900.
        assertThat(value(wandering, Metric.BASELINE_CONFIDENCE)).isCloseTo(13.9, within(0.05));
        assertThat(wandering.cautions()).anySatisfy(text -> assertThat(text).contains("it may be chance"));
        assertThat(even.cautions()).isEmpty();
    }

    @Test
    void aRateIsWhatWasOfferedHoweverLittleTheBaselineWas() {
        SampleRun half = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> 500, t -> 300)
                .marker(20, "fault-started", "pause", "node1", "");

        DrillMetrics closed = metrics(half);
        DrillMetrics open = metrics(half.rate(1000));

        assertThat(value(closed, Metric.LOST_SECONDS)).isCloseTo(0, EXACT);
        assertThat(value(open, Metric.DEGRADED)).isCloseTo(40, EXACT);
        assertThat(value(open, Metric.LOST_SECONDS)).isCloseTo(20, EXACT);
        assertThat(open.get(Metric.DEGRADED).censored()).isTrue();
        assertThat(open.cautions()).singleElement().asString().contains("only 50 % of the offered load");
    }

    /** A calibrated rate begins when the calibration is over, and is in another place. */
    @Test
    void aCalibratedRateIsWhatWasOfferedToo() throws IOException {
        Path run = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t < 10 ? 1500 : t >= 25 && t < 30 ? 0 : t < 35 ? 1000 : 1600, t -> 300)
                .marker(25, "fault-started", "pause", "node1", "")
                .writeTo(directory.resolve("run"));
        Path json = run.resolve("run.json");
        Files.writeString(
                json,
                Files.readString(json)
                        .replace(
                                "\"rate\":null",
                                "\"rate\":null,\"load\":{\"kind\":\"share\",\"sinceSeconds\":10.0,\"rate\":1000.0}"));

        DrillMetrics metrics = DrillMetrics.of(RunData.read(run));

        assertThat(value(metrics, Metric.BASELINE)).isCloseTo(1000, EXACT);
        assertThat(metrics.get(Metric.OUT).note()).contains("offered load, 1,000 operations per second");
        assertThat(value(metrics, Metric.LOST_SECONDS)).isCloseTo(5, EXACT);
    }

    /** Two calls for each arrival, as of read-modify-write: half of them missing is no full service. */
    @Test
    void anArrivalOfSeveralCallsIsOfferedSeveralCalls() {
        DrillMetrics metrics = metrics(SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= 22 && t < 32 ? 1000 : 2000, t -> 300)
                .rate(1000)
                .marker(20, "fault-started", "pause", "node1", ""));

        assertThat(value(metrics, Metric.DEGRADED)).isCloseTo(10, EXACT);
        assertThat(value(metrics, Metric.LOST_SECONDS)).isCloseTo(5, EXACT);
    }

    /** What was due in the outage is done until 70 s, and is all due by the rate: healthy service after it is no loss. */
    @Test
    void aCatchUpIsNoSteadyState() {
        DrillMetrics metrics = metrics(SampleRun.lasting(120)
                .exact()
                .rate(1000)
                .operation("READ", t -> t >= 20 && t < 30 ? 0 : t >= 30 && t < 70 ? 1250 : 1000, t -> 300)
                .marker(20, "fault-started", "kill", "node1", "")
                .marker(20.2, "event", "node-down", "node1", "")
                .marker(31, "event", "recovered", "node1", "")
                .marker(60, "fault-started", "pause", "node2", "")
                .marker(62, "fault-ended", "pause", "node2", ""));

        FaultMetrics second = metrics.faults().get(1);
        assertThat(second.get(Metric.BASELINE).value()).hasValue(1000);
        for (Metric harmless : List.of(Metric.DEGRADED, Metric.LOST_SECONDS, Metric.SERVICE_RESTORED)) {
            assertThat(second.get(harmless).value().orElseThrow())
                    .as(harmless.key())
                    .isCloseTo(0, EXACT);
        }
        assertThat(metrics.cautions())
                .singleElement()
                .asString()
                .startsWith("Fault 2 (pause node2): before it the clients were catching up, at 125 % of the offered")
                .contains("relative to the steady state before an earlier fault");
    }

    /** With a rate that steps from the one to the other 100 s after the start. */
    private DrillMetrics stepping(int before, int after, SampleRun sample) throws IOException {
        Path run = sample.writeTo(directory.resolve("run"));
        Path json = run.resolve("run.json");
        String segments = "\"rate\":{\"segments\":["
                + "{\"startSeconds\":0,\"endSeconds\":100,\"fromRate\":%d,\"toRate\":%d},"
                + "{\"startSeconds\":100,\"fromRate\":%d,\"toRate\":%d}]}";
        Files.writeString(
                json,
                Files.readString(json).replace("\"rate\":null", segments.formatted(before, before, after, after)));
        return DrillMetrics.of(RunData.read(run));
    }

    /** Most seconds of the second baseline have the new rate, and its mean is that of both. */
    @Test
    void aStepOfTheRateIsNoCatchUp() throws IOException {
        DrillMetrics metrics = stepping(
                100,
                1000,
                SampleRun.lasting(150)
                        .exact()
                        .operation("READ", t -> t < 100 ? 100 : 1000, t -> 300)
                        .marker(40, "fault-started", "pause", "node1", "")
                        .marker(42, "fault-ended", "pause", "node1", "")
                        .marker(120, "fault-started", "pause", "node2", "")
                        .marker(122, "fault-ended", "pause", "node2", ""));

        FaultMetrics second = metrics.faults().get(1);
        assertThat(second.catchUpPercent()).isEmpty();
        assertThat(metrics.cautions()).noneMatch(text -> text.contains("catching up"));
        assertThat(second.get(Metric.BASELINE).value()).hasValue(1000);
        assertThat(second.get(Metric.DEGRADED).value().orElseThrow()).isCloseTo(0, EXACT);
    }

    /** A third of the baseline has the first rate: mean with mean, and not the median with the mean of what was due. */
    @Test
    void whatOfTheLoadWasServedIsOfAllOfTheBaselineAlsoWhenTheRateStepsInIt() throws IOException {
        DrillMetrics healthy = stepping(
                1000,
                100,
                SampleRun.lasting(150)
                        .exact()
                        .operation("READ", t -> t < 100 ? 1000 : 100, t -> 300)
                        .marker(120, "fault-started", "pause", "node1", ""));
        DrillMetrics overloaded = stepping(
                100,
                1000,
                SampleRun.lasting(150)
                        .exact()
                        .operation("READ", t -> t < 100 ? 100 : 700, t -> 300)
                        .marker(120, "fault-started", "pause", "node1", ""));

        assertThat(healthy.cautions()).noneMatch(text -> text.contains("of the offered load was served"));
        assertThat(overloaded.cautions()).anyMatch(text -> text.contains("only 71 % of the offered load was served"));
    }

    /** A stall before the steady state is worked off in its first 5 s: no arrival makes several calls for that. */
    @Test
    void aShortCatchUpWithinTheBaselineMakesNoMoreDue() {
        Measure degraded = metrics(SampleRun.lasting(120)
                        .exact()
                        .rate(1000)
                        .operation("READ", t -> t >= 26 && t < 30 ? 0 : t >= 30 && t < 35 ? 1800 : 1000, t -> 300)
                        .marker(60, "fault-started", "pause", "node1", "")
                        .marker(62, "fault-ended", "pause", "node1", ""))
                .get(Metric.DEGRADED);

        assertThat(degraded.value().orElseThrow()).isCloseTo(0, EXACT);
        assertThat(degraded.censored()).isFalse();
    }

    /** At 20 per second 5 % more may be chance, and where an arrival makes two calls, two of them are due. */
    @Test
    void aLittleMoreThanWasDueIsNoCatchUp() {
        SampleRun few = SampleRun.lasting(120)
                .exact()
                .rate(20)
                .operation("READ", t -> t > 25 && (int) (10 * t) % 10 == 0 ? 30 : 20, t -> 300);
        SampleRun several =
                SampleRun.lasting(120).exact().rate(1000).operation("READ", t -> t < 25 ? 2000 : 2020, t -> 300);

        for (SampleRun run : List.of(few, several)) {
            DrillMetrics metrics = metrics(run.marker(20, "fault-started", "pause", "node1", "")
                    .marker(22, "fault-ended", "pause", "node1", "")
                    .marker(60, "fault-started", "pause", "node2", "")
                    .marker(62, "fault-ended", "pause", "node2", ""));

            assertThat(metrics.faults().get(1).get(Metric.BASELINE).value().orElseThrow())
                    .isCloseTo(run == few ? 21 : 2020, EXACT);
        }
    }

    /** Before the outage each second one has 10 % less, and after it none: what is steadier then pays nothing back. */
    @Test
    void aLoadThatIsSteadierAfterAnOutageDoesNotHideIt() {
        DrillMetrics metrics = metrics(SampleRun.lasting(240)
                .exact()
                .operation("READ", t -> t >= 40 && t < 45 ? 0 : t < 40 && (int) t % 2 == 1 ? 900 : 1000, t -> 300)
                .marker(40, "fault-started", "kill", "node1", ""));

        assertThat(value(metrics, Metric.BASELINE)).isCloseTo(950, EXACT);
        assertThat(value(metrics, Metric.OUT)).isCloseTo(5, EXACT);
        assertThat(value(metrics, Metric.LOST_SECONDS)).isCloseTo(5, EXACT);
        assertThat(value(metrics, Metric.FIRST_MINUTE)).isCloseTo(100 * 55 / 60.0, EXACT);
    }

    @Test
    void tooFewOperationsSayNothingAboutOutages() {
        DrillMetrics metrics = metrics(SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> (int) (t * 10) % 5 == 0 ? 10 : 0, t -> 300)
                .marker(20, "fault-started", "pause", "node1", ""));

        assertThat(metrics.get(Metric.OUT).value()).isEmpty();
        assertThat(metrics.get(Metric.OUT).note()).contains("too few");
    }

    @Test
    void oneFaultAfterTheOtherEachHasItsOwnBaseline() {
        SampleRun run = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t < 15 ? 1000 : t < 16 ? 0 : t < 40 ? 500 : t < 42 ? 0 : 500, t -> 300)
                .drill("ladder", "{}")
                .marker(15, "fault-started", "kill", "node1", "")
                .marker(15.2, "event", "node-down", "node1", "")
                .recovered(20, "node1")
                .marker(40, "fault-started", "kill", "node2", "")
                .marker(40.4, "event", "node-down", "node2", "")
                .recovered(50, "node2");

        DrillMetrics metrics = metrics(run);

        assertThat(metrics.faults()).hasSize(2);
        FaultMetrics second = metrics.faults().get(1);
        assertThat(second.overlaps()).isEmpty();
        assertThat(second.get(Metric.BASELINE).value()).hasValue(500);
        assertThat(metrics.faults().get(0).endSeconds()).isCloseTo(40, EXACT);
        assertThat(metrics.faults().get(0).get(Metric.LONGEST_GAP).value().orElseThrow())
                .isCloseTo(1.1, EXACT);
        assertThat(value(metrics, Metric.LONGEST_GAP)).isCloseTo(2.1, EXACT);
        assertThat(value(metrics, Metric.REDUNDANCY_RESTORED)).isCloseTo(10, EXACT);
        assertThat(value(metrics, Metric.DETECT_ENGINE)).isCloseTo(0.4, EXACT);
    }

    private List<Incident> incidents(SampleRun run) {
        return Incident.of(RunData.read(run.writeTo(directory.resolve("run"))));
    }

    @Test
    void faultsOfOneServerAreOverEachWithItself() {
        String first = ",\"occurrence\":\"1\"";
        String second = ",\"occurrence\":\"2\"";
        List<Incident> incidents = incidents(stalling(20, 22)
                .marker(20, "fault-started", "delay", "server1", first)
                .marker(30, "fault-started", "cut", "server1", second)
                .marker(33, "fault-ended", "cut", "server1", second)
                .marker(33, "phase", "recovered", "server1", second + ",\"phase\":\"recovered\"")
                .marker(45, "fault-ended", "delay", "server1", first)
                .marker(45, "phase", "recovered", "server1", first + ",\"phase\":\"recovered\""));

        assertThat(incidents)
                .extracting(incident -> incident.over().orElseThrow())
                .containsExactly(45.0, 33.0);
        assertThat(incidents.get(1).overlaps()).containsExactly(1);
    }

    @Test
    void aFaultThatIsStillInForceWhenItsNodeIsBackIsNotOver() {
        SampleRun flaky = stalling(20, 22)
                .marker(20, "fault-started", "flaky", "node1", ",\"releases\":\"true\"")
                .marker(22, "event", "node-down", "node1", "")
                .marker(25, "event", "recovered", "node1", "")
                .marker(40, "fault-ended", "flaky", "node1", "");

        assertThat(incidents(flaky)).singleElement().satisfies(incident -> assertThat(incident.over())
                .hasValue(40));
        assertThat(value(metrics(flaky), Metric.REDUNDANCY_RESTORED)).isCloseTo(5, EXACT);
        assertThat(metrics(flaky).get(Metric.OPERATIONS_LOST).note()).startsWith("until the fault was over; ");
    }

    @Test
    void aPauseThatAResumeHasEndedIsOver() {
        String pause = ",\"occurrence\":\"1\"";
        String resume = ",\"occurrence\":\"2\"";
        List<Incident> incidents = incidents(stalling(20, 30)
                .marker(20, "fault-started", "pause", "node1", pause + ",\"releases\":\"true\"")
                .marker(29.9, "fault-started", "resume", "node1", resume + ",\"brings_back\":\"true\"")
                .marker(
                        30,
                        "fault-injected",
                        "resume",
                        "node1",
                        resume + ",\"fault\":\"resume\",\"effect\":\"released\"")
                .marker(30, "phase", "recovered", "node1", pause + ",\"phase\":\"recovered\"")
                .marker(30, "fault-ended", "pause", "node1", pause + ",\"effect\":\"released\"")
                .marker(40, "fault-started", "kill", "node2", ",\"occurrence\":\"3\""));

        assertThat(incidents.get(0).over()).hasValue(30);
        assertThat(incidents.get(0).overlaps()).isEmpty();
        assertThat(incidents.get(0).endSeconds()).isEqualTo(40);
    }

    /** The window from 10 s to 20 s ends after the fault, and shows what was before it. */
    @Test
    void aWindowThatShowsWhatWasBeforeTheFaultSaysNothingOfIt() {
        FaultMetrics first = metrics(pausedFrom(
                        19.9, 28, steadyLoad().withResponse().operation("READ", t -> 1000, t -> t >= 20 ? 3000 : 300)))
                .faults()
                .get(0);

        assertThat(first.get(Metric.SERVICE_RESTORED)).satisfies(restored -> {
            assertThat(restored.censored()).isTrue();
            assertThat(restored.note()).contains("no window from then on");
        });
        assertThat(first.get(Metric.TIME_TO_P99).value()).isEmpty();
    }

    /** Nothing succeeds until 22 s; no window lies between that and the next fault. */
    @Test
    void theLatencyOfAServiceThatIsBackIsJudgedByWindowsFromThenOn() {
        Measure restored = metrics(pausedFrom(
                        12,
                        29,
                        steadyLoad().withResponse().operation("READ", t -> t >= 12 && t < 22 ? 0 : 1000, t -> 300)))
                .faults()
                .get(0)
                .get(Metric.SERVICE_RESTORED);

        assertThat(restored.value().orElseThrow()).isCloseTo(10, EXACT);
        assertThat(restored.censored()).isTrue();
    }

    private static SampleRun steadyLoad() {
        return SampleRun.lasting(80).exact().rate(1000).drill("two", "{}");
    }

    private static SampleRun pausedFrom(double first, double second, SampleRun run) {
        return run.marker(first, "fault-started", "pause", "node1", "")
                .marker(first + 2, "fault-ended", "pause", "node1", "")
                .marker(second, "fault-started", "pause", "node2", "")
                .marker(second + 2, "fault-ended", "pause", "node2", "");
    }

    @Test
    void serviceThatIsStillSlowWhenTheNextFaultBeginsIsNotRestoredBeforeIt() {
        DrillMetrics metrics = metrics(pausedFrom(
                20, 40, steadyLoad().operation("READ", t -> 1000, t -> 300).queueing(20, 50)));

        Measure first = metrics.faults().get(0).get(Metric.SERVICE_RESTORED);
        assertThat(first.value()).isEmpty();
        assertThat(first.note()).isEqualTo("p99 above the SLO when the next fault began");
        assertThat(metrics.get(Metric.SERVICE_RESTORED).value()).isEmpty();
    }

    /** The window from 40 s to 50 s is slow because of the second fault. */
    @Test
    void aWindowInWhichTheNextFaultBeginsSaysNothingOfTheOneBefore() {
        DrillMetrics metrics = metrics(pausedFrom(
                20,
                43,
                steadyLoad()
                        .withResponse()
                        .operation("READ", t -> 1000, t -> t >= 20 && t < 30 || t >= 43 && t < 50 ? 3000 : 300)));

        FaultMetrics first = metrics.faults().get(0);
        assertThat(first.get(Metric.TIME_TO_P99).value().orElseThrow()).isCloseTo(10, EXACT);
        assertThat(first.get(Metric.SERVICE_RESTORED).value().orElseThrow()).isCloseTo(10, EXACT);
        assertThat(first.get(Metric.DEGRADED).value().orElseThrow()).isCloseTo(10, EXACT);
        assertThat(first.get(Metric.DEGRADED).censored()).isFalse();
        assertThat(first.get(Metric.BELOW_SLO).value().orElseThrow()).isCloseTo(10, EXACT);
    }

    /** The window from 30 s to 40 s ends after the cycle, and nobody knows whether it is slow because of the fault. */
    @Test
    void slownessAtTheEndOfACycleLastedAtLeastToTheEndOfItsLastWindow() {
        DrillMetrics metrics = metrics(steadyLoad()
                .withResponse()
                .operation("READ", t -> 1000, t -> t >= 22 && t < 30 ? 3000 : 300)
                .marker(22, "cycle-begun", "", "", ",\"cycle\":\"1\",\"null\":\"false\"")
                .marker(22, "fault-started", "pause", "node1", "")
                .marker(24, "fault-ended", "pause", "node1", "")
                .marker(37, "cycle-ended", "", "", ",\"cycle\":\"1\""));

        assertThat(metrics.cycles()
                        .get(0)
                        .metrics()
                        .get(Metric.SERVICE_RESTORED)
                        .value())
                .isEmpty();
        assertThat(CycleFigures.of(metrics))
                .filteredOn(figure -> figure.key().equals(Metric.SERVICE_RESTORED.key()))
                .singleElement()
                .satisfies(figure -> assertThat(figure.least()).isCloseTo(8, EXACT));
        Measure degraded = metrics.cycles().get(0).metrics().get(Metric.DEGRADED);
        assertThat(degraded.value().orElseThrow()).isCloseTo(8, EXACT);
        assertThat(degraded.censored()).isTrue();
    }

    /** The files of merged clients: their windows end some milliseconds after the run. */
    @Test
    void aWindowThatEndsJustAfterTheDataCounts() throws IOException {
        Path run = steadyLoad()
                .withResponse()
                .operation("READ", t -> 1000, t -> t >= 70 ? 3000 : 300)
                .marker(30, "fault-started", "pause", "node1", "")
                .writeTo(directory.resolve("run"));
        Path file = run.resolve("run.json");
        String json = Files.readString(file);
        assertThat(json).containsPattern("\"durationNanos\": *80000000000");
        Files.writeString(file, json.replaceAll("(\"durationNanos\": *)80000000000", "$179998000000"));

        Measure degraded = DrillMetrics.of(RunData.read(run)).get(Metric.DEGRADED);

        assertThat(degraded.value().orElseThrow()).isCloseTo(9.9, EXACT);
        assertThat(degraded.censored()).isTrue();
    }

    @Test
    void afterTheLoadNoLatencyIsTooHigh() {
        DrillMetrics metrics = metrics(steadyLoad()
                .operation("READ", t -> t < 60 ? 1000 : 0, t -> t >= 20 && t < 30 ? 3000 : 300)
                .stopped(60)
                .marker(20, "fault-started", "pause", "node1", ""));

        assertThat(value(metrics, Metric.TIME_TO_P99)).isCloseTo(10, EXACT);
    }

    /** So many that the probability of none, e to the power of minus their number, is 0 for a computer. */
    @Test
    void failuresAreASignOfTheFaultHoweverManyThereWereBefore() {
        SampleRun run =
                steadyLoad().operation("READ", t -> 5000, t -> 300).marker(30, "fault-started", "pause", "node1", "");
        for (int slice = 0; slice < 600; slice++) {
            run.failing(slice / 10.0, slice >= 350 && slice < 400 ? 500 : 20, 0);
        }

        assertThat(value(metrics(run), Metric.DETECT_CLIENT)).isCloseTo(5.1, EXACT);
    }

    @Test
    void overlappingFaultsSayThatTheyOverlap() {
        DrillMetrics metrics = metrics(stalling(20, 23)
                .marker(20, "fault-started", "kill", "node1", "")
                .marker(20.1, "event", "node-down", "node1", "")
                .marker(22, "fault-started", "kill", "node2", "")
                .marker(22.1, "event", "node-down", "node2", "")
                .recovered(40, "node1"));

        assertThat(metrics.faults().get(0).overlaps()).containsExactly(2);
        assertThat(metrics.faults().get(1).overlaps()).containsExactly(1);
        assertThat(metrics.faults().get(1).get(Metric.BASELINE).value()).hasValue(1000);
        assertThat(metrics.get(Metric.OPERATIONS_LOST).value()).isEmpty();
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).value()).isEmpty();
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).note()).contains("fault 2 (kill node2)");
    }

    @Test
    void runWithoutFaultsHasNoMetrics() {
        DrillMetrics metrics = metrics(SampleRun.plain());

        assertThat(metrics.faults()).isEmpty();
        assertThat(metrics.overall().values())
                .allSatisfy(m -> assertThat(m.value()).isEmpty());
    }

    @Test
    void stageDurationsAddUpToTheTotal() {
        RunData run = RunData.read(SampleRun.nodeRestart().writeTo(directory.resolve("run")));

        StageSum sum = StageSum.of(run.stages()).get(0);

        assertThat(sum.stages())
                .extracting(Stage::phase)
                .isEqualTo(Phase.unhealthy().stream().map(Phase::label).toList());
        assertThat(sum.sumSeconds().orElseThrow())
                .isCloseTo(sum.totalSeconds().orElseThrow(), EXACT)
                .isCloseTo(78.27, EXACT);
    }

    /** The fault that was in force before is in force again. */
    @Test
    void aPhaseThatIsOnAgainHasNoLength() {
        StageSum sum = StageSum.of(List.of(
                        new Stage("delay", "1", "delay", "server1", "fault", 20, OptionalDouble.of(30)),
                        new Stage("delay", "1", "delay", "server1", "fault", 33, OptionalDouble.empty())))
                .get(0);

        assertThat(sum.duration("fault")).isEqualTo("still open");
        assertThat(sum.seconds("fault")).isEmpty();
    }

    @Test
    void openStageHasNoSum() {
        RunData run = RunData.read(SampleRun.nodeKill().writeTo(directory.resolve("run")));

        assertThat(StageSum.of(run.stages()).get(0).sumSeconds()).isEmpty();
    }
}

package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.report.SampleRun;
import org.junit.jupiter.api.Test;

/** The steady state before a fault, and what is known without one. */
class BaselineTest extends MeasuredRun {
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
        // A closed loop of which a small loss cannot be told.
        assertThat(metrics(SampleRun.nodeRestart()).cautions())
                .singleElement()
                .asString()
                .contains("a loss of up to 3 % of B may be chance");
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

        assertThat(value(metrics, Metric.DEGRADED)).isCloseTo(2, EXACT);
        assertThat(metrics.get(Metric.DEGRADED).censored()).isTrue();
        assertThat(metrics.get(Metric.DEGRADED).note()).startsWith("throughput only: no p99 in the baseline");
    }

    /** Seconds of 900 and 1100: in turn they tell the mean; six by six they depend on each other, and 30 of them do not. */
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

        // Deviation 102 of 1000: 2.045 * 10.2 / sqrt(30).
        assertThat(value(even, Metric.BASELINE_CONFIDENCE)).isCloseTo(3.8, within(0.05));
        assertThat(wandering.get(Metric.BASELINE_CONFIDENCE).value()).isEmpty();
        assertThat(wandering.get(Metric.BASELINE_CONFIDENCE).note())
                .contains("depend on each other for about", "its 30 s say too little about its mean");
        assertThat(wandering.cautions()).anySatisfy(text -> assertThat(text).contains("it may be chance"));
        assertThat(even.cautions()).isEmpty();
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
}

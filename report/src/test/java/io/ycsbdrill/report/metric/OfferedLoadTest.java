package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How much the clients had to do, by a rate or by the steady state, and what was due of it. */
class OfferedLoadTest extends MeasuredRun {
    /** With a rate, what counts is how long a user waited, not how long the server took once it was asked. */
    @Test
    void withARateLatencyIsResponseTime() {
        SampleRun queueing = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> 1000, t -> 300)
                .marker(20, "fault-started", "pause", "node1", "");
        DrillMetrics closed = metrics(queueing);

        DrillMetrics open = metrics(queueing.queueing(20, 30).rate(1000));

        assertThat(value(closed, Metric.DEGRADED)).isZero();
        assertThat(value(open, Metric.DEGRADED)).isCloseTo(10, EXACT);
        assertThat(open.get(Metric.DEGRADED).censored()).isFalse();
        assertThat(value(open, Metric.LATENCY_BACK)).isCloseTo(10, EXACT);
        assertThat(value(open, Metric.DEGRADED)).isCloseTo(10, EXACT);
        assertThat(value(open, Metric.SERVICE_RESTORED)).isCloseTo(10, EXACT);
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
}

package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.summary.CycleFigures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Which windows tell that a service is slow, and for how long it was. */
class LatencyWindowsTest extends MeasuredRun {
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
        assertThat(first.get(Metric.LATENCY_BACK).value()).isEmpty();
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

    private static SampleRun pausedFrom(double first, double second, SampleRun run) {
        return run.marker(first, "fault-started", "pause", "node1", "")
                .marker(first + 2, "fault-ended", "pause", "node1", "")
                .marker(second, "fault-started", "pause", "node2", "")
                .marker(second + 2, "fault-ended", "pause", "node2", "");
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
                .get(Metric.DEGRADED);

        assertThat(below.censored()).isTrue();
        assertThat(below.note()).doesNotContain("not over");
    }

    @Test
    void serviceThatIsStillSlowWhenTheNextFaultBeginsIsNotRestoredBeforeIt() {
        DrillMetrics metrics = metrics(pausedFrom(
                20, 40, steadyLoad().operation("READ", t -> 1000, t -> 300).queueing(20, 50)));

        Measure first = metrics.faults().get(0).get(Metric.SERVICE_RESTORED);
        assertThat(first.value()).isEmpty();
        assertThat(first.note()).isEqualTo("latency above the SLO when the next fault began");
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
        assertThat(first.get(Metric.LATENCY_BACK).value().orElseThrow()).isCloseTo(10, EXACT);
        assertThat(first.get(Metric.SERVICE_RESTORED).value().orElseThrow()).isCloseTo(10, EXACT);
        assertThat(first.get(Metric.DEGRADED).value().orElseThrow()).isCloseTo(10, EXACT);
        assertThat(first.get(Metric.DEGRADED).censored()).isFalse();
        assertThat(first.get(Metric.DEGRADED).value().orElseThrow()).isCloseTo(10, EXACT);
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

        assertThat(value(metrics, Metric.LATENCY_BACK)).isCloseTo(10, EXACT);
    }
}

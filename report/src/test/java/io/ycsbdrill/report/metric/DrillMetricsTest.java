package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import java.util.List;
import org.junit.jupiter.api.Test;

class DrillMetricsTest extends MeasuredRun {
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
        assertThat(value(metrics, Metric.DEGRADED)).isGreaterThanOrEqualTo(2);
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

    /** A command of the user's may have wiped its node without any engine saying so: a recovery is then neither kept nor missed. */
    @Test
    void whatACommandDidToItsNodeIsNotSaidToHaveCostNothing() {
        DrillMetrics metrics =
                metrics(stalling(99, 99).marker(20, "fault-started", "run", "node1", ",\"fault\":\"run\""));

        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).applicable()).isFalse();
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).note())
                .startsWith("not known: ")
                .doesNotContain("never lost");
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
        assertThat(metrics.get(Metric.LATENCY_BACK).value()).isEmpty();
        assertThat(metrics.gaps().get("READ").open()).isTrue();
        assertThat(value(metrics, Metric.OPERATIONS_LOST)).isCloseTo(40_000, EXACT);
        for (Metric bound : List.of(Metric.ZERO_SECONDS, Metric.DEGRADED)) {
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
                .get(Metric.DEGRADED);

        assertThat(below.value().orElseThrow()).isCloseTo(2, EXACT);
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
        assertThat(metrics.get(Metric.REDUNDANCY_RESTORED).unreached()).isTrue();
    }

    @Test
    void runWithoutFaultsHasNoMetrics() {
        DrillMetrics metrics = metrics(SampleRun.plain());

        assertThat(metrics.faults()).isEmpty();
        assertThat(metrics.overall().values())
                .allSatisfy(m -> assertThat(m.value()).isEmpty());
    }
}

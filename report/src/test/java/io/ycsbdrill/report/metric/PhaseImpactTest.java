package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.StageSum;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** The phases of a recovery, and the minute after it. */
class PhaseImpactTest extends MeasuredRun {
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

    /** One slice may be lacking, the one in which redundancy came back; the dip and the row after the recovery agree. */
    @Test
    void aMinuteThatLacksOneSliceIsWhole() {
        for (double recovered : new double[] {20.1, 20.2}) {
            DrillMetrics metrics = metrics(SampleRun.lasting(80)
                    .exact()
                    .operation("READ", t -> 1000, t -> 300)
                    .drill("kill", "{}")
                    .marker(15, "fault-started", "kill", "node1", "")
                    .marker(15.2, "event", "node-down", "node1", "")
                    .recovered(recovered, "node1"));
            List<PhaseImpact> impacts = metrics.faults().get(0).impacts();
            PhaseImpact after = impacts.get(impacts.size() - 1);

            assertThat(after.seconds()).isCloseTo(80 - recovered, EXACT);
            assertThat(metrics.get(Metric.AFTER_DIP).censored()).isEqualTo(recovered > 20.15);
            assertThat(after.open()).isEqualTo(recovered > 20.15);
            assertThat(after.duration()).isEqualTo(recovered > 20.15 ? "59 of 60 s" : "60 s");
        }
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

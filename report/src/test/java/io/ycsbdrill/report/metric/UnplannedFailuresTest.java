package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Failures of nodes that nobody injected, and words of the engine that it takes back. */
class UnplannedFailuresTest extends MeasuredRun {
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
}

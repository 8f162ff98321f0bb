package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.summary.Verdict;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Each type of operations is judged by itself, where enough of it was due to do so. */
class OperationFiguresTest extends MeasuredRun {
    /** From 21 s on, for so long, there is no success of a second type. */
    private DrillMetrics without(String type, double rate, double seconds) {
        SampleRun run = SampleRun.lasting(80)
                .exact()
                .operation("READ", t -> 1000, t -> 300)
                .operation(type, t -> t >= 21 && t < 21 + seconds ? 0 : evenly(rate, t), t -> 300)
                .drill("fault", "{}")
                .marker(20, "fault-started", "kill", "node3", ",\"fault\":\"kill\"");
        return DrillMetrics.of(RunData.read(run.writeTo(directory.resolve(type + rate + "-" + seconds))));
    }

    /** Below one in a slice: one in some slices. */
    private static double evenly(double rate, double time) {
        return rate >= 10 ? rate : Math.round(10 * time) % Math.round(10 / rate) == 0 ? 10 : 0;
    }

    private static Verdict.Outcome verdict(DrillMetrics metrics, String limit, double allowed) {
        return Verdict.of(metrics, JsonNodeFactory.instance.objectNode().put(limit, allowed))
                .outcome();
    }

    @Test
    void theTypeThatHasItWorstIsTheOneThatIsJudgedAndNamed() {
        DrillMetrics metrics = without("UPDATE", 50, 10);

        assertThat(value(metrics, Metric.OUT)).isEqualTo(10, EXACT);
        assertThat(metrics.get(Metric.OUT).note()).startsWith("UPDATE; all operations together 0.0 s; below 1 % of");
        assertThat(value(metrics, Metric.LONGEST_GAP)).isEqualTo(10.1, EXACT);
        assertThat(value(metrics, Metric.SERVICE_RESTORED)).isBetween(10.5, 11.0);
        assertThat(value(metrics, Metric.DEGRADED)).isEqualTo(10, EXACT);
        assertThat(value(metrics, Metric.ZERO_SECONDS)).isZero();
        assertThat(verdict(metrics, "maxOutSeconds", 2)).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict(metrics, "maxUnavailableSeconds", 2)).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict(metrics, "maxServiceRestoreSeconds", 5)).isEqualTo(Verdict.Outcome.FAIL);

        Map<Metric, Measure> updates = metrics.operations().get("UPDATE");
        assertThat(updates.get(Metric.LOST_SECONDS).value().orElseThrow()).isEqualTo(10, EXACT);
        assertThat(metrics.operations().get("READ").get(Metric.LOST_SECONDS).value())
                .hasValue(0);
    }

    @Test
    void secondsWithoutWritesAndWithoutReadsAreFiguresWithLimits() {
        DrillMetrics metrics = without("INSERT", 500, 10);

        assertThat(value(metrics, Metric.WRITE_OUTAGE)).isEqualTo(10, EXACT);
        assertThat(value(metrics, Metric.READ_OUTAGE)).isZero();
        assertThat(verdict(metrics, "maxWriteOutageSeconds", 2)).isEqualTo(Verdict.Outcome.FAIL);
        assertThat(verdict(metrics, "maxWriteOutageSeconds", 11)).isEqualTo(Verdict.Outcome.PASS);
        assertThat(verdict(metrics, "maxReadOutageSeconds", 0)).isEqualTo(Verdict.Outcome.PASS);
        assertThat(without("SCAN", 500, 10).get(Metric.WRITE_OUTAGE).applicable())
                .isFalse();
    }

    /** To the end of the data it lasted at least so long, whatever the others do. */
    @Test
    void aTypeThatNeverComesBackKeepsNoLimit() {
        DrillMetrics metrics = without("UPDATE", 50, 100);

        assertThat(metrics.get(Metric.OUT).censored()).isTrue();
        assertThat(metrics.get(Metric.WRITE_OUTAGE).censored()).isTrue();
        assertThat(metrics.get(Metric.LONGEST_GAP).censored()).isTrue();
        assertThat(metrics.get(Metric.SERVICE_RESTORED).value()).isEmpty();
        assertThat(verdict(metrics, "maxOutSeconds", 1000)).isEqualTo(Verdict.Outcome.FAIL);
    }

    /** One in a second: five without a success may be chance, thirty are none. */
    @Test
    void aRareTypeIsJudgedByWhatChanceDoesNotExplain() {
        DrillMetrics brief = without("SCAN", 1, 5);
        DrillMetrics lasting = without("SCAN", 1, 30);

        assertThat(value(brief, Metric.OUT)).isZero();
        assertThat(value(brief, Metric.LONGEST_GAP)).isLessThan(0.3);
        Measure ofScans = brief.operations().get("SCAN").get(Metric.LONGEST_GAP);
        assertThat(ofScans.value().orElseThrow()).as("seen all the same").isBetween(5.0, 7.0);
        assertThat(ofScans.note()).startsWith("may be chance, as below 20.");
        assertThat(brief.cautions()).anyMatch(caution -> caution.startsWith("SCAN is judged by itself only where"));
        assertThat(value(lasting, Metric.OUT)).isBetween(29.0, 31.0);
    }

    /** Nobody knows how much longer it would have been. */
    @Test
    void aGapThatMayBeChanceIsOpenWhereTheDataEndInIt() {
        SampleRun run = SampleRun.lasting(80)
                .exact()
                .operation("READ", t -> 1000, t -> 300)
                .operation("SCAN", t -> t >= 74 ? 0 : evenly(1, t), t -> 300)
                .drill("fault", "{}")
                .marker(20, "fault-started", "kill", "node3", ",\"fault\":\"kill\"");
        DrillMetrics metrics = DrillMetrics.of(RunData.read(run.writeTo(directory.resolve("open"))));

        Measure gap = metrics.operations().get("SCAN").get(Metric.LONGEST_GAP);
        assertThat(gap.note()).startsWith("may be chance");
        assertThat(gap.censored()).isTrue();
    }

    @Test
    void ofATypeOfWhichTooFewWereDueItIsSaidThatItIsNotJudged() {
        DrillMetrics metrics = without("SCAN", 0.2, 60);

        assertThat(value(metrics, Metric.OUT)).isZero();
        assertThat(metrics.operations().get("SCAN").get(Metric.OUT).value()).isEmpty();
        assertThat(metrics.cautions()).anyMatch(caution -> caution.startsWith("SCAN is not judged by itself: "));
    }
}

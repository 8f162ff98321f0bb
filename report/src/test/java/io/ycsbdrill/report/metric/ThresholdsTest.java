package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.summary.Check;
import io.ycsbdrill.report.summary.DrillSummary;
import java.nio.file.Path;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each share and each limit at its very edge: 100,000 operations per second, and something else from 30 s to 40 s. */
class ThresholdsTest {
    private static final Offset<Double> EDGES = within(0.2 + 1e-6);
    private static final Offset<Double> EXACT = within(1e-6);

    @TempDir
    private Path directory;

    private DrillSummary summary(double perSecond, double micros, String limits) {
        return DrillSummary.of(RunData.read(SampleRun.lasting(100)
                .exact()
                .operation("READ", t -> t >= 30 && t < 40 ? perSecond : 100_000, t -> t >= 30 && t < 40 ? micros : 300)
                .drill("edge", limits)
                .marker(30, "fault-started", "pause", "node1", "")
                .marker(40, "fault-ended", "pause", "node1", "")
                .writeTo(directory.resolve("run"))));
    }

    private double value(Metric metric, double perSecond, double micros) {
        return summary(perSecond, micros, "{}").metrics().get(metric).value().orElseThrow();
    }

    @Test
    void onePercentOfTheOfferedLoadIsService() {
        assertThat(value(Metric.OUT, 1_000, 300)).isZero();
    }

    @Test
    void lessThanOnePercentOfTheOfferedLoadIsNone() {
        assertThat(value(Metric.OUT, 990, 300)).isCloseTo(10, EDGES);
    }

    /** With fewer than ten operations due, none of them succeeding is no outage. */
    @Test
    void tenOperationsThatWereDueAndNoneThatSucceededAreAnOutage() {
        for (double seconds : new double[] {0.6, 1.3}) {
            DrillSummary summary = DrillSummary.of(RunData.read(SampleRun.lasting(60)
                    .exact()
                    .rate(10)
                    .operation("READ", t -> t >= 30 && t < 30 + seconds ? 0 : 10, t -> 300)
                    .drill("edge", "{}")
                    .marker(30, "fault-started", "pause", "node1", "")
                    .marker(40, "fault-ended", "pause", "node1", "")
                    .writeTo(directory.resolve("run" + seconds))));

            assertThat(summary.metrics().get(Metric.OUT).value().orElseThrow())
                    .as("%s s without a success", seconds)
                    .isCloseTo(seconds < 1 ? 0 : seconds, EDGES);
        }
    }

    @Test
    void ninetyPercentOfTheOfferedLoadIsNotDegraded() {
        assertThat(value(Metric.DEGRADED, 90_000, 300)).isZero();
        assertThat(value(Metric.SERVICE_RESTORED, 90_000, 300)).isZero();
    }

    @Test
    void lessThanNinetyPercentOfTheOfferedLoadIsDegraded() {
        assertThat(value(Metric.DEGRADED, 89_900, 300)).isCloseTo(10, EDGES);
    }

    @Test
    void serviceIsRestoredWhereNinetyPercentAreBackForGood() {
        assertThat(value(Metric.SERVICE_RESTORED, 80_000, 300)).isBetween(9.0, 10.1);
    }

    @Test
    void aMillisecondAboveTheMedianOfTheBaselineIsWithinTheSlo() {
        assertThat(value(Metric.DEGRADED, 100_000, 1_280)).isZero();
    }

    @Test
    void moreThanAMillisecondAboveTheMedianOfTheBaselineIsDegraded() {
        assertThat(value(Metric.DEGRADED, 100_000, 1_330)).isCloseTo(10, EDGES);
    }

    @Test
    void aTailThatIsLongForTwoSecondsIsDegradedAndOneOfASecondIsNot() {
        for (int seconds = 1; seconds <= 3; seconds++) {
            int until = 30 + seconds;
            DrillSummary summary = DrillSummary.of(RunData.read(SampleRun.lasting(60)
                    .exact()
                    .windows(1)
                    .operation("READ", t -> 1_000, t -> t >= 30 && t < until ? 3_000 : 300)
                    .drill("edge", "{}")
                    .marker(30, "fault-started", "pause", "node1", "")
                    .marker(40, "fault-ended", "pause", "node1", "")
                    .writeTo(directory.resolve("run" + seconds))));

            assertThat(summary.metrics().get(Metric.DEGRADED).value().orElseThrow())
                    .isCloseTo(seconds == 1 ? 0 : seconds, EDGES);
        }
    }

    @Test
    void serviceIsNotRestoredWhileUsersWaitUntilTheEndOfTheData() {
        for (double until : new double[] {50, 60}) {
            Measure restored = DrillSummary.of(RunData.read(SampleRun.lasting(60)
                            .exact()
                            .rate(1_000)
                            .queueing(30, until)
                            .operation("READ", t -> 1_000, t -> 300)
                            .drill("edge", "{}")
                            .marker(30, "fault-started", "pause", "node1", "")
                            .marker(40, "fault-ended", "pause", "node1", "")
                            .writeTo(directory.resolve("run" + until))))
                    .metrics()
                    .get(Metric.SERVICE_RESTORED);

            if (until == 60) {
                assertThat(restored.value()).isEmpty();
                assertThat(restored.note()).isEqualTo("latency above the SLO at the end of the data");
            } else {
                assertThat(restored.value().orElseThrow()).isCloseTo(20, within(1.0));
            }
        }
    }

    @Test
    void whatIsExactlyTheLimitKeepsIt() {
        double lost = value(Metric.LOST_SECONDS, 50_000, 300);
        double served = value(Metric.FIRST_MINUTE, 50_000, 300);
        assertThat(lost).isCloseTo(5, EXACT);

        assertThat(summary(50_000, 300, "{\"maxLostSeconds\":" + lost + ",\"minThroughputPercent\":" + served + "}")
                        .verdict()
                        .line())
                .isEqualTo("PASS: 3 of 3 limits kept");
        assertThat(summary(
                                50_000,
                                300,
                                "{\"maxLostSeconds\":" + (lost - 0.001) + ",\"minThroughputPercent\":"
                                        + (served + 0.001) + "}")
                        .verdict()
                        .checks())
                .filteredOn(check -> !check.key().equals("serviceRestored"))
                .extracting(Check::result)
                .containsOnly(Check.Result.FAIL);
    }
}

package io.ycsbdrill.report.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.metric.Measure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegressionTest {
    private static List<OptionalDouble> runs(double... values) {
        return Arrays.stream(values)
                .mapToObj(v -> Double.isNaN(v) ? OptionalDouble.empty() : OptionalDouble.of(v))
                .toList();
    }

    private static boolean worse(HistoryMetric metric, double value, List<OptionalDouble> earlier) {
        Measure figure = Double.isNaN(value) ? Measure.notReached(0, "not reached") : Measure.of(value);
        return Regression.of(metric, figure, earlier).isPresent();
    }

    @ParameterizedTest
    @CsvSource({
        "THROUGHPUT, 79, true",
        "THROUGHPUT, 81, false",
        "THROUGHPUT, 500, false",
        "RECOVERY, 121, true",
        "RECOVERY, 119, false",
        "RECOVERY, 5, false"
    })
    void aFifthWorseThanAQuietMedianIsARegression(HistoryMetric metric, double value, boolean worse) {
        assertThat(worse(metric, value, runs(100, 100, 101, 99, 100))).isEqualTo(worse);
    }

    @Test
    void whereRunsVaryMoreMoreIsAllowed() {
        List<OptionalDouble> restless = runs(60, 100, 140, 80, 120);

        // Median 100, median absolute deviation 20: 3 x 1.4826 x 20 = 89.
        assertThat(worse(HistoryMetric.RECOVERY, 188, restless)).isFalse();
        assertThat(worse(HistoryMetric.RECOVERY, 190, restless)).isTrue();
    }

    @Test
    void oneWildRunBeforeDoesNotHideARegression() {
        assertThat(worse(HistoryMetric.RECOVERY, 15, runs(10, 10, 9000, 10, 10)))
                .isTrue();
    }

    /** A bound that is below what is usual only says that nobody could judge the latency. */
    @Test
    void aServiceOfUnknownLatencyIsWorseOnlyWhenItsBoundIs() {
        List<OptionalDouble> earlier = runs(12, 12, 12, 12, 12);

        assertThat(Regression.of(HistoryMetric.SERVICE, Measure.atLeast(3, "no p99"), earlier))
                .isEmpty();
        assertThat(Regression.of(HistoryMetric.SERVICE, Measure.atLeast(60, "no p99"), earlier))
                .isPresent();
        assertThat(Regression.of(HistoryMetric.GAP, Measure.atLeast(3, "no success"), earlier))
                .isPresent();
    }

    @Test
    void withFewerThanFiveRunsNothingIsJudged() {
        assertThat(worse(HistoryMetric.THROUGHPUT, 1, runs(100, 100, 100, 100))).isFalse();
        assertThat(worse(HistoryMetric.THROUGHPUT, 1, runs(100, 100, 100, 100, Double.NaN)))
                .isFalse();
        assertThat(worse(HistoryMetric.THROUGHPUT, 1, runs(100, 100, 100, 100, 100)))
                .isTrue();
    }

    @Test
    void whatIsNotReachedAnyMoreIsARegression() {
        assertThat(Regression.of(
                        HistoryMetric.RECOVERY, Measure.notReached(3, "not restored"), runs(10, 10, 10, 10, 10)))
                .hasValue("Redundancy restored was not reached; the median of 5 earlier runs is 10 s");
        assertThat(worse(HistoryMetric.RECOVERY, Double.NaN, runs(Double.NaN, Double.NaN)))
                .isFalse();
    }

    /** Nobody knows how long it took where the data are too short, or the service was restless before; only of what is known it can be worse. */
    @Test
    void whatIsNotKnownIsNotWorse() {
        List<OptionalDouble> earlier = runs(10, 10, 10, 10, 10);
        Measure unknown = Measure.absent("less than 10 s of data after the fault");

        for (HistoryMetric metric : HistoryMetric.values()) {
            assertThat(Regression.of(metric, unknown, earlier))
                    .as(metric.name())
                    .isEmpty();
            assertThat(Regression.judges(unknown, earlier)).as(metric.name()).isFalse();
        }
        for (HistoryMetric metric : List.of(HistoryMetric.SERVICE, HistoryMetric.RECOVERY)) {
            assertThat(Regression.of(metric, Measure.notReached(0, "not at 90 % of B"), earlier))
                    .as(metric.name())
                    .isPresent();
        }
    }

    @Test
    void whereThereWasNothingToMeasureNothingIsWorse() {
        assertThat(Regression.of(HistoryMetric.RECOVERY, Measure.notApplicable("never lost"), runs(30, 30, 30, 30, 30)))
                .isEmpty();
    }

    @Test
    void aGapThatTheDataCutShortIsWorseThanOneThatEnded() {
        Measure open = Measure.atLeast(20.1, "no success until the end of the data");

        assertThat(Regression.of(HistoryMetric.GAP, open, runs(21, 21, 21, 21, 21)))
                .hasValue("Longest gap ≥ 20.1 s: no success until the end of the data;"
                        + " the median of 5 earlier runs is 21 s");
    }

    @Test
    void triflesAreNoRegressions() {
        assertThat(worse(HistoryMetric.FAILED, 9, runs(0, 0, 0, 0, 0))).isFalse();
        assertThat(worse(HistoryMetric.FAILED, 11, runs(0, 0, 0, 0, 0))).isTrue();
        assertThat(worse(HistoryMetric.RECOVERY, 1.1, runs(0.2, 0.2, 0.2, 0.2, 0.2)))
                .isFalse();
    }

    @Test
    void onlyTheNewestTwentyCount() {
        List<OptionalDouble> then = Collections.nCopies(40, OptionalDouble.of(1000));
        List<OptionalDouble> all = new ArrayList<>(then);
        all.addAll(Collections.nCopies(20, OptionalDouble.of(100)));

        assertThat(worse(HistoryMetric.THROUGHPUT, 95, all)).isFalse();
    }
}

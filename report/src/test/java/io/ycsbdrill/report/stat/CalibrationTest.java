package io.ycsbdrill.report.stat;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.stat.SimulatedEngine.Measured;
import io.ycsbdrill.report.stat.SimulatedEngine.Scatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The figures of {@code bench/calibration.sh} with fewer experiments; the seeds are fixed. */
class CalibrationTest {
    private static final int EXPERIMENTS = 2000;

    @ParameterizedTest
    @CsvSource({"NORMAL, 5", "NORMAL, 10", "LOG_NORMAL, 5", "LOG_NORMAL, 7"})
    void theIntervalOfARatioContainsTheTruthAsOftenAsItSays(Scatter scatter, int pairs) {
        assertThat(Calibration.inside(scatter, pairs, EXPERIMENTS, Measured::ratio))
                .isBetween(0.935, 0.965);
    }

    @Test
    void withOutliersItIsTooWideRatherThanTooNarrow() {
        assertThat(Calibration.inside(Scatter.OUTLIERS, 5, EXPERIMENTS, Measured::ratio))
                .isBetween(0.935, 0.985);
    }

    @ParameterizedTest
    @EnumSource
    void theIntervalOfAMedianContainsTheTruthAsOftenAsItSays(Scatter scatter) {
        double truth = scatter.median();
        for (int n = 5; n <= 10; n++) {
            assertThat(Calibration.medianInside(scatter, n, truth, EXPERIMENTS, MedianInterval::of))
                    .as("n=" + n)
                    .isBetween(0.925, 0.97);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NORMAL", "LOG_NORMAL", "OUTLIERS"})
    void aVariantSeldomDiffersFromItself(Scatter scatter) {
        assertThat(Calibration.called(scatter, 5, 1, EXPERIMENTS)).isBetween(0.01, 0.05);
    }

    @Test
    void aTrueFifthIsFoundInFourOfFiveExperiments() {
        assertThat(Calibration.called(Scatter.NORMAL, 5, 1.2, EXPERIMENTS)).isGreaterThan(0.8);
        assertThat(Calibration.called(Scatter.NORMAL, 5, 0.8, EXPERIMENTS)).isGreaterThan(0.8);
    }

    @Test
    void whatIsCalledDetectableIsFoundInFourOfFiveExperiments() {
        double ratio = DetectableRatio.of(Calibration.SCATTER * Math.sqrt(1.5), 5);
        assertThat(Calibration.called(Scatter.LOG_NORMAL, 5, ratio, EXPERIMENTS))
                .isBetween(0.75, 0.85);
    }

    @Test
    void driftFoolsRunsInARowButNotInterleavedOnes() {
        assertThat(Calibration.driftCalls(
                        0.01, EXPERIMENTS, e -> e.interleaved(5, 1).ratio()))
                .isBetween(0.03, 0.065);
        assertThat(Calibration.driftCalls(0.01, EXPERIMENTS, e -> {
                    Measured m = e.sequential(5, 1);
                    return PairedRatio.of(m.a(), m.b());
                }))
                .isGreaterThan(0.9);
    }

    @ParameterizedTest
    @CsvSource({"NORMAL, 20", "NORMAL, 50", "LOG_NORMAL, 50", "OUTLIERS, 50"})
    void aSeriesWithoutChangeSeldomHasOne(Scatter scatter, int runs) {
        assertThat(Calibration.changed(scatter, runs, 1, 1000, false)).isBetween(0.001, 0.05);
    }

    @Test
    void aStepIsFoundWhereItIs() {
        assertThat(Calibration.changed(Scatter.NORMAL, 20, 0.8, 1000, true)).isGreaterThan(0.95);
    }
}

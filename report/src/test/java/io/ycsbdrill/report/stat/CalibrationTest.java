package io.ycsbdrill.report.stat;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.stat.SimulatedEngine.Measured;
import io.ycsbdrill.report.stat.SimulatedEngine.Scatter;
import java.util.Arrays;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The figures of {@code bench/calibration.sh} with fewer experiments; the seeds are fixed. */
@Tag("simulation")
class CalibrationTest {
    private static final int EXPERIMENTS = 2000;

    @ParameterizedTest
    @CsvSource({"NORMAL, 5", "NORMAL, 10", "LOG_NORMAL, 5", "LOG_NORMAL, 7"})
    void theIntervalOfARatioContainsTheTruthAsOftenAsItSays(Scatter scatter, int pairs) {
        assertThat(Calibration.inside(scatter, pairs, EXPERIMENTS, Measured::ratio))
                .isBetween(0.935, 0.965);
    }

    /** However many pairs the scatter of the first five asks for: between 5 and some 35 here, and it is as narrow as asked. */
    @ParameterizedTest
    @CsvSource({"0.02, 0.1", "0.05, 0.1", "0.1, 0.1", "0.2, 0.1", "0.05, 0.03"})
    void anIntervalOfAsManyPairsAsItTakesContainsTheTruthAsOftenAsItSays(double scatter, double share) {
        Random random = new Random(1);
        int inside = 0;
        int insideTheUsual = 0;
        for (int i = 0; i < EXPERIMENTS; i++) {
            double[] a = new double[TwoStageRatio.PILOT];
            double[] b = pairs(random, scatter, TwoStageRatio.PILOT, new double[0]);
            Arrays.fill(a, 1);
            int needed = TwoStageRatio.pairs(a, b, share);
            b = pairs(random, scatter, needed, b);
            a = new double[needed];
            Arrays.fill(a, 1);
            Estimate ratio = PairedRatio.of(a, b, PairCount.PILOTED);
            assertThat(ratio.n()).isEqualTo(needed);
            assertThat(ratio.high() / ratio.value()).isLessThanOrEqualTo(1 + share + 1e-9);
            inside += ratio.excludes(1) ? 0 : 1;
            insideTheUsual += PairedRatio.of(a, b).excludes(1) ? 0 : 1;
        }

        assertThat((double) inside / EXPERIMENTS).isBetween(0.935, 0.965);
        if (scatter == 0.2) {
            assertThat((double) insideTheUsual / EXPERIMENTS)
                    .as("the usual interval")
                    .isLessThan(0.945);
        }
    }

    private static double[] pairs(Random random, double scatter, int n, double[] first) {
        double[] ratios = Arrays.copyOf(first, n);
        for (int i = first.length; i < n; i++) {
            ratios[i] = Math.exp(scatter * random.nextGaussian());
        }
        return ratios;
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

    /**
     * Why cycles of a drill do not end early (docs/statistics.md, "Cycles"): times of one drill are skewed, so they have the interval of a median,
     * and of any number that follows from their scatter it contains the truth less often than of one that was given.
     */
    @Test
    void anEarlyEndCostsTheIntervalOfAMedianItsCoverage() {
        Random random = new Random(1);
        int[] inside = new int[4];
        for (int i = 0; i < EXPERIMENTS; i++) {
            double[] logs = new double[30];
            Arrays.setAll(logs, each -> 0.2 * (-Math.log(1 - random.nextDouble()) - Math.log(2)));
            int narrow = 5;
            while (narrow < logs.length && reach(Arrays.copyOf(logs, narrow)) > Math.log1p(0.1)) {
                narrow++;
            }
            double[] ratios = Arrays.stream(logs).map(Math::exp).toArray();
            double[] ones = new double[logs.length];
            Arrays.fill(ones, 1);
            int piloted =
                    Math.min(logs.length, TwoStageRatio.pairs(Arrays.copyOf(ones, 5), Arrays.copyOf(ratios, 5), 0.1));
            inside[0] += MedianInterval.of(logs).excludes(0) ? 0 : 1;
            inside[1] += MedianInterval.of(Arrays.copyOf(logs, narrow)).excludes(0) ? 0 : 1;
            inside[2] += MedianInterval.of(Arrays.copyOf(logs, piloted)).excludes(0) ? 0 : 1;
            inside[3] += PairedRatio.of(Arrays.copyOf(ones, piloted), Arrays.copyOf(ratios, piloted), PairCount.PILOTED)
                            .excludes(1)
                    ? 0
                    : 1;
        }

        String seen = Arrays.toString(inside) + " of " + EXPERIMENTS;
        assertThat(inside[0]).as("as many as were given: %s", seen).isGreaterThan(EXPERIMENTS * 937 / 1000);
        assertThat(inside[1]).as("until it is narrow: %s", seen).isLessThan(EXPERIMENTS * 93 / 100);
        assertThat(inside[2]).as("as the first five ask for: %s", seen).isLessThan(EXPERIMENTS * 937 / 1000);
        assertThat(inside[3]).as("with the rule of a ratio: %s", seen).isLessThan(EXPERIMENTS * 90 / 100);
    }

    private static double reach(double[] logs) {
        Estimate median = MedianInterval.of(logs);
        return Math.max(median.high() - median.value(), median.value() - median.low());
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
    void driftFoolsRunsInARowButNotThoseOfBlocks() {
        assertThat(Calibration.driftCalls(0.01, EXPERIMENTS, e -> e.drawn(5, 1).ratio()))
                .isBetween(0.03, 0.065);
        assertThat(Calibration.driftCalls(0.01, EXPERIMENTS, e -> {
                    Measured m = e.sequential(5, 1);
                    return PairedRatio.of(m.a(), m.b());
                }))
                .isGreaterThan(0.9);
    }

    private static IntToDoubleFunction disturbance(String what, long seed) {
        double phase = new SplittableRandom(seed).nextDouble();
        if (what.equals("third")) {
            return run -> (run + (int) (3 * phase)) % 3 == 0 ? 0.95 : 1;
        }
        double period = Double.parseDouble(what);
        return run -> 1 + 0.03 * Math.sin(2 * Math.PI * (run / period + phase));
    }

    private static double disturbed(String what, int pairs, Function<SimulatedEngine, Measured> order) {
        return SimulatedEngine.share(
                EXPERIMENTS,
                seed -> order.apply(new SimulatedEngine(Scatter.LOG_NORMAL, 0.02, disturbance(what, seed), seed))
                                .ratio()
                                .excludes(1)
                        ? 0
                        : 1);
    }

    /** Every third run loses 5 %, or a sine of 3, 3.2 or 6 runs of 3 %; that of 6 is measured at 92 % with 5 pairs. */
    @ParameterizedTest
    @ValueSource(strings = {"third", "3", "3.2", "6"})
    void whatComesBackEveryFewRunsIsNoEffectOfB(String what) {
        for (int pairs : new int[] {3, 5, 10}) {
            assertThat(disturbed(what, pairs, engine -> engine.drawn(pairs, 1)))
                    .as(what + ", " + pairs + " pairs")
                    .isGreaterThanOrEqualTo(what.equals("6") ? 0.91 : 0.93);
        }
    }

    @Test
    void aFixedOrderTakesItForAnEffectOfB() {
        assertThat(disturbed("third", 10, engine -> engine.fixed(10, 1))).isLessThan(0.4);
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

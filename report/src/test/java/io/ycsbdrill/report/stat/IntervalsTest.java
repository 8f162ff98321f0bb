package io.ycsbdrill.report.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.base.Median;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class IntervalsTest {
    private static final Offset<Double> CLOSE = within(1e-9);

    @Test
    void theMedianOfFiveLiesBetweenSmallestAndLargest() {
        assertThat(MedianInterval.of(new double[] {5, 1, 4, 2, 3})).isEqualTo(new Estimate(3, 1, 5, 5));
    }

    @Test
    void ofMoreValuesTheIntervalIsInterpolatedBetweenOrderStatistics() {
        // n = 6: g(1) = 31/32, g(2) = 25/32, I = 0.1; 5 x 0.1 / (1 + 4 x 0.1) of the way from 1 to 2.
        Estimate six = MedianInterval.of(new double[] {1, 2, 3, 4, 5, 6});
        assertThat(six.value()).isEqualTo(3.5);
        assertThat(six.low()).isCloseTo(1 + 0.5 / 1.4, CLOSE);
        assertThat(six.high()).isCloseTo(6 - 0.5 / 1.4, CLOSE);
        // n = 9: g(2) = 492/512, g(3) = 420/512.
        double share = (492 / 512.0 - 0.95) / (72 / 512.0);
        Estimate nine = MedianInterval.of(new double[] {1, 2, 3, 4, 5, 6, 7, 8, 9});
        assertThat(nine.low()).isCloseTo(2 + 7 * share / (2 + 5 * share), CLOSE);
    }

    @Test
    void fewerThanFiveHaveAMedianButNoInterval() {
        Estimate four = MedianInterval.of(new double[] {1, 2, 4, 8});
        assertThat(four.value()).isEqualTo(3);
        assertThat(four.hasInterval()).isFalse();
        assertThat(four.excludes(1e9)).isFalse();
        assertThat(MedianInterval.of(new double[0]).value()).isNaN();
    }

    @Test
    void medianOfEvenAndOddCounts() {
        assertThat(Median.of(new double[] {3, 1, 2})).isEqualTo(2);
        assertThat(Median.of(new double[] {4, 1, 2, 3})).isEqualTo(2.5);
    }

    @Test
    void aValueThatWasNeverReachedMayBeInfinite() {
        double never = Double.POSITIVE_INFINITY;
        assertThat(MedianInterval.of(new double[] {1, 2, 3, never, never, never, never}))
                .isEqualTo(new Estimate(
                        never, 1 + 6 * interpolationOfSeven() / (1 + 5 * interpolationOfSeven()), never, 7));
    }

    private static double interpolationOfSeven() {
        double outer = 126 / 128.0;
        return (outer - 0.95) / (outer - 112 / 128.0);
    }

    @Test
    void aRatioIsTheGeometricMeanWithStudentsInterval() {
        // ln ratios: ln 2 and twice ln 4 and ln 8: mean ln 4, sd ln 2 x sqrt(2/3); t(0.975, 3) = 3.18244630528371.
        Estimate ratio = PairedRatio.of(new double[] {1, 10, 3, 5}, new double[] {2, 40, 12, 40});
        double half = 3.18244630528371 * Math.log(2) * Math.sqrt(2 / 3.0) / 2;
        assertThat(ratio.value()).isCloseTo(4, CLOSE);
        assertThat(ratio.low()).isCloseTo(4 * Math.exp(-half), CLOSE);
        assertThat(ratio.high()).isCloseTo(4 * Math.exp(half), CLOSE);
        assertThat(ratio.n()).isEqualTo(4);
    }

    @Test
    void exchangedSidesGiveTheInverse() {
        double[] a = {101, 97, 105, 99, 100};
        double[] b = {115, 120, 113, 119, 124};
        assertThat(PairedRatio.of(b, a).high())
                .isCloseTo(1 / PairedRatio.of(a, b).low(), CLOSE);
    }

    @Test
    void twoPairsHaveARatioButNoInterval() {
        Estimate two = PairedRatio.of(new double[] {1, 1}, new double[] {2, 8});
        assertThat(two.value()).isCloseTo(4, CLOSE);
        assertThat(two.hasInterval()).isFalse();
        assertThat(Comparison.of(two, NoiseFloor.none(), true)).isEqualTo(Comparison.NOT_DISTINGUISHABLE);
    }

    @Test
    void valuesWithoutARatioAreRefused() {
        assertThatThrownBy(() -> PairedRatio.of(new double[] {1, 2}, new double[] {1}))
                .hasMessageContaining("not 2 and 1");
        assertThatThrownBy(() -> PairedRatio.of(new double[] {0}, new double[] {1}))
                .hasMessageContaining("above 0");
        assertThatThrownBy(() -> MedianInterval.of(new double[] {1, Double.NaN}))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> new Estimate(1, 2, 1, 3)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDifferenceIsJudgedByTheDirectionOfTheFigure() {
        Estimate higher = new Estimate(1.2, 1.1, 1.3, 5);
        Estimate lower = new Estimate(0.8, 0.7, 0.9, 5);
        assertThat(Comparison.of(higher, NoiseFloor.none(), true)).isEqualTo(Comparison.BETTER);
        assertThat(Comparison.of(higher, NoiseFloor.none(), false)).isEqualTo(Comparison.WORSE);
        assertThat(Comparison.of(lower, NoiseFloor.none(), true)).isEqualTo(Comparison.WORSE);
        assertThat(Comparison.of(lower, NoiseFloor.none(), false)).isEqualTo(Comparison.BETTER);
        assertThat(Comparison.of(new Estimate(1.2, 0.99, 1.4, 5), NoiseFloor.none(), true))
                .isEqualTo(Comparison.NOT_DISTINGUISHABLE);
    }

    @Test
    void whatAVariantDiffersFromItselfIsNotADifferenceOfAnother() {
        NoiseFloor floor = NoiseFloor.of(new double[] {100, 100}, new double[] {80, 80});
        assertThat(floor.ratio()).isCloseTo(1.25, CLOSE);
        assertThat(Comparison.of(new Estimate(1.2, 1.1, 1.3, 5), floor, true))
                .isEqualTo(Comparison.NOT_DISTINGUISHABLE);
        assertThat(Comparison.of(new Estimate(0.82, 0.8, 0.85, 5), floor, true))
                .isEqualTo(Comparison.NOT_DISTINGUISHABLE);
        assertThat(Comparison.of(new Estimate(1.3, 1.1, 1.5, 5), floor, true)).isEqualTo(Comparison.BETTER);
    }

    @Test
    void aDifferenceBelowTheResolutionOfTheFiguresIsNone() {
        double[] a = {1000, 1000, 1000};
        double[] b = {1000.5, 1000.5, 1000.5};
        assertThat(Comparison.of(PairedRatio.of(a, b), NoiseFloor.of(a, a), true))
                .isEqualTo(Comparison.NOT_DISTINGUISHABLE);
    }

    @Test
    void moreScatterAndFewerPairsHideLargerDifferences() {
        // (2.776445 + 0.940965) x 0.1 / sqrt(5)
        assertThat(DetectableRatio.of(0.1, 5)).isCloseTo(Math.exp(0.166248), within(1e-4));
        assertThat(DetectableRatio.of(0.1, 10)).isLessThan(DetectableRatio.of(0.1, 5));
        assertThat(DetectableRatio.of(0.2, 5)).isGreaterThan(DetectableRatio.of(0.1, 5));
        assertThat(DetectableRatio.of(new double[] {1, 1}, new double[] {1, 2}, PairCount.PLANNED))
                .isNaN();
    }

    @Test
    void aDifferenceHasStudentsIntervalAndADirection() {
        // Differences 1, 2, 3: mean 2, sd 1; t(0.975, 2) = 4.30265273, t(0.8, 2) = 1.06066017.
        PairedDifference difference = PairedDifference.of(new double[] {0, 0, 5}, new double[] {1, 2, 8});
        assertThat(difference.estimate().low()).isCloseTo(2 - 4.30265273 / Math.sqrt(3), within(1e-6));
        assertThat(difference.detectable()).isCloseTo(5.3633129 / Math.sqrt(3), within(1e-6));
        assertThat(difference.comparison(0, false)).isEqualTo(Comparison.NOT_DISTINGUISHABLE);

        PairedDifference sure = PairedDifference.of(new double[] {0, 0, 0}, new double[] {2, 2.1, 1.9});
        assertThat(sure.comparison(0, false)).isEqualTo(Comparison.WORSE);
        assertThat(sure.comparison(0, true)).isEqualTo(Comparison.BETTER);
        assertThat(sure.comparison(2.5, false)).isEqualTo(Comparison.NOT_DISTINGUISHABLE);
        assertThatThrownBy(() -> PairedDifference.of(new double[] {Double.NaN}, new double[] {1}))
                .hasMessageContaining("finite");
    }
}

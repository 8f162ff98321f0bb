package io.ycsbdrill.report.stat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is said about repeats with and without an effect, and about their trend. */
class RepeatsTest {
    private static double[] upTo(int n) {
        return IntStream.rangeClosed(1, n).asDoubleStream().toArray();
    }

    /** Hollander, Wolfe, "Nonparametric Statistical Methods", example 9.1, of Smith's cloud seeding experiment. */
    @Test
    void theTrendIsThatOfTheTextbook() {
        Estimate slope = TheilSen.of(upTo(5), new double[] {1.26, 1.27, 1.12, 1.16, 1.03});

        assertThat(slope.value()).isCloseTo(-0.05625, within(1e-9));
        assertThat(slope.low()).isCloseTo(-0.15, within(1e-9));
        assertThat(slope.high()).isCloseTo(0.04, within(1e-9));
        assertThat(slope.n()).isEqualTo(5);
    }

    @Test
    void aTrendIsFoundWhateverOneWildValueSaysAndNoneIsFoundInNoise() {
        double[] rising = upTo(9);
        rising[4] = 1000;

        assertThat(TheilSen.of(upTo(9), rising).value()).isCloseTo(1, within(1e-9));
        assertThat(TheilSen.of(upTo(9), rising).excludes(0)).isTrue();
        assertThat(TheilSen.of(upTo(9), new double[9]).excludes(0)).isFalse();
        assertThat(TheilSen.of(upTo(4), upTo(4)).hasInterval()).isFalse();
        assertThatThrownBy(() -> TheilSen.of(upTo(2), new double[] {1, Double.NaN}))
                .hasMessageContaining("finite");
        assertThatThrownBy(() -> TheilSen.of(new double[] {1, 1}, upTo(2))).hasMessageContaining("different points");
    }

    @Test
    void theIntervalOfTheTrendContainsItInAtLeast95Percent() {
        Random random = new Random(7);
        for (int n : new int[] {5, 9, 20, 60}) {
            int cases = n > 40 ? 500 : 3000;
            int inside = 0;
            for (int c = 0; c < cases; c++) {
                double[] y = new double[n];
                for (int i = 0; i < n; i++) {
                    y[i] = 0.3 * (i + 1) + Math.exp(random.nextGaussian());
                }
                inside += TheilSen.of(upTo(n), y).excludes(0.3) ? 0 : 1;
            }
            assertThat(inside / (double) cases).as("n=%d", n).isBetween(n > 40 ? 0.93 : 0.945, 0.99);
        }
    }

    @Test
    void withoutAnEffectOneIsSeenInAtMost5Percent() {
        Random random = new Random(11);
        for (int[] size : new int[][] {{5, 2}, {6, 2}, {9, 3}, {12, 4}, {30, 10}}) {
            int seen = 0;
            for (int c = 0; c < 20_000; c++) {
                double[] with = random.doubles(size[0]).toArray();
                double largest = random.doubles(size[1]).max().orElseThrow();
                seen += Precedence.exceeds(with, largest, size[1]) ? 1 : 0;
            }
            assertThat(seen / 20_000.0)
                    .as("%d with, %d without", size[0], size[1])
                    .isBetween(0.015, 0.055);
        }
    }

    @Test
    void howManyMustExceedIsThatOfTheFormula() {
        assertThat(Precedence.needed(9, 3)).isEqualTo(7);
        assertThat(Precedence.needed(5, 2)).isEqualTo(5);
        assertThat(Precedence.needed(9, 1)).as("1 in 10").isZero();
        assertThat(Precedence.needed(3, 1)).isZero();
        assertThat(Precedence.needed(9, 0)).isZero();
        assertThat(Precedence.needed(0, 3)).isZero();
        assertThat(Precedence.exceeds(new double[] {1, 1, 1, 1, 1}, 1, 2))
                .as("a tie")
                .isFalse();
        assertThat(Precedence.exceeds(new double[] {2, 2, 2, 2, 2}, 1, 2)).isTrue();
    }
}

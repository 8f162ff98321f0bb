package io.ycsbdrill.report.stat;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.stat.ChangePoints.ChangePoint;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ChangePointsTest {
    /** Values around a level, the same each time: +-1 %, +-3 %, ... in a fixed order. */
    private static double[] levels(double... levels) {
        double[] scatter = {0.01, -0.02, 0, 0.03, -0.01, 0.02, -0.03, 0};
        return IntStream.range(0, levels.length * scatter.length)
                .mapToDouble(i -> levels[i / scatter.length] * (1 + scatter[i % scatter.length]))
                .toArray();
    }

    @Test
    void aStepIsOneChangeAtTheFirstRunAfterIt() {
        assertThat(ChangePoints.of(levels(100, 80))).singleElement().satisfies(change -> {
            assertThat(change.index()).isEqualTo(8);
            assertThat(change.before()).isCloseTo(100, org.assertj.core.api.Assertions.within(1e-9));
            assertThat(change.after()).isCloseTo(80, org.assertj.core.api.Assertions.within(1e-9));
            assertThat(change.p()).isLessThan(1e-6);
        });
    }

    @Test
    void aStepAndItsReturnAreTwo() {
        assertThat(ChangePoints.of(levels(100, 80, 100)))
                .extracting(ChangePoint::index)
                .containsExactly(8, 16);
    }

    @Test
    void stairsAreAllFound() {
        assertThat(ChangePoints.of(levels(100, 90, 80, 70)))
                .extracting(ChangePoint::index)
                .containsExactly(8, 16, 24);
    }

    @Test
    void aRampIsFoundAsChangesInItsDirection() {
        double[] ramp = levels(100, 100, 100, 100);
        for (int i = 0; i < ramp.length; i++) {
            ramp[i] *= 1 - 0.01 * i;
        }
        assertThat(ChangePoints.of(ramp)).isNotEmpty().allMatch(change -> change.after() < change.before());
    }

    @Test
    void aSteadySeriesOneOddRunOrThreeAreNoChange() {
        assertThat(ChangePoints.of(levels(100, 100, 100))).isEmpty();
        double[] odd = levels(100, 100, 100);
        odd[10] = 40;
        assertThat(ChangePoints.of(odd)).isEmpty();
        double[] newest = levels(100, 100, 100);
        newest[21] = newest[22] = newest[23] = 50;
        assertThat(ChangePoints.of(newest)).allMatch(change -> change.index() < 21);
    }

    @Test
    void equalValuesAreNoChangeAndExactStepsAreOne() {
        assertThat(ChangePoints.of(new double[40])).isEmpty();
        assertThat(ChangePoints.of(new double[] {0, 0, 0, 0, 5, 5, 5, 5}))
                .singleElement()
                .satisfies(change -> {
                    assertThat(change.index()).isEqualTo(4);
                    assertThat(change.p()).isZero();
                });
    }

    @Test
    void shortSeriesHaveNone() {
        for (int n = 0; n < 2 * ChangePoints.LEAST; n++) {
            double[] series = new double[n];
            for (int i = n / 2; i < n; i++) {
                series[i] = 100;
            }
            assertThat(ChangePoints.of(series)).isEmpty();
        }
    }
}

package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RatesTest {

    @Test
    void gapIsTheEmptySlicesPlusOne() {
        Gap gap = rates(5, 5, 0, 0, 0, 5, 0, 5).longestGap(0, 8, 8);

        assertThat(gap.seconds()).isCloseTo(0.4, within(1e-9));
        assertThat(gap.startSeconds()).isCloseTo(0.2, within(1e-9));
        assertThat(gap.plusMinusSeconds()).isEqualTo(0.1);
        assertThat(gap.open()).isFalse();
    }

    @Test
    void gapWithoutAnEmptySliceIsOneSlice() {
        assertThat(rates(5, 5, 5).longestGap(0, 3, 3).seconds()).isCloseTo(0.1, within(1e-9));
    }

    @Test
    void gapAtTheEndOfTheDataIsOpen() {
        Gap gap = rates(5, 0, 5, 0, 0, 0).longestGap(0, 6, 6);

        assertThat(gap.open()).isTrue();
        assertThat(gap.seconds()).isCloseTo(0.4, within(1e-9));
    }

    @Test
    void gapThatBeginsInTheRangeIsFollowedBeyondItsEnd() {
        Gap gap = rates(5, 5, 0, 0, 0, 0, 5, 5).longestGap(0, 4, 8);

        assertThat(gap.seconds()).isCloseTo(0.5, within(1e-9));
        assertThat(gap.open()).isFalse();
    }

    @Test
    void gapBeforeTheRangeDoesNotCount() {
        assertThat(rates(0, 0, 0, 0, 5, 0, 5, 5).longestGap(4, 8, 8).seconds()).isCloseTo(0.2, within(1e-9));
    }

    @Test
    void trueGapLiesWithinOneSliceWhereverTheStallBegins() {
        for (int offset = 0; offset < 100; offset++) {
            double start = 3 + offset / 1000.0;
            double stall = 1.537;
            double[] ok = new double[100];
            for (int ms = 0; ms < 10_000; ms++) {
                double at = ms / 1000.0;
                ok[ms / 100] += at < start || at >= start + stall ? 1 : 0;
            }

            Gap gap = new Rates(ok, 0.1, 10).longestGap(0, 100, 100);

            assertThat(gap.seconds()).isCloseTo(stall, within(0.1001));
        }
    }

    @Test
    void lowestSecondIsFoundWhereverItBegins() {
        double[] ok = filled(100, 10);
        Arrays.fill(ok, 37, 47, 0);

        assertThat(new Rates(ok, 0.1, 10).lowestSecond(0, 100)).hasValue(0);
        assertThat(new Rates(ok, 0.1, 10).lowestSecond(40, 45)).isEmpty();
    }

    @Test
    void backAtOnceWhenNeverBelow() {
        Rates.Return back = rates(filled(200, 10)).backAt(90, 100, 50, 200).orElseThrow();

        assertThat(back.never()).isTrue();
    }

    @Test
    void shortOutageIsOverWhenItsLastSliceIs() {
        double[] ok = filled(300, 10);
        Arrays.fill(ok, 102, 105, 0);

        Rates.Return back = rates(ok).backAt(90, 100, 100, 300).orElseThrow();

        assertThat(back.never()).isFalse();
        assertThat(back.first()).isEqualTo(105);
        assertThat(back.forGood()).isEqualTo(105);
    }

    @Test
    void secondDipPostponesForGoodOnly() {
        double[] ok = filled(600, 10);
        Arrays.fill(ok, 100, 120, 0);
        Arrays.fill(ok, 300, 340, 5);

        Rates.Return back = rates(ok).backAt(90, 100, 100, 600).orElseThrow();

        assertThat(back.first()).isEqualTo(120);
        // A second that is 90 % full counts as held, so the date may be up to a tenth of a half-empty second early.
        assertThat(back.forGood()).isBetween(338, 340);
    }

    @Test
    void neverBackWhenLowToTheEnd() {
        double[] ok = filled(300, 10);
        Arrays.fill(ok, 100, 300, 5);

        Rates.Return back = rates(ok).backAt(90, 100, 100, 300).orElseThrow();

        assertThat(back.first()).isEqualTo(-1);
        assertThat(back.forGood()).isEqualTo(-1);
    }

    @Test
    void nothingIsSaidOfLessThanTheHoldTime() {
        assertThat(rates(filled(100, 10)).backAt(90, 100, 60, 100)).isEmpty();
    }

    private static double[] filled(int count, double value) {
        double[] values = new double[count];
        Arrays.fill(values, value);
        return values;
    }

    private static Rates rates(double... ok) {
        return new Rates(ok, 0.1, 10);
    }
}

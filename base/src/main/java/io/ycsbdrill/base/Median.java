package io.ycsbdrill.base;

import java.util.Arrays;

/** The value in the middle. Pure, thread-safe. */
public final class Median {
    private Median() {}

    /**
     * The median of a sample.
     *
     * @param sample in any unit and order; not changed
     * @return in the unit of the sample; NaN of none
     */
    public static double of(double[] sample) {
        double[] sorted = sample.clone();
        Arrays.sort(sorted);
        return ofSorted(sorted);
    }

    /** That of values in ascending order. Exact where both in the middle are equal: they may be infinite. */
    public static double ofSorted(double[] sorted) {
        int half = sorted.length / 2;
        if (sorted.length == 0) {
            return Double.NaN;
        }
        double above = sorted[half];
        return sorted.length % 2 == 1 || sorted[half - 1] == above ? above : 0.5 * sorted[half - 1] + 0.5 * above;
    }
}

package io.ycsbdrill.report.stat;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Median;
import java.util.Arrays;
import org.apache.commons.statistics.distribution.BinomialDistribution;

/**
 * The median of repeated runs, with a confidence interval that holds for any continuous distribution of the runs: between two order
 * statistics, interpolated to 95 %. It is deterministic: no resampling, no seed. Pure, thread-safe.
 *
 * <p>The interval from the d-th smallest to the d-th largest of n values contains the true median with probability
 * {@code g(d) = 1 - 2 P(Binomial(n, 1/2) < d)}, exactly. With {@code g(d) >= 0.95 > g(d + 1)}, the 95 % interval lies between those of d
 * and d + 1, at the share {@code (n - d) I / (d + (n - 2d) I)} of the way, where {@code I = (g(d) - 0.95) / (g(d) - g(d + 1))}. Source:
 * T. P. Hettmansperger, S. J. Sheather, "Confidence intervals based on interpolated order statistics", Statistics &amp; Probability Letters
 * 4 (1986) 75-79. Of 5 values even smallest to largest contain the median with 93.75 % only; that range is then the interval. Fewer than 5
 * allow none. docs/statistics.md has the simulated coverage, and that of the bootstrap, which is not used because it falls short.
 */
public final class MedianInterval {
    /** The fewest values that allow an interval. */
    public static final int LEAST = 5;

    private MedianInterval() {}

    /**
     * The median and its interval.
     *
     * @param sample one value of each run, in any unit and order; not changed
     * @return in the unit of the sample; without interval below {@value #LEAST} values, NaN of none
     * @throws IllegalArgumentException when a value is NaN
     */
    public static Estimate of(double[] sample) {
        double[] sorted = sample.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        if (n > 0 && Double.isNaN(sorted[n - 1])) {
            throw new IllegalArgumentException("a sample must not contain NaN; leave out the runs without a value");
        }
        double median = Median.ofSorted(sorted);
        if (n < LEAST) {
            return Estimate.withoutInterval(median, n);
        }
        int d = 1;
        while (coverage(n, d + 1) >= Estimate.LEVEL) {
            d++;
        }
        double outer = coverage(n, d);
        double share = Math.max(0, outer - Estimate.LEVEL) / (outer - coverage(n, d + 1));
        double inwards = (n - d) * share / (d + (n - 2 * d) * share);
        return new Estimate(
                median,
                between(sorted[d - 1], sorted[d], inwards),
                between(sorted[n - d], sorted[n - d - 1], inwards),
                n);
    }

    /** How often the interval of so many values contains the median: {@code 95 %}, and of {@value #LEAST}, of which no more is to be had, {@code 93.75 %}. */
    public static String level(int n) {
        return n == LEAST ? Formatted.of("%.2f %%", 100 * coverage(n, 1)) : "95 %";
    }

    private static double coverage(int n, int d) {
        return 1 - 2 * BinomialDistribution.of(n, 0.5).cumulativeProbability(d - 1);
    }

    /** Exact at both ends and where they are equal, infinite ones included: a figure that was never reached may be infinite. */
    private static double between(double from, double to, double share) {
        return share == 0 || from == to ? from : (1 - share) * from + share * to;
    }
}

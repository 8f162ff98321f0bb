package io.ycsbdrill.report.stat;

import java.util.Arrays;

/**
 * Whether repeats with an effect are larger than repeats without one, beyond chance: enough of them must exceed every one without.
 * Exact for any continuous distribution; ties count against it. Pure, thread-safe.
 *
 * <p>Were there no effect, the k-th smallest of n values would exceed all m others with the probability
 * {@code sum over j < k of C(m - 1 + j, j) / C(n + m, m)}. The largest k is used for which that is at most 5 %. Source: L. S. Nelson,
 * "Tables for a precedence life test", Technometrics 5 (1963) 491-499; N. Balakrishnan, H. K. T. Ng, "Precedence-Type Tests and
 * Applications", Wiley 2006, chapter 3.
 */
public final class Precedence {
    private Precedence() {}

    /**
     * How many of the repeats with an effect have to exceed all of those without; 0 when no number of them would tell, because there are
     * too few.
     *
     * @param with repeats with an effect, 0 or more
     * @param without repeats without one, 0 or more
     */
    public static int needed(int with, int without) {
        double all = 1;
        for (int i = 1; i <= without; i++) {
            all *= (with + i) / (double) i;
        }
        double sum = 0;
        double term = 1;
        int k = 0;
        while (without > 0 && k < with && (sum + term) / all <= 1 - Estimate.LEVEL) {
            sum += term;
            k++;
            term *= (without - 1.0 + k) / k;
        }
        return k == 0 ? 0 : with - k + 1;
    }

    /**
     * Whether the values are larger.
     *
     * @param with at least as large as each true value may be is not enough: give the smallest that it may be
     * @param largestWithout the largest value of a repeat without effect
     * @param without how many repeats there were without one
     * @return false also when there are too few
     */
    public static boolean exceeds(double[] with, double largestWithout, int without) {
        int needed = needed(with.length, without);
        return needed > 0
                && Arrays.stream(with).filter(value -> value > largestWithout).count() >= needed;
    }
}

package io.ycsbdrill.report.stat;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * The trend of a figure over repeats: the median of the slopes between all pairs of points, which a few wild values do not move, with a
 * confidence interval that holds for any continuous distribution of the scatter. Pure, deterministic, thread-safe.
 *
 * <p>The interval lies between two of the sorted slopes, chosen by the distribution of Kendall's S when there is no trend: exact up to
 * {@value #MOST_EXACT} points, beyond by its normal approximation. Source: P. K. Sen, "Estimates of the regression coefficient based on
 * Kendall's tau", Journal of the American Statistical Association 63 (1968) 1379-1389.
 */
public final class TheilSen {
    /** The fewest points that allow an interval. */
    public static final int LEAST = 5;

    private static final int MOST_EXACT = 40;

    private TheilSen() {}

    /**
     * The slope of y over x.
     *
     * @param x finite, in any order, no value twice
     * @param y as many, finite
     * @return in units of y per unit of x; without interval below {@value #LEAST} points, NaN below two; n is the number of points
     * @throws IllegalArgumentException when the sizes differ, or a value is not finite or, of x, not unique
     */
    public static Estimate of(double[] x, double[] y) {
        int n = x.length;
        if (y.length != n || Arrays.stream(x).distinct().count() != n) {
            throw new IllegalArgumentException(
                    "a trend needs as many values as different points, not " + y.length + " for " + Arrays.toString(x));
        }
        double[] slopes = new double[n * (n - 1) / 2];
        int count = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) {
                slopes[count++] = (y[i] - y[j]) / (x[i] - x[j]);
            }
        }
        if (Arrays.stream(slopes).anyMatch(slope -> !Double.isFinite(slope))) {
            throw new IllegalArgumentException("a trend needs finite values");
        }
        Arrays.sort(slopes);
        double median = MedianInterval.of(slopes).value();
        if (n < LEAST) {
            return Estimate.withoutInterval(median, n);
        }
        int outside = (count - widest(n, count)) / 2;
        return outside < 1
                ? Estimate.withoutInterval(median, n)
                : new Estimate(median, slopes[outside - 1], slopes[count - outside], n);
    }

    /** The largest S that is not significant: two less than the smallest that is, as S changes by two. */
    private static int widest(int n, int count) {
        double tail = (1 - Estimate.LEVEL) / 2;
        if (n > MOST_EXACT) {
            double deviation = Math.sqrt(n * (n - 1.0) * (2 * n + 5) / 18);
            double z = NormalDistribution.of(0, 1).inverseSurvivalProbability(tail);
            int s = (int) Math.ceil(z * deviation);
            return s + Math.floorMod(count - s, 2);
        }
        double[] inversions = {1};
        for (int size = 2; size <= n; size++) {
            double[] more = new double[inversions.length + size - 1];
            for (int i = 0; i < inversions.length; i++) {
                for (int k = 0; k < size; k++) {
                    more[i + k] += inversions[i] / size;
                }
            }
            inversions = more;
        }
        // S = count - 2 * inversions: the tail of large S is that of few inversions.
        double sum = 0;
        int few = 0;
        while (sum + inversions[few] <= tail) {
            sum += inversions[few++];
        }
        return count - 2 * few;
    }
}

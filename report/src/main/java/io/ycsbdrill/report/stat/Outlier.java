package io.ycsbdrill.report.stat;

import java.util.Arrays;
import java.util.OptionalInt;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The value that lies so far from the others that, were all of one normal distribution, it would do so in one sample of twenty: Grubbs'
 * test, two-sided, at 5 %. Source: F. E. Grubbs, "Procedures for detecting outlying observations in samples", Technometrics 11 (1969)
 * 1-21. Pure.
 */
public final class Outlier {
    /** Below this the test cannot find any. */
    private static final int LEAST = 4;

    private static final double LEVEL = 0.05;

    private Outlier() {}

    /** The index of the value that is farthest from the mean, if it is an outlier. */
    public static OptionalInt of(double[] values) {
        int n = values.length;
        double deviation = deviation(values);
        if (n < LEAST || deviation == 0) {
            return OptionalInt.empty();
        }
        double mean = Arrays.stream(values).average().orElseThrow();
        int farthest = 0;
        for (int i = 1; i < n; i++) {
            farthest = Math.abs(values[i] - mean) > Math.abs(values[farthest] - mean) ? i : farthest;
        }
        double t = TDistribution.of(n - 2).inverseSurvivalProbability(LEVEL / (2 * n));
        double critical = (n - 1) / Math.sqrt(n) * Math.sqrt(t * t / (n - 2 + t * t));
        return Math.abs(values[farthest] - mean) / deviation > critical
                ? OptionalInt.of(farthest)
                : OptionalInt.empty();
    }

    /** Standard deviation of a sample; NaN of fewer than two values. */
    public static double deviation(double[] values) {
        double mean = Arrays.stream(values).average().orElse(Double.NaN);
        double squares = Arrays.stream(values)
                .map(value -> (value - mean) * (value - mean))
                .sum();
        return values.length < 2 ? Double.NaN : Math.sqrt(squares / (values.length - 1));
    }
}

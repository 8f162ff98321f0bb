package io.ycsbdrill.report.stat;

import java.util.Arrays;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * A ratio from as many pairs as the scatter of the first {@value #PILOT} asks for. Pure, deterministic, thread-safe.
 *
 * <p>Whoever goes on until an interval is narrow stops where the scatter looks small by chance, and the usual interval then contains the truth too
 * seldom: in 92 % of simulated experiments. So only the pilot decides how many pairs there are, {@code (t s / ln(1 + share))^2} with its standard
 * deviation s and t = t(0.975, {@value #PILOT} - 1), and the interval of all n pairs is {@code exp(mean +- t s / sqrt(n))}, with the same two: exactly 95 %,
 * however many they became. Source: C. Stein, "A two-sample test for a linear hypothesis whose power is independent of the variance", Annals of
 * Mathematical Statistics 16 (1945) 243-258. docs/statistics.md has the simulated coverage.
 */
public final class TwoStageRatio {
    /** The pairs of the pilot: those that are there first. */
    public static final int PILOT = 5;

    private static final double T = TDistribution.of(PILOT - 1).inverseSurvivalProbability((1 - Estimate.LEVEL) / 2);

    private TwoStageRatio() {}

    /**
     * The ratio b/a.
     *
     * @param a one value of each pair, in order of time
     * @param b the other value of the same pair
     * @return as {@link PairedRatio#of} when there are fewer than {@value #PILOT} pairs
     * @throws IllegalArgumentException as {@link PairedRatio#of}
     */
    public static Estimate of(double[] a, double[] b) {
        if (a.length < PILOT) {
            return PairedRatio.of(a, b);
        }
        double mean = Pairs.logRatios(a, b).mean();
        double half = T * pilot(a, b) / Math.sqrt(a.length);
        return new Estimate(Math.exp(mean), Math.exp(mean - half), Math.exp(mean + half), a.length);
    }

    /**
     * How many pairs it takes.
     *
     * @param share how far the interval may reach above the ratio, above 0
     * @return {@value #PILOT} or more; also when there are fewer
     */
    public static int pairs(double[] a, double[] b, double share) {
        return a.length < PILOT ? PILOT : pairs(pilot(a, b), share);
    }

    /**
     * The same beforehand.
     *
     * @param deviation the standard deviation of ln(b/a) over pairs
     */
    public static int pairs(double deviation, double share) {
        double root = T * deviation / Math.log1p(share);
        return (int) Math.min(Integer.MAX_VALUE, Math.max(PILOT, Math.ceil(root * root)));
    }

    private static double pilot(double[] a, double[] b) {
        return Pairs.logRatios(Arrays.copyOf(a, PILOT), Arrays.copyOf(b, PILOT)).deviation();
    }
}

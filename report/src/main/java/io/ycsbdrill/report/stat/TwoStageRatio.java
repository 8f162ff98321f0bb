package io.ycsbdrill.report.stat;

import org.apache.commons.statistics.distribution.TDistribution;

/**
 * How many pairs a ratio takes: as many as the scatter of the first {@value #PILOT} asks for. Pure, deterministic, thread-safe.
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
        return Pairs.logRatios(a, b, PairCount.PILOTED).deviation();
    }
}

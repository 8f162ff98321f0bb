package io.ycsbdrill.report.stat;

/**
 * The smallest true ratio that an experiment of pairs would have found with a probability of 80 %, so that "not distinguishable" can be
 * told from "no difference". Pure, thread-safe.
 *
 * <p>{@code exp((t(0.975, n - 1) + t(0.8, n - 1)) sd / sqrt(n))}, where sd is the standard deviation of ln(b/a). Source: J. H. Zar,
 * "Biostatistical Analysis", 5th edition, section 7.7 (minimum detectable difference), on logarithms. It is an estimate, as sd is one.
 */
public final class DetectableRatio {
    /** The probability with which such a ratio is found. */
    public static final double POWER = 0.8;

    private DetectableRatio() {}

    /**
     * From the scatter of the pairs themselves.
     *
     * @return above 1 (its inverse is as detectable), or 1 when the pairs have no scatter; NaN below {@value PairedRatio#LEAST} pairs
     * @throws IllegalArgumentException as {@link PairedRatio#of}
     */
    public static double of(double[] a, double[] b, PairCount count) {
        Pairs ratios = Pairs.logRatios(a, b, count);
        return ratios.n() < Pairs.LEAST ? Double.NaN : Math.exp(ratios.detectable());
    }

    /**
     * From a known scatter, to plan an experiment.
     *
     * @param deviation the standard deviation of ln(b/a) over pairs; about 1.41 times the relative scatter of single runs; 0 or more
     * @param pairs how many are planned, at least {@value PairedRatio#LEAST}
     * @throws IllegalArgumentException outside these ranges
     */
    public static double of(double deviation, int pairs) {
        if (pairs < Pairs.LEAST || !(deviation >= 0)) {
            throw new IllegalArgumentException("needs a deviation of at least 0 and " + Pairs.LEAST
                    + " pairs or more, not " + deviation + " and " + pairs);
        }
        return Math.exp(new Pairs(0, deviation, pairs, pairs).detectable());
    }
}

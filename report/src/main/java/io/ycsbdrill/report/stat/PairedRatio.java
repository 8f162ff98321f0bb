package io.ycsbdrill.report.stat;

/**
 * How many times as large a figure is under b as under a, from runs in pairs. Pure, deterministic, thread-safe.
 *
 * <p>The estimate is the geometric mean of the ratios b/a of the pairs; its interval is Student's for the mean of
 * {@code x = ln(b) - ln(a)}: {@code exp(mean(x) +- t(0.975, n - 1) sd(x) / sqrt(n))}. Pairing removes what changes from pair to pair, the
 * logarithm makes a/b the exact inverse of b/a and suits figures whose scatter is a share of their size. Source: A. Georges, D. Buytaert,
 * L. Eeckhout, "Statistically rigorous Java performance evaluation", OOPSLA 2007, for Student's interval at few runs; P. J. Fleming,
 * J. J. Wallace, "How not to lie with statistics", CACM 29 (1986) 218-221, for the geometric mean of ratios. docs/statistics.md has the
 * simulated coverage, also for scatter that is not normal.
 */
public final class PairedRatio {
    /** The fewest pairs that allow an interval. */
    public static final int LEAST = Pairs.LEAST;

    private PairedRatio() {}

    /**
     * The ratio b/a.
     *
     * @param a one value of each pair, above 0, in any unit
     * @param b the other value of the same pair, in the same order and unit
     * @return without interval below {@value #LEAST} pairs, NaN of none
     * @throws IllegalArgumentException when the lengths differ, or a value is not finite and above 0
     */
    public static Estimate of(double[] a, double[] b) {
        return of(a, b, PairCount.PLANNED);
    }

    /** The same of pairs whose number was decided in this way. */
    public static Estimate of(double[] a, double[] b, PairCount count) {
        Pairs ratios = Pairs.logRatios(a, b, count);
        double ratio = Math.exp(ratios.mean());
        if (ratios.n() < LEAST) {
            return Estimate.withoutInterval(ratio, ratios.n());
        }
        double half = ratios.halfInterval();
        return new Estimate(ratio, Math.exp(ratios.mean() - half), Math.exp(ratios.mean() + half), ratios.n());
    }

    /**
     * The value of each pair when one side was measured twice: the geometric mean of both, which has less scatter than either.
     *
     * @throws IllegalArgumentException as {@link #of}
     */
    public static double[] both(double[] first, double[] again) {
        Pairs.logRatios(first, again, PairCount.PLANNED);
        double[] both = new double[first.length];
        for (int i = 0; i < both.length; i++) {
            both[i] = Math.sqrt(first[i]) * Math.sqrt(again[i]);
        }
        return both;
    }
}

package io.ycsbdrill.report.stat;

/**
 * By how much a figure is larger under b than under a, from runs in pairs: for figures that may be 0, such as seconds out of service or
 * failed operations, which have no ratio. Immutable.
 *
 * <p>The mean of the differences b - a of the pairs, with Student's interval {@code mean +- t(0.975, n - 1) sd / sqrt(n)}; the source is that
 * of {@link PairedRatio}. Differences far from normal, as of counts that are mostly 0, make the interval an approximation.
 *
 * @param estimate the difference in the unit of the figure; without interval below {@link PairedRatio#LEAST} pairs
 * @param detectable the smallest true difference that would have been found with 80 % probability, 0 or more, as
 *     {@link DetectableRatio} has it; NaN without interval
 */
public record PairedDifference(Estimate estimate, double detectable) {

    /**
     * The difference b - a.
     *
     * @param a one finite value of each pair
     * @param b the other one, in the same order and unit
     * @throws IllegalArgumentException when the lengths differ or a value is not finite
     */
    public static PairedDifference of(double[] a, double[] b) {
        return of(a, b, PairCount.PLANNED);
    }

    /** The same of pairs whose number was decided in this way. */
    public static PairedDifference of(double[] a, double[] b, PairCount count) {
        Pairs pairs = Pairs.differences(a, b, count);
        if (pairs.n() < PairedRatio.LEAST) {
            return new PairedDifference(Estimate.withoutInterval(pairs.mean(), pairs.n()), Double.NaN);
        }
        double half = pairs.halfInterval();
        return new PairedDifference(
                new Estimate(pairs.mean(), pairs.mean() - half, pairs.mean() + half, pairs.n()), pairs.detectable());
    }

    /**
     * Judges the difference.
     *
     * @param floor by how much a variant differed from itself in the mean, in either direction, 0 or more
     * @param moreIsBetter whether b is better when it is larger
     */
    public Comparison comparison(double floor, boolean moreIsBetter) {
        if (!estimate.excludes(0) || Math.abs(estimate.value()) <= floor) {
            return Comparison.NOT_DISTINGUISHABLE;
        }
        return estimate.value() > 0 == moreIsBetter ? Comparison.BETTER : Comparison.WORSE;
    }
}

package io.ycsbdrill.report.stat;

/**
 * By how much a figure differed from itself in the same experiment: the ratio of pairs in which both runs were of the same variant,
 * estimated as {@link PairedRatio} estimates that of two variants. A smaller difference between variants means nothing. Immutable.
 *
 * @param ratio the larger to the smaller, at least {@link #RESOLUTION}; without unit
 * @param n the pairs it comes from; 0 when nothing was measured twice
 */
public record NoiseFloor(double ratio, int n) {
    /** The resolution of the figures: latencies are recorded with three significant digits. */
    public static final double RESOLUTION = 1.001;

    /**
     * Checks the ratio.
     *
     * @throws IllegalArgumentException when it is below the resolution, or not finite
     */
    public NoiseFloor {
        if (!(ratio >= RESOLUTION) || Double.isInfinite(ratio) || n < 0) {
            throw new IllegalArgumentException("a noise floor is a ratio of at least " + RESOLUTION + ", not " + ratio);
        }
    }

    /** The floor where nothing was measured twice: the resolution of the figures. */
    public static NoiseFloor none() {
        return new NoiseFloor(RESOLUTION, 0);
    }

    /**
     * The floor from pairs of runs of one variant.
     *
     * @param first one value of each pair, above 0
     * @param again the other value of the same pair
     * @throws IllegalArgumentException as {@link PairedRatio#of}
     */
    public static NoiseFloor of(double[] first, double[] again) {
        Pairs ratios = Pairs.logRatios(first, again, PairCount.PLANNED);
        return ratios.n() == 0
                ? none()
                : new NoiseFloor(Math.max(RESOLUTION, Math.exp(Math.abs(ratios.mean()))), ratios.n());
    }

    /** Whether a ratio, in either direction, is no larger than the floor. */
    public boolean covers(double other) {
        return Math.abs(Math.log(other)) <= Math.log(ratio);
    }
}

package io.ycsbdrill.base;

import java.util.Arrays;

/**
 * How a percentile of consecutive stretches of time, all equally long, wanders by itself. Pure; docs/statistics.md has the formulas.
 *
 * @param median of them, in microseconds
 * @param deviation robust standard deviation of their logarithms
 * @param scatter of these logarithms, without events
 */
public record Wander(double median, double deviation, Scatter scatter) {
    /** Whoever signs that the latency is what it was has to have seen one that is so much higher, with 95 % confidence. */
    public static final double TO_BE_SEEN = 1.9;

    /** A median that is higher by no more is none that users feel. */
    public static final double RESOLUTION_MICROS = 1_000;

    /** Standard errors that a one-sided bound of 95 % lies away. */
    public static final double ONE_SIDED = 1.645;

    /** What scatters by less hides nothing that lasts. */
    private static final double MOST = 0.25;

    /** The standard deviation of a normal distribution / its median absolute deviation. */
    private static final double SIGMA_PER_MAD = 1.48;

    /** Further away a value shows an event, and nothing of how they depend on each other in good health. */
    private static final double EVENT = 3;

    /** So many robust standard deviations of the logarithms are no chance. */
    private static final double DEVIATIONS = 4;

    /** However much they scatter: what is slower than this many medians is slow. */
    private static final double SLOW = 5;

    /** That of two values or more, in microseconds, all positive, in either order of time. */
    public static Wander of(double[] values) {
        return of(values, Scatter.STANDARD_ERRORS);
    }

    /** @param standardErrors by how many of them the values may depend on each other more than they seem to */
    public static Wander of(double[] values, double standardErrors) {
        double median = Median.of(values);
        double[] away =
                Arrays.stream(values).map(value -> Math.log(value / median)).toArray();
        double deviation =
                SIGMA_PER_MAD * Median.of(Arrays.stream(away).map(Math::abs).toArray());
        return new Wander(
                median,
                deviation,
                Scatter.of(
                        Arrays.stream(away)
                                .map(log -> Math.abs(log) > EVENT * deviation ? 0 : log)
                                .toArray(),
                        standardErrors));
    }

    /** What is higher by this factor than their median is slow and no chance; what depends on its neighbours wanders further than was seen. */
    private double slow(Kind kind) {
        return Math.min(SLOW, Math.max(kind.factor, Math.exp(DEVIATIONS * deviation * scatter.unseen())));
    }

    /**
     * The value above which users find a service slow that had these in good health.
     *
     * @param doubted factor of the median below which a distance may be chance all the same; 0 when none is doubted
     */
    public double bound(Kind kind, double doubted) {
        return Math.max(median + kind.resolutionMicros, median * Math.max(slow(kind), doubted));
    }

    /** Which percentile the values are. */
    public enum Kind {
        P50(1.5, RESOLUTION_MICROS),
        P99(2, 5_000);

        /** What is higher by less than this factor is not called slow, however little the values scatter. */
        public final double factor;

        /** Nor by less than so many microseconds. */
        public final double resolutionMicros;

        Kind(double factor, double resolutionMicros) {
            this.factor = factor;
            this.resolutionMicros = resolutionMicros;
        }
    }

    /** That of the service's values, of which those seen tell only a part when they depend on each other. */
    private double whole() {
        return Math.max(deviation * scatter.unseen(), scatter.deviation());
    }

    /** Standard error of the distance between the logarithms of the medians of these values and of so many later ones. */
    public double error(int later) {
        return whole() * scatter.errorShare(later);
    }

    /**
     * Whether a median {@link #TO_BE_SEEN} times as high, of so many later values, could be chance: then nobody can say that it is what it was.
     */
    public boolean hidesAChange(int later) {
        return deviation > MOST
                && ONE_SIDED * error(later) > Math.log(TO_BE_SEEN)
                && (TO_BE_SEEN - 1) * median > RESOLUTION_MICROS;
    }
}

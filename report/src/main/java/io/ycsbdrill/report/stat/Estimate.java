package io.ycsbdrill.report.stat;

/**
 * A figure from repeated runs, and the 95 % confidence interval around it. Immutable.
 *
 * @param value the figure, in the unit of what was measured (a ratio has none); NaN when there was no run at all
 * @param low the lower bound in the same unit; NaN when there were too few runs for an interval
 * @param high the upper bound, at least {@code low}; NaN together with {@code low}
 * @param n the runs, or pairs of runs, that it is made from; 0 or more
 */
public record Estimate(double value, double low, double high, int n) {
    /** The share of intervals that contain the true value, were the experiment repeated many times. */
    public static final double LEVEL = 0.95;

    /**
     * Checks the bounds.
     *
     * @throws IllegalArgumentException when only one bound is NaN, the bounds are in the wrong order, or {@code n} is negative
     */
    public Estimate {
        if (Double.isNaN(low) != Double.isNaN(high) || low > high || n < 0) {
            throw new IllegalArgumentException("no interval: from " + low + " to " + high + ", n=" + n);
        }
    }

    /** A figure of which too few runs are known for an interval. */
    public static Estimate withoutInterval(double value, int n) {
        return new Estimate(value, Double.NaN, Double.NaN, n);
    }

    /** The same of a figure that cannot be larger: the interval ends there. */
    public Estimate atMost(double most) {
        return new Estimate(value, low, Math.min(high, most), n);
    }

    /** Whether there were enough runs for an interval. */
    public boolean hasInterval() {
        return !Double.isNaN(low);
    }

    /** Whether the interval excludes a value; false when there is no interval. */
    public boolean excludes(double other) {
        return other < low || other > high;
    }
}

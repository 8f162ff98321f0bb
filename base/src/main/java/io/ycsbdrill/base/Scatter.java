package io.ycsbdrill.base;

import java.util.Arrays;

/**
 * How the throughput of consecutive seconds scatters, and how long they depend on each other. Pure; docs/statistics.md has the formulas and how often they
 * hold.
 *
 * @param seconds how many there are
 * @param mean of them
 * @param deviation standard deviation of the service's seconds, which those seen understate when they depend on each other
 * @param block so many consecutive seconds tell as much as one that depends on no other; at least 1
 */
public record Scatter(int seconds, double mean, double deviation, double block) {
    /** A service that serves this share of what is due is degraded no further than users accept. */
    public static final double DEGRADED = 0.90;

    /** A drill that cannot tell half of a service from a whole one tells nobody anything. */
    public static final double LEAST_LEVEL = 0.5;

    /** A healthy service hardly ever falls by so many deviations for longer than a moment. */
    private static final double DEVIATIONS = 8;

    /** The correlation is taken to be higher than it looks, by so many standard errors: taken for too low it makes every bound too small. */
    public static final double STANDARD_ERRORS = 1.5;

    private static final double MOST_CORRELATION = 0.9999;
    private static final double FEWEST_BLOCKS = 1.25;

    /** Computes them for two seconds or more; in either order of time. */
    public static Scatter of(double[] seconds) {
        return of(seconds, STANDARD_ERRORS);
    }

    /** @param standardErrors by how many of them the correlation may be higher than it looks */
    public static Scatter of(double[] seconds, double standardErrors) {
        int n = seconds.length;
        double mean = Arrays.stream(seconds).average().orElseThrow();
        double squares = 0;
        double products = 0;
        for (int i = 0; i < n; i++) {
            squares += (seconds[i] - mean) * (seconds[i] - mean);
            products += i == 0 ? 0 : (seconds[i] - mean) * (seconds[i - 1] - mean);
        }
        double correlation = squares == 0 ? 0 : correlation(products / squares, n, standardErrors);
        double block = (1 + correlation) / (1 - correlation);
        return new Scatter(n, mean, Math.sqrt(squares / n) * unseen(n / block), block);
    }

    /** That of neighbours, without its bias towards 0 in short series, at its upper bound; 0 to 1. */
    private static double correlation(double seen, int n, double standardErrors) {
        double unbiased = Math.min(MOST_CORRELATION, (n * seen + 1) / Math.max(1, n - 4));
        double error = Math.sqrt(Math.max(1 - unbiased * unbiased, 1.0 / n) / n);
        return Math.max(0, Math.min(MOST_CORRELATION, unbiased + standardErrors * error));
    }

    private static double unseen(double blocks) {
        return 1 / Math.sqrt(1 - 1 / Math.max(blocks, FEWEST_BLOCKS));
    }

    /** By which factor the service's seconds scatter more than those seen, which depend on each other; at least 1. */
    public double unseen() {
        return unseen(blocks());
    }

    /** How many of them do not depend on each other. */
    public double blocks() {
        return seconds / block;
    }

    /** Standard error of the difference between the mean of these and that of so many later ones, as a share of the deviation. */
    public double errorShare(double later) {
        return Math.sqrt(1 / Math.max(blocks(), FEWEST_BLOCKS) + 1 / Math.max(1, later / block));
    }

    /** Deviation divided by the mean; infinite without throughput. */
    public double relative() {
        return mean == 0 ? Double.POSITIVE_INFINITY : deviation / mean;
    }

    /** The share of its mean by which the throughput may fall by itself. */
    public double fall() {
        return DEVIATIONS * relative();
    }

    /**
     * The share of a closed loop's baseline below which its service is degraded: what a fall to it takes cannot be chance. Below {@link #LEAST_LEVEL}
     * there is none.
     */
    public double closedLoopLevel() {
        return Math.min(DEGRADED, 1 - fall());
    }
}

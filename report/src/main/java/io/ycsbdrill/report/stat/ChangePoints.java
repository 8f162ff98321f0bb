package io.ycsbdrill.report.stat;

import java.util.ArrayList;
import java.util.List;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Finds where a series of runs changed lastingly. Deterministic, pure, thread-safe.
 *
 * <p>The method is that of Hunter (now Apache Otava): M. Fleming, P. Kolaczkowski, I. Kumar, S. Das, S. McCarthy, P. Pattabhiraman,
 * H. Ingo, "Hunter: Using Change Point Detection to Hunt for Performance Regressions", ICPE 2023. A stretch is split where the energy
 * distance between its two parts is largest (E-divisive: D. S. Matteson, N. A. James, "A Nonparametric Approach for Multiple Change Point
 * Analysis of Multivariate Data", JASA 109 (2014), formula 5 with alpha = 1), and each part again, as long as Student's t-test finds the
 * parts unlike. Then the least significant split is removed until each of the rest separates its neighbours at the required level. The t-test
 * instead of permutations makes the result the same each time. Unlike Hunter, a part has at least {@value #LEAST} runs, so that one or two odd runs
 * are no change, and there is no sliding window, which series of thousands need.
 */
public final class ChangePoints {
    /** The fewest runs between two changes, or between a change and either end. */
    public static final int LEAST = 4;

    /** The largest probability of so large a difference by chance, of one split that was chosen beforehand. */
    public static final double SIGNIFICANCE = 0.001;

    /** Splits of this significance are kept while searching: a smaller one may separate two larger ones. */
    private static final double CANDIDATE = 0.05;

    private ChangePoints() {}

    /**
     * A lasting change.
     *
     * @param index of the first value after it
     * @param before the mean of the values since the change before, in the unit of the series
     * @param after the mean of the values until the next change
     * @param p the probability of such a difference by chance, of one split that was chosen beforehand; 0 to {@value #SIGNIFICANCE}
     */
    public record ChangePoint(int index, double before, double after, double p) {}

    /**
     * The changes in a series.
     *
     * @param series finite values, oldest first
     * @return in the order of the series; empty when there are none, or the series is too short for any
     */
    public static List<ChangePoint> of(double[] series) {
        List<Integer> bounds = new ArrayList<>(List.of(0, series.length));
        split(series, 0, series.length, bounds);
        bounds.sort(null);
        while (bounds.size() > 2) {
            int weakest = 1;
            for (int i = 2; i < bounds.size() - 1; i++) {
                if (p(series, bounds, i) > p(series, bounds, weakest)) {
                    weakest = i;
                }
            }
            if (p(series, bounds, weakest) < SIGNIFICANCE) {
                break;
            }
            bounds.remove(weakest);
        }
        List<ChangePoint> found = new ArrayList<>();
        for (int i = 1; i < bounds.size() - 1; i++) {
            int at = bounds.get(i);
            found.add(new ChangePoint(
                    at,
                    Part.of(series, bounds.get(i - 1), at).mean,
                    Part.of(series, at, bounds.get(i + 1)).mean,
                    p(series, bounds, i)));
        }
        return found;
    }

    private static void split(double[] series, int from, int to, List<Integer> bounds) {
        int at = farthest(series, from, to);
        if (at > 0 && p(Part.of(series, from, at), Part.of(series, at, to)) < CANDIDATE) {
            bounds.add(at);
            split(series, from, at, bounds);
            split(series, at, to, bounds);
        }
    }

    /** Where the energy distance between both parts, scaled by their sizes, is largest; 0 when the stretch is too short to split. */
    private static int farthest(double[] series, int from, int to) {
        double left = 0;
        double right = 0;
        double between = 0;
        for (int i = from; i < to; i++) {
            right += distance(series, i, i + 1, to);
        }
        int best = 0;
        double largest = 0;
        for (int at = from + 1; at <= to - LEAST; at++) {
            // The value before the split moves from the right to the left part.
            double toLeft = distance(series, at - 1, from, at - 1);
            double toRight = distance(series, at - 1, at, to);
            left += toLeft;
            right -= toRight;
            between += toRight - toLeft;
            double m = at - from;
            double n = to - at;
            if (m >= LEAST) {
                double energy = 2 * between / (m * n) - 2 * left / (m * (m - 1)) - 2 * right / (n * (n - 1));
                double scaled = m * n / (m + n) * energy;
                if (scaled > largest) {
                    largest = scaled;
                    best = at;
                }
            }
        }
        return best;
    }

    private static double distance(double[] series, int of, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += Math.abs(series[of] - series[i]);
        }
        return sum;
    }

    private static double p(double[] series, List<Integer> bounds, int i) {
        int at = bounds.get(i);
        return p(Part.of(series, bounds.get(i - 1), at), Part.of(series, at, bounds.get(i + 1)));
    }

    /** Student's t-test, two-sided, of parts with the same scatter: a few values that happen to be alike make no change of their own. */
    private static double p(Part a, Part b) {
        int freedom = a.n + b.n - 2;
        double error = Math.sqrt((a.squares + b.squares) / freedom * (1.0 / a.n + 1.0 / b.n));
        double difference = Math.abs(a.mean - b.mean);
        if (error == 0) {
            return difference == 0 ? 1 : 0;
        }
        return 2 * TDistribution.of(freedom).survivalProbability(difference / error);
    }

    /** Mean of a part of a series, and the sum of the squared differences from it. */
    private record Part(double mean, double squares, int n) {
        static Part of(double[] series, int from, int to) {
            int n = to - from;
            double sum = 0;
            for (int i = from; i < to; i++) {
                sum += series[i];
            }
            double mean = sum / n;
            double squares = 0;
            for (int i = from; i < to; i++) {
                squares += (series[i] - mean) * (series[i] - mean);
            }
            return new Part(mean, squares, n);
        }
    }
}

package io.ycsbdrill.report.stat;

import java.util.Arrays;
import java.util.function.DoubleBinaryOperator;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Mean and standard deviation of what distinguishes the two values of each pair.
 *
 * @param scatterOf of how many of them, the first ones, the deviation is
 */
record Pairs(double mean, double deviation, int n, int scatterOf) {
    /** The fewest pairs that allow an interval; two have one degree of freedom, and an interval of any width. */
    static final int LEAST = 3;

    /** Pairs of ln(b/a). */
    static Pairs logRatios(double[] a, double[] b, PairCount count) {
        return of(a, b, count, (x, y) -> Math.log(positive(y)) - Math.log(positive(x)));
    }

    /** Pairs of b - a. */
    static Pairs differences(double[] a, double[] b, PairCount count) {
        return of(a, b, count, (x, y) -> finite(y) - finite(x));
    }

    private static Pairs of(double[] a, double[] b, PairCount count, DoubleBinaryOperator difference) {
        if (a.length != b.length) {
            throw new IllegalArgumentException(
                    "pairs need as many values of one side as of the other, not " + a.length + " and " + b.length);
        }
        double[] differences = new double[a.length];
        Arrays.setAll(differences, i -> difference.applyAsDouble(a[i], b[i]));
        double[] scattering = Arrays.copyOf(differences, count.scatterOf(differences.length));
        double middle = mean(scattering);
        double squares = Arrays.stream(scattering)
                .map(each -> (each - middle) * (each - middle))
                .sum();
        return new Pairs(
                mean(differences), Math.sqrt(squares / (scattering.length - 1)), differences.length, scattering.length);
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).sum() / values.length;
    }

    private static double positive(double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw new IllegalArgumentException("a ratio needs finite values above 0, not " + value);
        }
        return value;
    }

    private static double finite(double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException("a difference needs finite values, not " + value);
        }
        return value;
    }

    /** Half of Student's interval around the mean. */
    double halfInterval() {
        return TDistribution.of(scatterOf - 1).inverseSurvivalProbability((1 - Estimate.LEVEL) / 2)
                * deviation
                / Math.sqrt(n);
    }

    /** The smallest mean that is found with the probability {@link DetectableRatio#POWER}. */
    double detectable() {
        return halfInterval()
                + TDistribution.of(scatterOf - 1).inverseCumulativeProbability(DetectableRatio.POWER)
                        * deviation
                        / Math.sqrt(n);
    }
}

package io.ycsbdrill.report.history;

import io.ycsbdrill.base.Median;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.NumberText;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Decides whether a figure is a regression: worse than the median of the earlier runs by more than three of their median
 * absolute deviations (scaled so that one is a standard deviation of a normal distribution), more than a fifth of the median, and more
 * than the smallest difference that matters. Pure.
 */
final class Regression {
    /** Minimum number of earlier runs for a judgement. */
    static final int LEAST_RUNS = 5;

    /** Maximum number of earlier runs that are used, the newest ones. */
    static final int MOST_RUNS = 20;

    private static final double DEVIATIONS = 3;
    private static final double NORMAL = 1.4826;
    private static final double SHARE = 0.2;

    /**
     * Judges one figure. One that was not reached before the data ended is worse, and so is a bound than what was measured in full; not
     * that of which nobody could say how large it was, unless the bound itself is.
     *
     * @param earlier the same figure of earlier runs, oldest first; absent ones count for nothing
     * @return why it is worse, in words; empty when it is not, or too little is known
     */
    static Optional<String> of(HistoryMetric metric, Measure figure, List<OptionalDouble> earlier) {
        if (!judges(figure, earlier)) {
            return Optional.empty();
        }
        double[] known = known(earlier);
        double median = Median.of(known);
        String against = "the median of " + known.length + " earlier runs is " + metric.text(OptionalDouble.of(median))
                + " " + metric.unit();
        if (figure.unreached()) {
            return Optional.of(metric.title() + " was not reached; " + against);
        }
        String text = metric.title() + " " + metric.text(figure) + " " + metric.unit();
        if (figure.censored() && metric != HistoryMetric.SERVICE) {
            return Optional.of(text + ": " + figure.note() + "; " + against);
        }
        double value = figure.value().orElse(figure.least());
        double worse = metric.moreIsBetter() ? median - value : value - median;
        double deviation = NORMAL
                * Median.of(Arrays.stream(known).map(v -> Math.abs(v - median)).toArray());
        double allowed = Math.max(metric.least(), Math.max(DEVIATIONS * deviation, SHARE * Math.abs(median)));
        return worse > allowed
                ? Optional.of(text + "; " + against + ", up to " + NumberText.plain(Math.round(allowed * 10) / 10.0)
                        + " worse is within the usual variation")
                : Optional.empty();
    }

    /** Whether it can be judged: something is known of it, and enough earlier runs know the figure. */
    static boolean judges(Measure figure, List<OptionalDouble> earlier) {
        return (figure.value().isPresent() || figure.unreached() || figure.least() > 0)
                && known(earlier).length >= LEAST_RUNS;
    }

    /** The median that the figure is compared with; empty when there are too few runs. */
    static OptionalDouble expected(List<OptionalDouble> earlier) {
        double[] known = known(earlier);
        return known.length < LEAST_RUNS ? OptionalDouble.empty() : OptionalDouble.of(Median.of(known));
    }

    private static double[] known(List<OptionalDouble> earlier) {
        double[] all = earlier.stream()
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .toArray();
        return Arrays.copyOfRange(all, Math.max(0, all.length - MOST_RUNS), all.length);
    }
}

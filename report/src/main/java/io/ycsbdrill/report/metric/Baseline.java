package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Median;
import io.ycsbdrill.base.Scatter;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.rundir.Percentiles;
import io.ycsbdrill.rundir.Window;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.apache.commons.statistics.distribution.PoissonDistribution;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The steady state before a fault.
 *
 * @param fromSeconds start of the stretch it was measured on
 * @param toSeconds its end
 * @param opsPerSecond median of its whole seconds
 * @param lowest the lowest of them
 * @param variation standard deviation of the seconds divided by their mean
 * @param slope change of the least-squares line from the first to the last second, divided by the mean; negative when falling
 * @param scatter of its seconds
 * @param failures failed and unknown operations in it
 * @param mostFailures the most of them in one slice
 */
record Baseline(
        double fromSeconds,
        double toSeconds,
        double opsPerSecond,
        double lowest,
        double variation,
        double slope,
        Scatter scatter,
        double failures,
        double mostFailures) {
    /** Where nothing has said since when the service is steady. */
    private static final int UNJUDGED_SECONDS = 30;

    /** Fewer seconds that do not depend on each other say nothing about their mean. */
    private static final int FEWEST_BLOCKS = 5;

    static final int SHORTEST_SECONDS = 5;

    /** Maximum variation between seconds in a steady state. */
    static final double MOST_VARIATION = 0.2;

    /** Maximum slope in a steady state; variation alone would not show a ramp. */
    static final double MOST_SLOPE = 0.1;

    /**
     * From the steady time before the fault, or what has not been judged at most the last {@link #UNJUDGED_SECONDS}; empty below {@link #SHORTEST_SECONDS}, or at zero throughput.
     *
     * @param judged whether the drill has found it steady
     */
    static Optional<Baseline> before(double faultSeconds, double notBeforeSeconds, boolean judged, Slices slices) {
        int per = slices.perSecond();
        int to = Math.min(slices.at(faultSeconds), slices.whole());
        int from = Math.max(
                (int) Math.ceil(notBeforeSeconds / slices.seconds() - 1e-9), judged ? 0 : to - UNJUDGED_SECONDS * per);
        Slices.Columns total = slices.total();
        double[] seconds =
                to > from ? new Rates(total.ok(), slices.seconds(), per).secondsBefore(from, to) : new double[0];
        if (seconds.length < SHORTEST_SECONDS || Median.of(seconds) <= 0) {
            return Optional.empty();
        }
        double mean = Arrays.stream(seconds).average().orElseThrow();
        double variance =
                Arrays.stream(seconds).map(s -> (s - mean) * (s - mean)).sum() / (seconds.length - 1);
        double failures = 0;
        double mostFailures = 0;
        for (int i = from; i < to; i++) {
            double failed = total.failed()[i] + total.unknown()[i];
            failures += failed;
            mostFailures = Math.max(mostFailures, failed);
        }
        return Optional.of(new Baseline(
                from * slices.seconds(),
                to * slices.seconds(),
                Median.of(seconds),
                Arrays.stream(seconds).min().orElseThrow(),
                Math.sqrt(variance) / mean,
                slope(seconds, mean) / mean,
                Scatter.of(seconds),
                failures,
                mostFailures));
    }

    /** The rise of the fitted line over all seconds, which are in reverse order of time. */
    private static double slope(double[] latestFirst, double mean) {
        double middle = (latestFirst.length - 1) / 2.0;
        double products = 0;
        double squares = 0;
        for (int i = 0; i < latestFirst.length; i++) {
            double time = middle - i;
            products += time * (latestFirst[i] - mean);
            squares += time * time;
        }
        return products / squares * (latestFirst.length - 1);
    }

    /**
     * Half of the 95 % confidence interval of the mean, divided by the mean; NaN when its seconds depend on each other for so long that there are too
     * few of them to say.
     */
    double confidence() {
        double blocks = scatter.blocks();
        return blocks < FEWEST_BLOCKS
                ? Double.NaN
                : TDistribution.of(blocks - 1).inverseCumulativeProbability(0.975)
                        * scatter.relative()
                        / Math.sqrt(blocks);
    }

    /** Why there is no confidence interval. */
    String tooFew() {
        return Formatted.of(
                "its seconds depend on each other for about %.0f s, so its %d s say too little about its mean; a longer"
                        + " steady.window says more",
                Math.ceil(scatter.block()), scatter.seconds());
    }

    /** Below this share of what is due the service is degraded: in a closed loop lower when the throughput falls by itself. */
    double degradedLevel(boolean atRate) {
        return atRate ? Scatter.DEGRADED : Math.max(Scatter.LEAST_LEVEL, scatter.closedLoopLevel());
    }

    /** Why a fall of a closed loop says nothing; empty when it does, and at a rate. */
    String restless(boolean atRate) {
        return atRate || scatter.closedLoopLevel() >= Scatter.LEAST_LEVEL
                ? ""
                : Formatted.of(
                        "throughput of the closed loop scattered by %.1f %% before the fault, dependence of neighbouring seconds"
                                + " included: it may fall by more than half by chance; give the drill a rate",
                        100 * scatter.relative());
    }

    /** Mean of all of it: what compares with the mean of a rate, which may change within it. */
    double meanOpsPerSecond(Slices slices) {
        return new Rates(slices.total().ok(), slices.seconds(), slices.perSecond())
                .mean(slices.at(fromSeconds), slices.at(toSeconds));
    }

    /** What of a share of the throughput may be chance or drift: the larger of confidence interval, or scatter where there is none, and slope. */
    double uncertainty() {
        double mean = Double.isNaN(confidence()) ? scatter.relative() : confidence();
        return Math.max(mean, Math.abs(slope));
    }

    /** By which share another stretch of a closed loop may have less by chance: three deviations, and all by which it may fall where the mean is not known. */
    double chance() {
        double half = confidence();
        return Double.isNaN(half) ? scatter.fall() : 3 * Math.max(half, scatter.relative());
    }

    /**
     * How probable at least so many failed and unknown operations are without a fault: the upper tail of Poisson's distribution, at the rate of the
     * baseline with one failure more than it had, as one that has none does not show that there are none.
     *
     * @param seconds in which they were seen
     */
    double chanceOf(double failures, double seconds) {
        double expected = (this.failures + 1) / (toSeconds - fromSeconds) * seconds;
        return PoissonDistribution.of(expected).survivalProbability((int) Math.min(Integer.MAX_VALUE, failures - 1));
    }

    boolean drifting() {
        return Math.abs(slope) > MOST_SLOPE;
    }

    boolean unsteady() {
        return variation > MOST_VARIATION;
    }

    /** Median p99 of the windows that end before the fault and lie at least half within the baseline; NaN when there is none. */
    double p99(List<Window> windows) {
        double[] values = latencies(windows, Percentiles::p99);
        return values.length == 0 ? Double.NaN : Median.of(values);
    }

    /** A percentile of those windows, where they have it. */
    double[] latencies(List<Window> windows, ToDoubleFunction<Percentiles> percentile) {
        return windows.stream()
                .filter(w -> w.endSeconds() <= toSeconds + 1e-9)
                .filter(w -> w.middleSeconds() >= fromSeconds - 1e-9)
                .mapToDouble(w -> percentile.applyAsDouble(w.latency()))
                .filter(micros -> micros > 0 && Double.isFinite(micros))
                .toArray();
    }
}

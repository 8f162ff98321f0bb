package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Scatter;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.stat.MedianInterval;
import io.ycsbdrill.rundir.Percentiles;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The latency above which users find a service slow: the one that every figure of a drill is judged by. Pure; docs/metrics.md has the rules.
 *
 * @param p99 highest p99 of a window
 * @param p50 highest median of a window
 */
record LatencySlo(Level p99, Level p50) {
    /** So many robust standard deviations of the logarithms are no chance. */
    private static final double DEVIATIONS = 4;

    /** The standard deviation of a normal distribution / its median absolute deviation. */
    private static final double SIGMA_PER_MAD = 1.48;

    /** Further away a window shows an event, and nothing of how windows depend on each other in good health. */
    private static final double EVENT = 3;

    /** However much the baseline scatters: what is slower than this many medians is slow, as it would be to the gate of the steady state. */
    private static final double MOST = 5;

    private static final double P99_FACTOR = 2;
    private static final double P99_RESOLUTION = 5_000;
    private static final double P50_FACTOR = 1.5;
    private static final double P50_RESOLUTION = 1_000;

    /**
     * One of the two.
     *
     * @param micros NaN when nobody knows
     * @param source where it is from, or why there is none
     */
    record Level(double micros, String source) {
        boolean exceededBy(double value) {
            return value > micros;
        }
    }

    /** What the drill file says, and what it does not say by the seconds before the fault. */
    static LatencySlo of(RunData run, Optional<Baseline> baseline) {
        JsonNode declared = run.run().path("drill").path("slo");
        return new LatencySlo(
                level(run, declared.path("p99Seconds"), baseline, Percentiles::p99, P99_FACTOR, P99_RESOLUTION),
                level(run, declared.path("p50Seconds"), baseline, Percentiles::p50, P50_FACTOR, P50_RESOLUTION));
    }

    private static Level level(
            RunData run,
            JsonNode declared,
            Optional<Baseline> baseline,
            ToDoubleFunction<Percentiles> percentile,
            double factor,
            double resolution) {
        if (declared.isNumber()) {
            return new Level(1e6 * declared.asDouble(), "slo of the drill file");
        }
        double[] values = baseline.map(base -> base.latencies(run.windows(Slices.TOTAL), percentile))
                .orElse(new double[0]);
        return values.length == 0
                ? new Level(Double.NaN, "no window lies in the baseline")
                : derived(values, factor, resolution);
    }

    /** One hiccup moves neither the median nor what scatters about it; what depends on its neighbours wanders further than was seen. */
    private static Level derived(double[] values, double factor, double resolution) {
        double median = MedianInterval.median(values);
        double[] away =
                Arrays.stream(values).map(value -> Math.log(value / median)).toArray();
        double deviation = SIGMA_PER_MAD
                * MedianInterval.median(Arrays.stream(away).map(Math::abs).toArray());
        double unseen = Scatter.of(Arrays.stream(away)
                        .map(log -> Math.abs(log) > EVENT * deviation ? 0 : log)
                        .toArray())
                .unseen();
        double scatter = Math.exp(DEVIATIONS * deviation * unseen);
        double level = Math.max(median + resolution, median * Math.min(MOST, Math.max(factor, scatter)));
        return new Level(
                level,
                String.format(
                        Locale.ROOT,
                        "%.1f \u00d7 the median of the baseline's %d windows, %s ms",
                        level / median,
                        values.length,
                        NumberText.millis(median)));
    }

    /** Whether one of the two levels is known. */
    boolean known() {
        return !Double.isNaN(p99.micros) || !Double.isNaN(p50.micros);
    }

    boolean exceededBy(Percentiles latency) {
        return p99.exceededBy(latency.p99()) || p50.exceededBy(latency.p50());
    }

    /** Adds both as figures. */
    void measure(Map<Metric, Measure> measures) {
        measures.put(Metric.SLO_P99, measure(p99));
        measures.put(Metric.SLO_P50, measure(p50));
    }

    private static Measure measure(Level level) {
        return Double.isNaN(level.micros)
                ? Measure.absent(level.source)
                : Measure.of(level.micros / 1000, level.source);
    }

    @Override
    public String toString() {
        return "p99 above " + NumberText.millis(p99.micros) + " ms or p50 above " + NumberText.millis(p50.micros)
                + " ms";
    }
}

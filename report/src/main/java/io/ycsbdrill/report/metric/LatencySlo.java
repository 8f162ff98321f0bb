package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Wander;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.rundir.Percentiles;
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

    /** However much the baseline scatters: what is slower than this many medians is slow, as it would be to the gate of the steady state. */
    private static final double MOST = 5;

    /** Nobody says of such a distance that it may be chance, wherever a service wanders. */
    static final double BEYOND_DOUBT = 6;

    /** Who says so must not take windows that depend on each other for independent ones: they may by so many standard errors more than they seem to. */
    private static final double LENIENT_ERRORS = 3;

    private static final double P99_FACTOR = 2;
    private static final double P99_RESOLUTION = 5_000;
    static final double P50_FACTOR = 1.5;
    static final double P50_RESOLUTION = Wander.RESOLUTION_MICROS;

    /**
     * One of the two.
     *
     * @param micros NaN when nobody knows
     * @param source where it is from, or why there is none
     * @param wander of the baseline that it was derived from; empty when it was not
     */
    record Level(double micros, String source, Optional<Wander> wander) {
        boolean exceededBy(double value) {
            return value > micros;
        }
    }

    /** What the drill file says, and what it does not say by the seconds before the fault. */
    static LatencySlo of(RunData run, Optional<Baseline> baseline, Reading reading) {
        JsonNode declared = run.run().path("drill").path("slo");
        return new LatencySlo(
                level(
                        run,
                        declared.path("p99Seconds"),
                        baseline,
                        reading,
                        Percentiles::p99,
                        P99_FACTOR,
                        P99_RESOLUTION),
                level(
                        run,
                        declared.path("p50Seconds"),
                        baseline,
                        reading,
                        Percentiles::p50,
                        P50_FACTOR,
                        P50_RESOLUTION));
    }

    private static Level level(
            RunData run,
            JsonNode declared,
            Optional<Baseline> baseline,
            Reading reading,
            ToDoubleFunction<Percentiles> percentile,
            double factor,
            double resolution) {
        if (declared.isNumber()) {
            return new Level(1e6 * declared.asDouble(), "slo of the drill file", Optional.empty());
        }
        double[] values = baseline.map(base -> base.latencies(run.windows(Slices.TOTAL), percentile))
                .orElse(new double[0]);
        return values.length == 0
                ? new Level(Double.NaN, "no window lies in the baseline", Optional.empty())
                : derived(values, reading, factor, resolution);
    }

    /** One hiccup moves neither the median nor what scatters about it; what depends on its neighbours wanders further than was seen. */
    private static Level derived(double[] values, Reading reading, double factor, double resolution) {
        Wander wander = Wander.of(values);
        double median = wander.median();
        double scatter =
                Math.exp(DEVIATIONS * wander.deviation() * wander.scatter().unseen());
        double most = Math.min(MOST, Math.max(factor, scatter));
        double share = reading == Reading.STRICT
                ? most
                : Math.max(
                        most,
                        Math.exp(
                                BEYOND_DOUBT * Wander.of(values, LENIENT_ERRORS).error(1)));
        double level = Math.max(median + resolution, median * share);
        return new Level(
                level,
                Formatted.of(
                        "%.1f \u00d7 the median of the baseline's %d windows, %s ms",
                        level / median, values.length, NumberText.millis(median)),
                Optional.of(wander));
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

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
    /** Nobody says of such a distance that it may be chance, wherever a service wanders. */
    static final double BEYOND_DOUBT = 6;

    /** Who says so must not take windows that depend on each other for independent ones: they may by so many standard errors more than they seem to. */
    private static final double LENIENT_ERRORS = 3;

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
                level(run, declared.path("p99Seconds"), baseline, reading, Percentiles::p99, Wander.Kind.P99),
                level(run, declared.path("p50Seconds"), baseline, reading, Percentiles::p50, Wander.Kind.P50));
    }

    private static Level level(
            RunData run,
            JsonNode declared,
            Optional<Baseline> baseline,
            Reading reading,
            ToDoubleFunction<Percentiles> percentile,
            Wander.Kind kind) {
        if (declared.isNumber()) {
            return new Level(1e6 * declared.asDouble(), "slo of the drill file", Optional.empty());
        }
        double[] values = baseline.map(base -> base.latencies(run.windows(Slices.TOTAL), percentile))
                .orElse(new double[0]);
        return values.length == 0
                ? new Level(Double.NaN, "no window lies in the baseline", Optional.empty())
                : derived(values, reading, kind);
    }

    /** One hiccup moves neither the median nor what scatters about it. */
    private static Level derived(double[] values, Reading reading, Wander.Kind kind) {
        Wander wander = Wander.of(values);
        double median = wander.median();
        double level = wander.bound(
                kind,
                reading == Reading.STRICT
                        ? 0
                        : Math.exp(
                                BEYOND_DOUBT * Wander.of(values, LENIENT_ERRORS).error(1)));
        return new Level(
                level,
                Formatted.of(
                        "%.1f \u00d7 the median of the baseline's %d {window|windows}, %s ms",
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

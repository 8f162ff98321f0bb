package io.ycsbdrill.report.summary;

import io.ycsbdrill.report.metric.Cycle;
import io.ycsbdrill.report.metric.CycleLosses;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.Metric.Unit;
import io.ycsbdrill.report.stat.Estimate;
import io.ycsbdrill.report.stat.MedianInterval;
import io.ycsbdrill.report.stat.Precedence;
import io.ycsbdrill.report.stat.TheilSen;
import io.ycsbdrill.report.summary.CycleFigure.Effect;
import io.ycsbdrill.report.summary.CycleFigure.Range;
import io.ycsbdrill.report.summary.CycleFigure.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** The headline figures of a repeated drill over its cycles. Pure. */
public final class CycleFigures {
    private static final String ACKED_LOST = "ackedLost";
    private static final String RPO = "rpoSeconds";

    /** In the order of tables. */
    private static final List<Metric> HEADLINE = List.of(
            Metric.OUT,
            Metric.WRITE_OUTAGE,
            Metric.DEGRADED,
            Metric.LOST_SECONDS,
            Metric.DETECTED,
            Metric.SERVICE_RESTORED,
            Metric.REDUNDANCY_RESTORED,
            Metric.LONGEST_GAP,
            Metric.FIRST_MINUTE,
            Metric.FAILED,
            Metric.UNKNOWN,
            Metric.BASELINE);

    /** What is no effect of a fault, or no larger one when it is more, like the time to its first sign. */
    private static final Set<String> NO_EFFECT = Set.of(Metric.BASELINE.key(), Metric.DETECTED.key(), ACKED_LOST, RPO);

    private CycleFigures() {}

    /** In the order of tables; empty for a drill that was not repeated. */
    public static List<CycleFigure> of(DrillMetrics metrics) {
        List<CycleFigure> figures = new ArrayList<>();
        if (metrics.cycles().isEmpty()) {
            return figures;
        }
        for (Metric metric : HEADLINE) {
            figures.add(
                    of(metrics.cycles(), metric.key(), metric.title(), metric.unit(), cycle -> measure(cycle, metric)));
        }
        if (metrics.audit().isPresent()) {
            figures.add(of(
                    metrics.cycles(),
                    ACKED_LOST,
                    "Acknowledged writes lost",
                    Unit.OPERATIONS,
                    cycle -> loss(cycle, CycleLosses::ackedLost)));
            figures.add(of(metrics.cycles(), RPO, "RPO", Unit.SECONDS, cycle -> loss(cycle, CycleLosses::rpo)));
        }
        return figures;
    }

    /** What was not reached when the cycle ended took at least that long. */
    private static Measure measure(Cycle cycle, Metric metric) {
        Measure measure = cycle.metrics().get(metric);
        return measure.least() > 0 ? Measure.atLeast(measure.least(), measure.note()) : measure;
    }

    private static Measure loss(Cycle cycle, Function<CycleLosses, Measure> which) {
        return cycle.losses().map(which).orElseGet(() -> Measure.notApplicable("nothing was injected"));
    }

    private static CycleFigure of(
            List<Cycle> cycles, String key, String title, Unit unit, Function<Cycle, Measure> measure) {
        boolean lessIsWorse = key.equals(Metric.FIRST_MINUTE.key());
        List<Value> values = cycles.stream()
                .map(cycle -> new Value(cycle.number(), cycle.isNull(), measure.apply(cycle)))
                .toList();
        List<Value> with = applicable(values, false);
        double[] lows = bounds(with, lessIsWorse, Bounds::low);
        double[] highs = bounds(with, lessIsWorse, Bounds::high);
        Estimate low = MedianInterval.of(lows);
        Estimate high = MedianInterval.of(highs);
        double least = min(lows);
        double most = max(highs);
        Optional<Double> noise = noise(applicable(values, true), lessIsWorse);
        return new CycleFigure(
                key,
                title,
                unit,
                values,
                with.size(),
                new Range(low.value(), high.value()),
                least,
                most,
                low.hasInterval() ? Optional.of(new Range(low.low(), high.high())) : Optional.empty(),
                noise,
                effect(key, cycles, lows, highs, noise, lessIsWorse),
                trend(with, lessIsWorse));
    }

    private static List<Value> applicable(List<Value> values, boolean isNull) {
        return values.stream()
                .filter(value -> value.isNull() == isNull)
                .filter(value ->
                        value.measure().value().isPresent() || value.measure().applicable())
                .toList();
    }

    private static double[] bounds(List<Value> values, boolean lessIsWorse, ToDoubleFunction<Bounds> which) {
        return values.stream()
                .map(value -> Bounds.of(value.measure(), lessIsWorse))
                .mapToDouble(which)
                .toArray();
    }

    private static Optional<Double> noise(List<Value> nulls, boolean lessIsWorse) {
        return nulls.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        lessIsWorse ? min(bounds(nulls, true, Bounds::low)) : max(bounds(nulls, false, Bounds::high)));
    }

    /** A null cycle in which the figure does not exist is one that no cycle with faults is below. */
    private static Effect effect(
            String key,
            List<Cycle> cycles,
            double[] lows,
            double[] highs,
            Optional<Double> noise,
            boolean lessIsWorse) {
        int nulls = (int) cycles.stream().filter(Cycle::isNull).count();
        if (nulls == 0 || lows.length == 0 || NO_EFFECT.contains(key)) {
            return Effect.NOT_COMPARED;
        }
        if (Precedence.needed(lows.length, nulls) == 0) {
            return Effect.TOO_FEW;
        }
        double[] worse = lessIsWorse ? negated(highs) : lows;
        double floor = noise.map(value -> lessIsWorse ? -value : value).orElse(Double.NEGATIVE_INFINITY);
        return Precedence.exceeds(worse, floor, nulls) ? Effect.SEEN : Effect.NOT_DISTINGUISHABLE;
    }

    private static Optional<Estimate> trend(List<Value> with, boolean lessIsWorse) {
        boolean exact = with.stream()
                .map(value -> Bounds.of(value.measure(), lessIsWorse))
                .allMatch(Bounds::exact);
        return exact && with.size() >= 2
                ? Optional.of(TheilSen.of(
                        with.stream().mapToDouble(Value::cycle).toArray(), bounds(with, lessIsWorse, Bounds::low)))
                : Optional.empty();
    }

    private static double[] negated(double[] values) {
        double[] negated = values.clone();
        for (int i = 0; i < negated.length; i++) {
            negated[i] = -negated[i];
        }
        return negated;
    }

    private static double min(double[] values) {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    private static double max(double[] values) {
        return Arrays.stream(values).max().orElse(Double.NaN);
    }
}

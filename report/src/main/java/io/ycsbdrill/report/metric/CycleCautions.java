package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Scatter;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Cautions about the cycles of a repeated drill: one sentence for each kind, with the cycles that it is about. */
final class CycleCautions {
    /** Null cycles that are shorter than the others by more of their length have had less time for noise. */
    private static final double MOST_SHORTER = 0.2;

    static List<String> of(DrillMetrics metrics) {
        List<String> cautions = new ArrayList<>();
        List<Cycle> all = metrics.cycles();
        double first = value(all.get(0), Metric.BASELINE);
        add(
                cautions,
                all,
                cycle -> value(cycle, Metric.BASELINE_VARIATION) > 100 * Baseline.MOST_VARIATION,
                "throughput varied by more than 20 % beforehand, so there was no steady state to measure against; give the"
                        + " drill a longer warm-up or more operations");
        add(
                cautions,
                all,
                cycle -> Math.abs(value(cycle, Metric.BASELINE_SLOPE)) > 100 * Baseline.MOST_SLOPE,
                "throughput drifted by more than 10 % over the baseline, so effects of that size cannot be distinguished from"
                        + " drift");
        add(
                cautions,
                all,
                Cycle::catchesUp,
                "the clients were still catching up beforehand with what had not been served, so the figures are relative"
                        + " to an earlier steady state; give the drill a longer cool-down");
        add(
                cautions,
                all,
                cycle -> cycle.metrics().faults().stream()
                        .anyMatch(fault -> fault.servedPercent().orElse(100) < 100 * Scatter.DEGRADED),
                "less than 90 % of the offered load was served beforehand, so not all that is lost is the effect of the fault");
        add(
                cautions,
                all,
                cycle -> Math.abs(value(cycle, Metric.BASELINE) / first - 1)
                        > FaultCautions.MOST_DIFFERENCE_PERCENT / 100,
                "the baseline differs from that of the first cycle by more than 10 %, so the figures are relative to another"
                        + " level");
        double faults = longest(all, false);
        double nulls = longest(all, true);
        if (nulls < (1 - MOST_SHORTER) * faults) {
            cautions.add(
                    "The null cycles are shorter than the longest cycle with faults by more than a fifth, and so show less"
                            + " noise.");
        }
        return cautions;
    }

    private static void add(List<String> cautions, List<Cycle> all, Predicate<Cycle> which, String text) {
        List<Cycle> some = all.stream().filter(which).toList();
        if (!some.isEmpty()) {
            cautions.add((some.size() == 1 ? "In cycle " : "In cycles ")
                    + some.stream().map(cycle -> String.valueOf(cycle.number())).collect(Collectors.joining(", "))
                    + " of " + all.size() + ": " + text + ".");
        }
    }

    private static double value(Cycle cycle, Metric metric) {
        return cycle.metrics().get(metric).value().orElse(Double.NaN);
    }

    private static double longest(List<Cycle> all, boolean isNull) {
        return all.stream()
                .filter(cycle -> cycle.isNull() == isNull)
                .mapToDouble(Cycle::seconds)
                .max()
                .orElse(Double.NaN);
    }
}

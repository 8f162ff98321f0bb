package io.ycsbdrill.report.metric;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Scatter;
import java.util.ArrayList;
import java.util.List;

/** Cautions about the figures of single faults: a sentence for each kind and fault. */
final class FaultCautions {
    /** A later fault's baseline that differs by more from the first one's changes what its figures are relative to. */
    static final double MOST_DIFFERENCE_PERCENT = 10;

    private final List<String> cautions = new ArrayList<>();

    private FaultCautions() {}

    /** @param faults in order of time */
    static List<String> of(List<FaultMetrics> faults) {
        FaultCautions all = new FaultCautions();
        faults.forEach(fault -> all.look(fault, value(faults.get(0), Metric.BASELINE)));
        return all.cautions;
    }

    private void look(FaultMetrics fault, double firstBaseline) {
        double variation = fault.get(Metric.BASELINE_VARIATION).value().orElse(0);
        double slope = fault.get(Metric.BASELINE_SLOPE).value().orElse(0);
        if (variation > 100 * Baseline.MOST_VARIATION) {
            add(
                    fault,
                    "throughput varied by %.0f %% before it, so there was no steady state to measure against; give the drill a"
                            + " longer warm-up or more operations.",
                    variation);
        } else if (Math.abs(slope) > 100 * Baseline.MOST_SLOPE) {
            add(
                    fault,
                    "throughput drifted by %+.0f %% over the baseline, so effects of that size cannot be distinguished from"
                            + " drift; give the drill a longer warm-up.",
                    slope);
        }
        double effect = Math.abs(100 - value(fault, Metric.THROUGHPUT));
        double uncertain = fault.uncertainPercent().orElse(Double.NaN);
        if (effect > 0 && effect <= uncertain) {
            add(
                    fault,
                    "its effect on throughput, %.1f %%, is within the uncertainty of the baseline, \u00b1 %.1f %%: it may be"
                            + " chance.",
                    effect,
                    uncertain);
        }
        if (fault.catchUpPercent().isPresent()) {
            add(
                    fault,
                    "before it the clients were catching up, at %.0f %% of the offered load, so its figures are relative to the"
                            + " steady state before an earlier fault; leave more time between the steps.",
                    fault.catchUpPercent().getAsDouble());
        }
        double served = fault.servedPercent().orElse(100);
        if (served < 100 * Scatter.DEGRADED) {
            add(
                    fault,
                    "only %.0f %% of the offered load was served before it, so not all that is lost is its effect.",
                    served);
        }
        double level = 100 * value(fault, Metric.BASELINE) / firstBaseline;
        if (Math.abs(level - 100) > MOST_DIFFERENCE_PERCENT) {
            add(
                    fault,
                    "its baseline is %.0f %% of the first fault's, so its figures "
                            + (level < 100
                                    ? "do not show what earlier faults cost."
                                    : "and those of earlier faults are relative to different levels."),
                    level);
        }
    }

    private static double value(FaultMetrics fault, Metric metric) {
        return fault.get(metric).value().orElse(Double.NaN);
    }

    private void add(FaultMetrics fault, String sentence, Object... values) {
        cautions.add("Fault " + fault.number() + " (" + fault.title() + "): " + Formatted.of(sentence, values));
    }
}

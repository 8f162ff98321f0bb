package io.ycsbdrill.report.summary;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Gap;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.metric.PhaseImpact;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The drill's result for a terminal. */
public final class DrillText {
    /** In place of a reason that many figures share. */
    private static final String AS_ABOVE = "as above";

    /** What answers "when was it over, and what did it cost?". */
    private static final Set<Metric> MAIN = EnumSet.of(
            Metric.OUT,
            Metric.WRITE_OUTAGE,
            Metric.DEGRADED,
            Metric.LOST_SECONDS,
            Metric.SERVICE_RESTORED,
            Metric.REDUNDANCY_RESTORED);

    private DrillText() {}

    /** @param brief whether a screenful is enough */
    static String of(DrillSummary summary, boolean brief) {
        StringBuilder text = new StringBuilder();
        DrillMetrics metrics = summary.metrics();
        String load = LoadText.of(summary.run().run());
        text.append(load.isEmpty() ? "" : Formatted.of("%nWith %s%n", load));
        if (metrics.cycles().isEmpty()) {
            metrics.faults().forEach(fault -> fault(text, fault, brief));
            recoveries(text, brief ? List.of() : StageSum.of(summary.run().stages()));
        } else {
            text.append(CycleText.of(metrics));
        }
        if (metrics.audit().isPresent()) {
            text.append(Formatted.of("%nAcknowledged writes%n"));
            row(text, "Lost", NumberText.ackedLost(metrics), metrics.ackedLost().note());
            row(
                    text,
                    "RPO",
                    NumberText.rpo(metrics),
                    NumberText.noneLost(metrics) ? "" : metrics.rpo().note());
        }
        List<Check> shown = summary.verdict().checks().stream()
                .filter(check -> !brief || check.result() != Check.Result.PASS)
                .toList();
        if (!shown.isEmpty()) {
            text.append(Formatted.of("%nLimits%n"));
            shown.forEach(check -> text.append(
                    Formatted.of("  %-15s %s%n", check.result().label().toUpperCase(Locale.ROOT), check.sentence())));
        }
        summary.cautions().forEach(caution -> text.append(Formatted.of("%nCaution: %s%n", caution)));
        text.append(Formatted.of("%nVerdict: %s%n", summary.verdict().line()));
        return text.toString();
    }

    private static void fault(StringBuilder text, FaultMetrics fault, boolean brief) {
        text.append(Formatted.of("%nFault %d: %s at %.1f s%n", fault.number(), fault.title(), fault.startSeconds()));
        if (!fault.overlaps().isEmpty()) {
            text.append("  overlaps with fault ")
                    .append(fault.overlapping())
                    .append(": the figures contain its effects too\n");
        }
        Set<String> reasons = new HashSet<>();
        fault.measures().forEach((metric, measure) -> {
            if (brief && !MAIN.contains(metric)) {
                return;
            }
            boolean again = measure.value().isEmpty() && !reasons.add(measure.note());
            row(text, metric.title(), NumberText.measure(metric, measure), again ? AS_ABOVE : measure.note());
        });
        operations(text, fault, reasons);
        if (!brief) {
            impacts(text, fault);
        }
    }

    /** What users had of each type of operations. */
    private static void operations(StringBuilder text, FaultMetrics fault, Set<String> reasons) {
        if (fault.operations().isEmpty()) {
            return;
        }
        text.append(Formatted.of(
                "  %-18s %10s %10s %10s %10s   %s%n", "Operation", "out", "lost", "gap", "restored", "gap before"));
        fault.operations().forEach((operation, measures) -> {
            text.append(Formatted.of("  %-18s", operation));
            for (Metric metric : FaultMetrics.BY_OPERATION) {
                text.append(Formatted.of(" %10s", NumberText.measure(metric, measures.get(metric))));
            }
            Gap before = fault.baselineGaps().get(operation);
            String why = measures.get(Metric.OUT).note();
            String none = why.isEmpty() || reasons.add(why) ? why : AS_ABOVE;
            text.append(Formatted.of(
                    "   %s%n",
                    !none.isEmpty() ? none : before == null ? "" : NumberText.seconds(before.seconds()) + " s"));
        });
    }

    private static void impacts(StringBuilder text, FaultMetrics fault) {
        if (fault.impacts().isEmpty()) {
            return;
        }
        text.append(Formatted.of(
                "  %-18s %10s %9s %9s %9s %9s %9s %9s%n",
                "Phase", "duration", "lost", "mean", "worst 1 s", "p99", "failed", "unknown"));
        for (PhaseImpact impact : fault.impacts()) {
            text.append(Formatted.of(
                    "  %-18s %10s %9s %9s %9s %9s %9.0f %9.0f%n",
                    impact.phase(),
                    impact.duration(),
                    PhaseImpact.text(impact.lostSeconds(), "%.1f s"),
                    PhaseImpact.text(impact.meanPercent(), "%.0f %%"),
                    PhaseImpact.text(impact.worstPercent(), "%.0f %%"),
                    PhaseImpact.text(impact.p99Factor(), "%.1f \u00d7"),
                    impact.failed(),
                    impact.unknown()));
        }
    }

    private static void row(StringBuilder text, String title, String value, String note) {
        text.append(Formatted.of("  %-46s %16s", title, value));
        text.append(note.isEmpty() ? "" : "   " + note).append(Formatted.of("%n"));
    }

    /** One table for each step of a drill, with a column for each node. */
    private static void recoveries(StringBuilder text, List<StageSum> recoveries) {
        for (List<StageSum> together : StageSum.together(recoveries)) {
            text.append(Formatted.of(
                    "%nRecovery of %s after %s%n",
                    together.stream().map(sum -> sum.stages().get(0).node()).collect(Collectors.joining(", ")),
                    together.get(0).stages().get(0).cause()));
            for (List<String> row : StageSum.rows(together)) {
                text.append(Formatted.of("  %-20s %-5s", row.get(0), row.get(1)));
                row.subList(2, row.size()).forEach(cell -> text.append(Formatted.of(" %12s", cell)));
                text.append(Formatted.of("%n"));
            }
        }
    }
}

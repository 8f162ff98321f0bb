package io.ycsbdrill.report.metric;

import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.Stage;
import java.util.Locale;

/** The drill's result for a terminal. */
public final class DrillText {
    private DrillText() {}

    public static String of(DrillSummary summary) {
        StringBuilder text = new StringBuilder();
        DrillMetrics metrics = summary.metrics();
        String load = LoadText.of(summary.run().run());
        text.append(load.isEmpty() ? "" : String.format("%nWith %s%n", load));
        for (FaultMetrics fault : metrics.faults()) {
            text.append(String.format(
                    Locale.ROOT, "%nFault %d: %s at %.1f s%n", fault.number(), fault.title(), fault.startSeconds()));
            if (!fault.overlaps().isEmpty()) {
                text.append("  overlaps with fault ")
                        .append(fault.overlapping())
                        .append(": the figures contain its effects too\n");
            }
            fault.measures().forEach((metric, measure) -> row(text, metric.title(), metric, measure));
            fault.gaps().forEach((operation, gap) -> {
                if (!operation.equals(Slices.TOTAL)) {
                    Measure measure = Measure.of(
                            gap.seconds(), gapNote(gap, fault.baselineGaps().get(operation)));
                    row(text, "  gap of " + operation, Metric.LONGEST_GAP, measure);
                }
            });
        }
        for (StageSum sum : StageSum.of(summary.run().stages())) {
            stages(text, sum);
        }
        if (!summary.verdict().checks().isEmpty()) {
            text.append(String.format("%nLimits%n"));
            summary.verdict()
                    .checks()
                    .forEach(check -> text.append(String.format(
                            "  %-15s %s%n", check.result().label().toUpperCase(Locale.ROOT), check.sentence())));
        }
        summary.cautions().forEach(caution -> text.append(String.format("%nCaution: %s%n", caution)));
        text.append(String.format("%nVerdict: %s%n", summary.verdict().line()));
        return text.toString();
    }

    static String gapNote(Gap gap, Gap before) {
        return (gap.open()
                        ? "no success until the end of the data"
                        : "\u00b1 " + NumberText.seconds(gap.plusMinusSeconds()) + " s")
                + (before == null ? "" : "; before the fault " + NumberText.seconds(before.seconds()) + " s");
    }

    private static void row(StringBuilder text, String title, Metric metric, Measure measure) {
        text.append(String.format("  %-46s %16s", title, NumberText.measure(metric, measure)));
        text.append(measure.note().isEmpty() ? "" : "   " + measure.note()).append(String.format("%n"));
    }

    private static void stages(StringBuilder text, StageSum sum) {
        Stage first = sum.stages().get(0);
        text.append(String.format("%nRecovery of %s after %s%n", first.node(), first.cause()));
        for (Stage stage : sum.stages()) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %-20s %-5s %12s%n",
                    stage.phase(),
                    stage.shortName(),
                    stage.seconds().isPresent()
                            ? String.format(
                                    Locale.ROOT, "%.2f s", stage.seconds().getAsDouble())
                            : "still open"));
        }
        if (sum.sumSeconds().isPresent()) {
            text.append(String.format(
                    Locale.ROOT,
                    "  %-26s %10.2f s   start to end %.2f s%n",
                    "sum",
                    sum.sumSeconds().getAsDouble(),
                    sum.totalSeconds().getAsDouble()));
        }
    }
}

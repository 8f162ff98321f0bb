package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.DrillSummary;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Gap;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.metric.Rates;
import io.ycsbdrill.report.metric.StageSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the faults did and how long each stage of the recovery took, as tables of {@code report.html}. */
record FaultSection(DrillSummary summary) {
    List<FaultMetrics> all() {
        return summary.metrics().faults();
    }

    /** The figures of the only fault. */
    Table only() {
        FaultMetrics fault = all().get(0);
        List<List<String>> rows = new ArrayList<>();
        fault.measures()
                .forEach((metric, measure) ->
                        rows.add(List.of(metric.title(), NumberText.measure(metric, measure), measure.note())));
        return new Table(
                String.format(
                        Locale.ROOT,
                        "%s, started at %.1f s; times are measured from there",
                        fault.title(),
                        fault.startSeconds()),
                List.of("Metric", "Value", "Note"),
                rows);
    }

    /** The figures of several faults, one column for each. */
    Table several() {
        List<String> headers = new ArrayList<>(List.of("Metric", "Drill"));
        all().forEach(fault -> headers.add(fault.number() + ". " + fault.title()));
        List<List<String>> rows = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            List<String> row = new ArrayList<>();
            row.add(metric.title());
            row.add(NumberText.measure(metric, summary.metrics().get(metric)));
            all().forEach(fault -> row.add(NumberText.measure(metric, fault.get(metric))));
            rows.add(row);
        }
        return new Table(
                "Each fault and the drill as a whole; times are measured from the start of the fault", headers, rows);
    }

    List<String> notes() {
        List<String> notes = new ArrayList<>();
        for (FaultMetrics fault : all()) {
            fault.measures().forEach((metric, measure) -> {
                if (!measure.note().isEmpty()) {
                    notes.add(fault.number() + ". " + fault.title() + ", " + metric.title() + ": " + measure.note());
                }
            });
        }
        return notes;
    }

    Table gaps() {
        List<List<String>> rows = new ArrayList<>();
        for (FaultMetrics fault : all()) {
            fault.gaps().forEach((operation, gap) -> {
                Gap before = fault.baselineGaps().get(operation);
                rows.add(List.of(
                        operation.equals(Slices.TOTAL) ? "any operation" : operation,
                        fault.title(),
                        (gap.open() ? "\u2265 " : "") + NumberText.seconds(gap.seconds()) + " s",
                        "\u00b1 " + NumberText.seconds(gap.plusMinusSeconds()) + " s",
                        NumberText.seconds(gap.startSeconds()) + " s",
                        before == null ? NumberText.ABSENT : NumberText.seconds(before.seconds()) + " s"));
            });
        }
        return new Table(
                "Longest gap without a success",
                List.of("Operation", "Fault", "Gap", "Resolution", "From", "Before the fault"),
                rows);
    }

    /** The stages of the recoveries, one table for each. */
    List<Table> stages() {
        return StageSum.of(summary.run().stages()).stream().map(this::stages).toList();
    }

    private Table stages(StageSum sum) {
        List<List<String>> rows = new ArrayList<>();
        sum.stages().forEach(stage -> rows.add(stage(stage)));
        if (sum.sumSeconds().isPresent()) {
            rows.add(List.of(
                    "sum of the stages",
                    "",
                    "",
                    "",
                    twoDigits(sum.sumSeconds().getAsDouble()),
                    "",
                    "start to end " + twoDigits(sum.totalSeconds().getAsDouble())));
        }
        Stage first = sum.stages().get(0);
        return new Table(
                "Recovery of " + first.node() + " after " + first.cause(),
                List.of("Phase", "Stage", "Start", "End", "Duration", "Throughput", "Share of B"),
                rows);
    }

    private List<String> stage(Stage stage) {
        RunData run = summary.run();
        Slices slices = run.slices();
        double rate = Double.NaN;
        if (slices.intact()) {
            int from = Math.min(slices.whole(), slices.at(stage.startSeconds()));
            int to = Math.min(slices.whole(), slices.at(stage.endSeconds().orElse(run.durationSeconds())));
            rate = to > from
                    ? new Rates(slices.total().ok(), slices.seconds(), slices.perSecond()).mean(from, to)
                    : Double.NaN;
        }
        double base = summary.metrics().get(Metric.BASELINE).value().orElse(Double.NaN);
        return List.of(
                stage.phase(),
                stage.shortName(),
                twoDigits(stage.startSeconds()),
                stage.endSeconds().isPresent() ? twoDigits(stage.endSeconds().getAsDouble()) : "still open",
                stage.seconds().isPresent() ? twoDigits(stage.seconds().getAsDouble()) : NumberText.ABSENT,
                Double.isNaN(rate) ? NumberText.ABSENT : NumberText.plain(Math.rint(rate)) + " ops/s",
                Double.isNaN(rate / base)
                        ? NumberText.ABSENT
                        : String.format(Locale.ROOT, "%.0f %%", 100 * rate / base));
    }

    private static String twoDigits(double seconds) {
        return String.format(Locale.ROOT, "%,.2f s", seconds);
    }
}

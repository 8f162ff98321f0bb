package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.PhaseNames;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.DrillSummary;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Gap;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.Rates;
import io.ycsbdrill.report.metric.StageSum;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the faults did and how long each stage of the recovery took, as tables of {@code report.html}. */
final class FaultSection {
    private final RunData run;
    private final DrillSummary summary;
    private final StringBuilder html;

    private FaultSection(DrillSummary summary, StringBuilder html) {
        run = summary.run();
        this.summary = summary;
        this.html = html;
    }

    static void append(DrillSummary summary, StringBuilder html) {
        FaultSection section = new FaultSection(summary, html);
        section.faults();
        section.stages();
    }

    private void faults() {
        List<FaultMetrics> faults = summary.metrics().faults();
        if (faults.isEmpty()) {
            return;
        }
        html.append("<h2>What the ")
                .append(faults.size() == 1 ? "fault" : "faults")
                .append(" did</h2>\n");
        for (FaultMetrics fault : faults) {
            if (!fault.overlaps().isEmpty()) {
                html.append("<p>Fault ")
                        .append(fault.number())
                        .append(" overlaps with fault ")
                        .append(fault.overlaps().toString().replaceAll("[\\[\\]]", ""))
                        .append("; its figures contain the effects of both.</p>\n");
            }
        }
        if (faults.size() == 1) {
            FaultMetrics fault = faults.get(0);
            List<List<String>> rows = new ArrayList<>();
            fault.measures()
                    .forEach((metric, measure) ->
                            rows.add(List.of(metric.title(), NumberText.measure(metric, measure), measure.note())));
            html.append(Html.table(
                    String.format(
                            Locale.ROOT, "%s, begun at %.1f s; times since then", fault.title(), fault.startSeconds()),
                    List.of("Metric", "Value", "Note"),
                    rows));
        } else {
            severalFaults(faults);
        }
        gaps(faults);
    }

    private void severalFaults(List<FaultMetrics> faults) {
        List<String> headers = new ArrayList<>(List.of("Metric", "Drill"));
        faults.forEach(fault -> headers.add(fault.number() + ". " + fault.title()));
        List<List<String>> rows = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            List<String> row = new ArrayList<>();
            row.add(metric.title());
            row.add(NumberText.measure(metric, summary.metrics().get(metric)));
            faults.forEach(fault -> row.add(NumberText.measure(metric, fault.get(metric))));
            rows.add(row);
        }
        html.append(Html.table("Each fault and the drill as a whole; times since the fault began", headers, rows));
        html.append("<details><summary>Why values are missing, and other notes</summary><ul>");
        for (FaultMetrics fault : faults) {
            fault.measures().forEach((metric, measure) -> {
                if (!measure.note().isEmpty()) {
                    html.append("<li>")
                            .append(Html.text(fault.number() + ". " + fault.title() + ", " + metric.title() + ": "
                                    + measure.note()))
                            .append("</li>");
                }
            });
        }
        html.append("</ul></details>\n");
    }

    private void gaps(List<FaultMetrics> faults) {
        List<List<String>> rows = new ArrayList<>();
        for (FaultMetrics fault : faults) {
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
        if (!rows.isEmpty()) {
            html.append(Html.table(
                    "Longest gap without a success",
                    List.of("Operation", "Fault", "Gap", "Resolution", "From", "Before the fault"),
                    rows));
        }
    }

    private void stages() {
        if (run.stages().isEmpty()) {
            return;
        }
        html.append("<h2>Stages of the recovery</h2>\n");
        for (StageSum sum : StageSum.of(run.stages())) {
            Stage first = sum.stages().get(0);
            List<List<String>> rows = new ArrayList<>();
            for (Stage stage : sum.stages()) {
                rows.add(stage(stage));
            }
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
            html.append(Html.table(
                    "Recovery of " + first.node() + " after " + first.cause(),
                    List.of("Phase", "Stage", "Start", "End", "Duration", "Throughput", "Share of B"),
                    rows));
        }
    }

    private List<String> stage(Stage stage) {
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
                PhaseNames.stage(stage.phase()),
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

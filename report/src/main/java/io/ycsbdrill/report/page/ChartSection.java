package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.PhaseNames;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.DrillSummary;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import java.util.List;
import java.util.Locale;

/** The charts of {@code report.html}, with their controls and the key to the shading. */
final class ChartSection {
    private final RunData run;
    private final DrillSummary summary;
    private final StringBuilder html;

    private ChartSection(DrillSummary summary, StringBuilder html) {
        run = summary.run();
        this.summary = summary;
        this.html = html;
    }

    static void append(DrillSummary summary, StringBuilder html) {
        new ChartSection(summary, html).charts();
    }

    private void charts() {
        html.append(
                "<h2>Over time</h2>\n<noscript><p><strong>The charts need JavaScript.</strong> All figures are in the "
                        + "tables below, and the folder <code>charts</code> has the same charts as pictures.</p></noscript>\n");
        if (run.windows(Slices.TOTAL).isEmpty()) {
            html.append("<p>There are no complete windows to draw.</p>\n");
            return;
        }
        controls();
        key();
        chart("Throughput", "throughput main", "data-kind=\"throughput\"", throughputWords());
        boolean errors = run.slices().present()
                && hasAny(run.slices().total().failed(), run.slices().total().unknown());
        html.append("<h3>Failed operations and unknown outcomes, per slice</h3>\n");
        if (errors) {
            chartElement(
                    "small", "data-kind=\"errors\"", "Failed operations and operations with unknown outcome over time");
        } else {
            html.append("<p class=\"soft\">")
                    .append(run.slices().present() ? "None in the whole run." : "Not known: there is no slices.csv.")
                    .append("</p>\n");
        }
        for (String operation : run.operations()) {
            boolean response =
                    run.windows(operation).stream().anyMatch(w -> w.response().present());
            chart(
                    "Latency of " + operation,
                    "latency",
                    "data-kind=\"latency\" data-operation=\"" + Html.text(operation) + "\"",
                    "Average, 95th and 99th percentile of the " + operation + " latency of each window, in milliseconds"
                            + (response
                                    ? "; solid lines are service time, dashed lines response time from the intended start"
                                    : ""));
        }
    }

    private static boolean hasAny(double[]... columns) {
        for (double[] column : columns) {
            for (double value : column) {
                if (value > 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private String throughputWords() {
        DrillMetrics metrics = summary.metrics();
        Measure base = metrics.get(Metric.BASELINE);
        return "Successful operations per second, all operations together"
                + (base.value().isPresent()
                        ? "; baseline " + NumberText.measure(Metric.BASELINE, base) + ", dip "
                                + NumberText.measure(Metric.DIP_DEPTH, metrics.get(Metric.DIP_DEPTH))
                        : "");
    }

    private void chart(String title, String kind, String attributes, String words) {
        html.append("<h3>").append(Html.text(title)).append("</h3>\n");
        chartElement(kind, attributes, words);
    }

    private void chartElement(String kind, String attributes, String words) {
        html.append("<div class=\"chart ")
                .append(kind)
                .append("\" ")
                .append(attributes)
                .append(" role=\"img\" aria-label=\"")
                .append(Html.text(words))
                .append("\"></div>\n");
    }

    private void controls() {
        html.append("<div class=\"controls\"><fieldset><legend>Detail</legend>"
                + "<label><input type=\"radio\" name=\"detail\" value=\"auto\" checked> automatic</label>"
                + "<label><input type=\"radio\" name=\"detail\" value=\"windows\"> windows</label>"
                + "<label><input type=\"radio\" name=\"detail\" value=\"slices\"> slices</label></fieldset>"
                + "<label><input type=\"checkbox\" id=\"log\"> latency on a logarithmic scale</label>");
        button("Whole run", 0, run.durationSeconds());
        int shown = Math.min(8, summary.metrics().faults().size());
        for (FaultMetrics fault : summary.metrics().faults().subList(0, shown)) {
            button("Zoom to " + fault.title(), fault.startSeconds() - 5, fault.startSeconds() + 15);
        }
        html.append(
                "</div>\n<p class=\"soft\">Drag the handles below the first chart, pinch, or turn the wheel with Ctrl held. "
                        + "Zoomed in to a minute or less, 100 ms slices replace the windows.</p>\n");
    }

    private void button(String title, double from, double to) {
        html.append(String.format(
                Locale.ROOT,
                "<button type=\"button\" data-from=\"%.1f\" data-to=\"%.1f\">%s</button>",
                from,
                to,
                Html.text(title)));
    }

    private void key() {
        List<String> present =
                run.stages().stream().map(Stage::phase).distinct().toList();
        if (present.isEmpty() && summary.metrics().faults().isEmpty()) {
            return;
        }
        html.append("<ul class=\"key\" aria-label=\"Shading and lines\">");
        for (String phase : present) {
            String stage = PhaseNames.stage(phase);
            html.append("<li><i style=\"background:")
                    .append(Palette.phase(phase))
                    .append("59\"></i>")
                    .append(Html.text(phase + (stage.isEmpty() ? "" : " (" + stage + ")")))
                    .append("</li>");
        }
        List<String> faults = summary.metrics().faults().stream()
                .map(FaultMetrics::fault)
                .distinct()
                .toList();
        faults.forEach(label -> html.append("<li><b>")
                .append(Html.text(label))
                .append("</b> ")
                .append(Html.text(meaning(label)))
                .append("</li>"));
        String[][] ends = {{"local-recovery", "1", "LRS"}, {"synchronise", "2", "SS"}, {"wait-checkpoint", "3", "WLCP"}
        };
        for (String[] end : ends) {
            if (present.contains(end[0])) {
                html.append("<li><b>")
                        .append(end[1])
                        .append("</b> end of ")
                        .append(end[2])
                        .append("</li>");
            }
        }
        html.append("</ul>\n");
    }

    private static String meaning(String label) {
        return switch (label) {
            case "R" -> "node restart begins";
            case "init" -> "initial node restart begins";
            default -> "fault begins";
        };
    }
}

package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.Check;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.DrillSummary;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.OperationTotal;
import io.ycsbdrill.report.metric.Totals;
import io.ycsbdrill.report.metric.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** {@code report.html}: verdict first, then the figures, the charts, the tables and what was run. */
final class ReportPage {
    private final RunData run;
    private final DrillSummary summary;
    private final Totals totals;
    private final StringBuilder html = new StringBuilder();

    private ReportPage(RunData run, DrillSummary summary) {
        this.run = run;
        this.summary = summary;
        totals = Totals.of(run);
    }

    static String of(DrillSummary summary) {
        ReportPage page = new ReportPage(summary.run(), summary);
        page.body();
        return Template.page(
                List.of("run.js", "report.js"),
                Map.of(
                        "title", Html.text(summary.run().title()),
                        "body", page.html.toString(),
                        "data", Html.script(ChartData.of(summary.run()).toString()),
                        "connect", "'none'"));
    }

    private void body() {
        html.append("<h1>").append(Html.text(run.title())).append("</h1>\n<p class=\"soft\">");
        html.append(Html.text(RunWords.subtitle(run))).append("</p>\n");
        state();
        verdict();
        figures();
        ChartSection.append(summary, html);
        FaultSection.append(summary, html);
        AuditSection.append(run, html);
        RunSection.append(run, totals, html);
        html.append(
                "<footer>Made by ycsb-drill from the files beside this page; docs/metrics.md explains every figure.</footer>\n");
    }

    private void state() {
        List<String> reasons = run.unsound();
        if (reasons.isEmpty()) {
            return;
        }
        String what = run.state().equals("complete") ? "damaged" : run.state();
        html.append("<div class=\"banner\" role=\"alert\"><strong>This run is ")
                .append(Html.text(what))
                .append(": its figures do not count.</strong><ul>");
        reasons.forEach(reason -> html.append("<li>").append(Html.text(reason)).append("</li>"));
        html.append("</ul></div>\n");
    }

    private void verdict() {
        if (!run.hasDrill()) {
            return;
        }
        Verdict verdict = summary.verdict();
        String line = verdict.line();
        int colon = line.indexOf(':');
        html.append("<section aria-labelledby=\"verdict\"><h2 id=\"verdict\">Verdict</h2>\n<div class=\"verdict ")
                .append(verdict.outcome().name().toLowerCase(Locale.ROOT).replace('_', '-'))
                .append("\"><strong>")
                .append(Html.text(line.substring(0, colon)))
                .append("</strong>")
                .append(Html.text(line.substring(colon)))
                .append("</div>\n");
        if (!verdict.checks().isEmpty()) {
            List<List<String>> rows = new ArrayList<>();
            for (Check check : verdict.checks()) {
                String allowed = Double.isNaN(check.allowed())
                        ? NumberText.ABSENT
                        : check.relation() + " " + NumberText.plain(check.allowed()) + "\u00a0" + check.unit();
                String measured = check.measured().isPresent()
                        ? NumberText.plain(check.measured().getAsDouble()) + " " + check.unit()
                        : NumberText.ABSENT;
                rows.add(
                        List.of(check.title(), measured, allowed, check.result().label(), check.reason()));
            }
            html.append(
                    Html.table("Limits of the drill", List.of("Limit", "Measured", "Allowed", "Result", "Note"), rows));
        }
        summary.metrics().cautions().forEach(caution -> html.append("<p><b>Caution.</b> ")
                .append(Html.text(caution))
                .append("</p>\n"));
        html.append("</section>\n");
    }

    private void figures() {
        html.append("<h2>In short</h2>\n<dl class=\"figures\">\n");
        figure("Throughput", NumberText.plain(totals.opsPerSecond()), "ops/s, whole run");
        DrillMetrics metrics = summary.metrics();
        if (metrics.faults().isEmpty()) {
            for (OperationTotal total : totals.operations()) {
                figure(
                        total.operation() + " p99",
                        NumberText.millis(total.service().p99()),
                        "ms, average " + NumberText.millis(total.service().mean()) + " ms");
            }
        } else {
            for (Metric metric : List.of(
                    Metric.BASELINE,
                    Metric.LONGEST_GAP,
                    Metric.DIP_DEPTH,
                    Metric.SERVICE_RESTORED,
                    Metric.REDUNDANCY_RESTORED,
                    Metric.OPERATIONS_LOST)) {
                Measure measure = metrics.get(metric);
                figure(metric.title(), NumberText.measure(metric, measure), measure.note());
            }
        }
        double failed =
                totals.operations().stream().mapToDouble(OperationTotal::failed).sum();
        double unknown = totals.operations().stream()
                .mapToDouble(OperationTotal::unknown)
                .sum();
        figure("Failed", NumberText.plain(failed), "definitely not applied");
        figure("Unknown outcome", NumberText.plain(unknown), "may have been applied");
        html.append("</dl>\n");
    }

    private void figure(String title, String value, String note) {
        html.append("<div><dt>")
                .append(Html.text(title))
                .append("</dt><dd>")
                .append(Html.text(value))
                .append("<small>")
                .append(Html.text(note))
                .append("</small></dd></div>\n");
    }
}

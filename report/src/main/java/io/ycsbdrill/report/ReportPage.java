package io.ycsbdrill.report;

import com.fasterxml.jackson.databind.JsonNode;
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
                "report.js",
                Map.of(
                        "title", Html.text(summary.run().title()),
                        "body", page.html.toString(),
                        "data", Html.script(ChartData.of(summary.run()).toString())));
    }

    private void body() {
        html.append("<h1>").append(Html.text(run.title())).append("</h1>\n<p class=\"soft\">");
        html.append(Html.text(subtitle())).append("</p>\n");
        state();
        verdict();
        figures();
        charts();
        faults();
        stages();
        operations();
        markers();
        configuration();
        problems();
        html.append(
                "<footer>Made by ycsb-drill from the files beside this page; docs/metrics.md explains every figure.</footer>\n");
    }

    private String subtitle() {
        JsonNode json = run.run();
        JsonNode engine = json.path("engine");
        List<String> parts = new ArrayList<>();
        if (!engine.path("name").asText("").isEmpty()) {
            parts.add(
                    engine.path("name").asText() + " " + engine.path("version").asText(""));
        }
        if (engine.path("nodes").size() > 0) {
            parts.add(engine.path("nodes").size() + " nodes");
        }
        String threads = json.path("threads").asText("?");
        parts.add(threads + (threads.equals("1") ? " client thread" : " client threads"));
        parts.add(Numbers.plain(Math.round(run.durationSeconds() * 10) / 10.0) + " s");
        parts.add("started "
                + json.path("startedAt").asText("?").replaceFirst("\\.\\d+", "").replace("T", " "));
        return String.join(" \u00b7 ", parts);
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
                        ? Numbers.ABSENT
                        : check.relation() + " " + Numbers.plain(check.allowed()) + "\u00a0" + check.unit();
                String measured = check.measured().isPresent()
                        ? Numbers.plain(check.measured().getAsDouble()) + " " + check.unit()
                        : Numbers.ABSENT;
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
        figure("Throughput", Numbers.plain(totals.opsPerSecond()), "ops/s, whole run");
        DrillMetrics metrics = summary.metrics();
        if (metrics.faults().isEmpty()) {
            for (OperationTotal total : totals.operations()) {
                figure(
                        total.operation() + " p99",
                        Numbers.millis(total.service().p99()),
                        "ms, average " + Numbers.millis(total.service().mean()) + " ms");
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
                figure(metric.title(), Numbers.measure(metric, measure), measure.note());
            }
        }
        double failed =
                totals.operations().stream().mapToDouble(OperationTotal::failed).sum();
        double unknown = totals.operations().stream()
                .mapToDouble(OperationTotal::unknown)
                .sum();
        figure("Failed", Numbers.plain(failed), "definitely not applied");
        figure("Unknown outcome", Numbers.plain(unknown), "may have been applied");
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
                        ? "; baseline " + Numbers.measure(Metric.BASELINE, base) + ", dip "
                                + Numbers.measure(Metric.DIP_DEPTH, metrics.get(Metric.DIP_DEPTH))
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
                            rows.add(List.of(metric.title(), Numbers.measure(metric, measure), measure.note())));
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
            row.add(Numbers.measure(metric, summary.metrics().get(metric)));
            faults.forEach(fault -> row.add(Numbers.measure(metric, fault.get(metric))));
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
                        (gap.open() ? "\u2265 " : "") + Numbers.seconds(gap.seconds()) + " s",
                        "\u00b1 " + Numbers.seconds(gap.plusMinusSeconds()) + " s",
                        Numbers.seconds(gap.startSeconds()) + " s",
                        before == null ? Numbers.ABSENT : Numbers.seconds(before.seconds()) + " s"));
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
                stage.seconds().isPresent() ? twoDigits(stage.seconds().getAsDouble()) : Numbers.ABSENT,
                Double.isNaN(rate) ? Numbers.ABSENT : Numbers.plain(Math.rint(rate)) + " ops/s",
                Double.isNaN(rate / base) ? Numbers.ABSENT : String.format(Locale.ROOT, "%.0f %%", 100 * rate / base));
    }

    private static String twoDigits(double seconds) {
        return String.format(Locale.ROOT, "%,.2f s", seconds);
    }

    private void operations() {
        html.append("<h2>Operations</h2>\n<p class=\"soft\">From ")
                .append(Html.text(totals.source()))
                .append(". Latencies in ms, of successful operations.</p>\n");
        List<List<String>> rows = new ArrayList<>();
        for (OperationTotal total : totals.operations()) {
            rows.add(row(total, "service", total.service()));
            if (total.response().present()) {
                rows.add(row(total, "response", total.response()));
            }
        }
        html.append(Html.table(
                "Totals by operation",
                List.of(
                        "Operation",
                        "Time",
                        "ok",
                        "failed",
                        "unknown",
                        "ops/s",
                        "average",
                        "p50",
                        "p90",
                        "p95",
                        "p99",
                        "p99.9",
                        "max"),
                rows));
    }

    private static List<String> row(OperationTotal total, String measure, Percentiles p) {
        return List.of(
                total.operation(),
                measure,
                Numbers.plain(total.ok()),
                Numbers.plain(total.failed()),
                Numbers.plain(total.unknown()),
                Numbers.plain(total.opsPerSecond()),
                Numbers.millis(p.mean()),
                Numbers.millis(p.p50()),
                Numbers.millis(p.p90()),
                Numbers.millis(p.p95()),
                Numbers.millis(p.p99()),
                Numbers.millis(p.p999()),
                Numbers.millis(p.max()));
    }

    private void markers() {
        if (run.markers().isEmpty()) {
            return;
        }
        List<List<String>> rows = new ArrayList<>();
        for (Marker marker : run.markers()) {
            rows.add(List.of(
                    String.format(Locale.ROOT, "%,.3f s", marker.atSeconds()),
                    marker.kind(),
                    marker.label(),
                    marker.node(),
                    marker.field("source"),
                    marker.field("text")));
        }
        html.append("<h2>Events</h2>\n<details><summary>")
                .append(rows.size())
                .append(" events of the drill and the engine</summary>\n")
                .append(Html.table(
                        "Events by time since run start",
                        List.of("Time", "Kind", "Label", "Node", "Source", "Text"),
                        rows))
                .append("</details>\n");
    }

    private void configuration() {
        html.append("<h2>What was run</h2>\n");
        JsonNode command = run.run().path("command");
        if (command.isArray() && command.size() > 0) {
            List<String> words = new ArrayList<>();
            command.forEach(word -> words.add(word.asText()));
            html.append("<pre>ycsb ").append(Html.text(String.join(" ", words))).append("</pre>\n");
        }
        String drill = run.run().path("drill").path("text").asText("");
        if (!drill.isEmpty()) {
            html.append("<details><summary>Drill file ")
                    .append(Html.text(run.run().path("drill").path("file").asText("")))
                    .append("</summary><pre>")
                    .append(Html.text(drill))
                    .append("</pre></details>\n");
        }
        List<List<String>> rows = new ArrayList<>();
        for (Map.Entry<String, JsonNode> entry : run.run().properties()) {
            if (!List.of("drill", "command", "properties").contains(entry.getKey())) {
                flatten(entry.getKey(), entry.getValue(), rows);
            }
        }
        html.append("<details><summary>Configuration (run.json)</summary>")
                .append(Html.table("run.json", List.of("Field", "Value"), rows));
        List<List<String>> properties = new ArrayList<>();
        run.run()
                .path("properties")
                .properties()
                .forEach(entry -> flatten(entry.getKey(), entry.getValue(), properties));
        if (!properties.isEmpty()) {
            html.append(Html.table("Properties", List.of("Property", "Value"), properties));
        }
        html.append("</details>\n");
    }

    private static void flatten(String name, JsonNode value, List<List<String>> rows) {
        if (value.isObject()) {
            value.properties().forEach(entry -> flatten(name + "." + entry.getKey(), entry.getValue(), rows));
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                flatten(name + "[" + i + "]", value.get(i), rows);
            }
        } else {
            rows.add(List.of(name, value.isNull() ? "" : value.asText()));
        }
    }

    private void problems() {
        if (run.problems().isEmpty()) {
            return;
        }
        html.append("<h2>About the files</h2>\n<ul>");
        run.problems().forEach(problem -> html.append("<li>")
                .append(Html.text(problem.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + problem))
                .append("</li>"));
        html.append("</ul>\n");
    }
}

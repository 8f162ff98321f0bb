package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.DrillSummary;
import io.ycsbdrill.report.metric.FaultSpan;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.OperationTotal;
import io.ycsbdrill.report.metric.Totals;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Two runs on one page: ratios, then charts laid over each other. */
final class ComparePage {
    private final RunData a;
    private final RunData b;
    private final StringBuilder html = new StringBuilder();

    private ComparePage(RunData a, RunData b) {
        this.a = a;
        this.b = b;
    }

    static String of(RunData a, RunData b, List<String> differences) {
        ComparePage page = new ComparePage(a, b);
        page.body(differences);
        ObjectNode data = new ObjectMapper().createObjectNode();
        data.set("a", ChartData.of(a));
        data.set("b", ChartData.of(b));
        return Template.page(
                List.of("compare.js"),
                Map.of(
                        "title", Html.text("Comparison: " + a.title() + " and " + b.title()),
                        "body", page.html.toString(),
                        "data", Html.script(data.toString()),
                        "connect", "'none'"));
    }

    private void body(List<String> differences) {
        html.append("<h1>Comparison of two runs</h1>\n<p><b>A</b> ")
                .append(Html.text(name(a)))
                .append("</p>\n<p><b>B</b> ")
                .append(Html.text(name(b)))
                .append("</p>\n");
        if (!differences.isEmpty()) {
            html.append("<div class=\"banner\" role=\"alert\"><strong>These runs are not alike; their ratios may mean "
                    + "nothing.</strong><ul>");
            differences.forEach(
                    text -> html.append("<li>").append(Html.text(text)).append("</li>"));
            html.append("</ul></div>\n");
        }
        html.append(
                "<h2>Operations</h2>\n<p class=\"soft\">Ratio is B divided by A. One run of each says nothing about "
                        + "chance: repeat both before you trust a small difference.</p>\n");
        operations();
        drills();
        charts();
        html.append("<footer>Made by ycsb-drill; docs/metrics.md explains every figure.</footer>\n");
    }

    private static String name(RunData run) {
        return run.title() + " \u00b7 " + run.run().path("engine").path("name").asText("") + " "
                + run.run().path("engine").path("version").asText("") + " \u00b7 "
                + run.directory().getFileName();
    }

    private void operations() {
        Totals first = Totals.of(a);
        Totals second = Totals.of(b);
        List<List<String>> rows = new ArrayList<>();
        rows.add(row("all", "throughput (ops/s)", first.opsPerSecond(), second.opsPerSecond()));
        Set<String> names = new LinkedHashSet<>();
        first.operations().forEach(total -> names.add(total.operation()));
        second.operations().forEach(total -> names.add(total.operation()));
        for (String name : names) {
            Optional<OperationTotal> x = find(first, name);
            Optional<OperationTotal> y = find(second, name);
            rows.add(row(
                    name,
                    "throughput (ops/s)",
                    value(x, OperationTotal::opsPerSecond),
                    value(y, OperationTotal::opsPerSecond)));
            rows.add(row(
                    name,
                    "average (ms)",
                    value(x, t -> t.service().mean() / 1000),
                    value(y, t -> t.service().mean() / 1000)));
            rows.add(row(
                    name,
                    "p95 (ms)",
                    value(x, t -> t.service().p95() / 1000),
                    value(y, t -> t.service().p95() / 1000)));
            rows.add(row(
                    name,
                    "p99 (ms)",
                    value(x, t -> t.service().p99() / 1000),
                    value(y, t -> t.service().p99() / 1000)));
            rows.add(row(name, "failed", value(x, OperationTotal::failed), value(y, OperationTotal::failed)));
            rows.add(row(name, "unknown", value(x, OperationTotal::unknown), value(y, OperationTotal::unknown)));
        }
        html.append(Html.table("Operations", List.of("Operation", "Figure", "A", "B", "B / A"), rows));
    }

    private static Optional<OperationTotal> find(Totals totals, String name) {
        return totals.operations().stream()
                .filter(total -> total.operation().equals(name))
                .findFirst();
    }

    private static double value(Optional<OperationTotal> total, ToDoubleFunction<OperationTotal> figure) {
        return total.isPresent() ? figure.applyAsDouble(total.get()) : Double.NaN;
    }

    private static List<String> row(String name, String figure, double x, double y) {
        boolean time = figure.endsWith("(ms)");
        return List.of(
                name,
                figure,
                time ? NumberText.threeDigits(x) : NumberText.plain(x),
                time ? NumberText.threeDigits(y) : NumberText.plain(y),
                ratio(x, y));
    }

    /** {@code n/a} without both values or when A is zero. */
    static String ratio(double x, double y) {
        return Double.isFinite(y / x) ? String.format(Locale.ROOT, "%.2f \u00d7", y / x) : NumberText.ABSENT;
    }

    private void drills() {
        if (!a.hasDrill() && !b.hasDrill()) {
            return;
        }
        DrillSummary first = DrillSummary.of(a);
        DrillSummary second = DrillSummary.of(b);
        html.append("<h2>Drill</h2>\n<p><b>A</b> ")
                .append(Html.text(first.verdict().line()))
                .append("</p>\n<p><b>B</b> ")
                .append(Html.text(second.verdict().line()))
                .append("</p>\n");
        List<List<String>> rows = new ArrayList<>();
        for (Metric metric : Metric.values()) {
            Measure x = first.metrics().get(metric);
            Measure y = second.metrics().get(metric);
            rows.add(List.of(
                    metric.title(),
                    NumberText.measure(metric, x),
                    NumberText.measure(metric, y),
                    ratio(x.value().orElse(Double.NaN), y.value().orElse(Double.NaN))));
        }
        html.append(Html.table("Drill as a whole", List.of("Metric", "A", "B", "B / A"), rows));
    }

    private void charts() {
        html.append("<h2>Over time</h2>\n<noscript><p><strong>The charts need JavaScript.</strong></p></noscript>\n");
        boolean faults = !FaultSpan.of(a).isEmpty() && !FaultSpan.of(b).isEmpty();
        html.append("<div class=\"controls\"><fieldset><legend>Detail</legend>"
                + "<label><input type=\"radio\" name=\"detail\" value=\"auto\" checked> automatic</label>"
                + "<label><input type=\"radio\" name=\"detail\" value=\"windows\"> windows</label>"
                + "<label><input type=\"radio\" name=\"detail\" value=\"slices\"> slices</label></fieldset>");
        if (faults) {
            html.append(
                    "<fieldset><legend>Time 0 is</legend>"
                            + "<label><input type=\"radio\" name=\"align\" value=\"start\"> run start</label>"
                            + "<label><input type=\"radio\" name=\"align\" value=\"fault\" checked> first fault</label></fieldset>");
        }
        html.append("<label><input type=\"checkbox\" id=\"log\"> latency on a logarithmic scale</label></div>\n");
        html.append("<h3>Throughput</h3>\n<div class=\"chart main\" data-kind=\"throughput\" role=\"img\" "
                + "aria-label=\"Successful operations per second of both runs over time\"></div>\n");
        Set<String> operations = new LinkedHashSet<>(a.operations());
        operations.retainAll(b.operations());
        for (String operation : operations) {
            html.append("<h3>Latency of ")
                    .append(Html.text(operation))
                    .append("</h3>\n<div class=\"chart\" data-kind=\"latency\" data-operation=\"")
                    .append(Html.text(operation))
                    .append(
                            "\" role=\"img\" aria-label=\"Average and 99th percentile of the latency of both runs\"></div>\n");
        }
    }
}

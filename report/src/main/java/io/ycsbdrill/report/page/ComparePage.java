package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.Incident;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.metric.OperationTotal;
import io.ycsbdrill.report.metric.Totals;
import io.ycsbdrill.report.summary.DrillSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/** Two runs on one page: ratios, then charts laid over each other. */
record ComparePage(RunData a, RunData b, List<String> differences) {
    private static final String RESPONSE = "p99, response time (ms)";
    private static final Map<String, ToDoubleFunction<OperationTotal>> FIGURES = new LinkedHashMap<>();

    static {
        FIGURES.put("throughput (ops/s)", OperationTotal::opsPerSecond);
        FIGURES.put("average (ms)", total -> total.service().mean() / 1000);
        FIGURES.put("p95 (ms)", total -> total.service().p95() / 1000);
        FIGURES.put("p99 (ms)", total -> total.service().p99() / 1000);
        FIGURES.put(RESPONSE, total -> total.response().p99() / 1000);
        FIGURES.put("failed", OperationTotal::failed);
        FIGURES.put("unknown", OperationTotal::unknown);
    }

    static String of(RunData a, RunData b, List<String> differences) {
        return Pages.render("page/compare.jte", new ComparePage(a, b, differences));
    }

    String title() {
        return "Comparison: " + RunWords.title(a) + " and " + RunWords.title(b);
    }

    String data() {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        data.set("a", ChartData.of(a));
        data.set("b", ChartData.of(b));
        return data.toString();
    }

    static String name(RunData run) {
        return RunWords.title(run) + " \u00b7 " + RunWords.engine(run.run()) + " \u00b7 "
                + run.directory().getFileName();
    }

    /** A figure of both; NaN where it was not measured. The ratio of counts is that of their shares, as they grow with the length of a run. */
    private record Row(String operation, String figure, double a, double b, double ratio) {
        private List<String> cells() {
            boolean time = figure.endsWith("(ms)");
            return List.of(
                    operation,
                    figure,
                    time ? NumberText.threeDigits(a) : NumberText.plain(a),
                    time ? NumberText.threeDigits(b) : NumberText.plain(b),
                    ComparePage.ratio(1, ratio));
        }
    }

    Table operations() {
        return new Table(
                "Operations",
                List.of("Operation", "Figure", "A", "B", "B / A"),
                rows().stream().map(Row::cells).toList());
    }

    private List<Row> rows() {
        Totals first = Totals.of(a);
        Totals second = Totals.of(b);
        List<Row> rows = new ArrayList<>();
        double faster = second.opsPerSecond() / first.opsPerSecond();
        rows.add(new Row("all", "throughput (ops/s)", first.opsPerSecond(), second.opsPerSecond(), faster));
        Set<String> names = new LinkedHashSet<>();
        first.operations().forEach(total -> names.add(total.operation()));
        second.operations().forEach(total -> names.add(total.operation()));
        for (String name : names) {
            double longer = value(second, name, ComparePage::ended) / value(first, name, ComparePage::ended);
            FIGURES.forEach((figure, of) -> {
                double x = value(first, name, of);
                double y = value(second, name, of);
                rows.add(new Row(name, figure, x, y, y / x / (figure.matches("failed|unknown") ? longer : 1)));
            });
        }
        rows.removeIf(row -> row.figure().equals(RESPONSE) && Double.isNaN(row.a()) && Double.isNaN(row.b()));
        return rows;
    }

    private static double ended(OperationTotal total) {
        return total.ok() + total.failed() + total.unknown();
    }

    /** The same for scripts; what was not measured is left out. */
    String json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("schema", 1);
        json.putObject("a").put("directory", a.directory().toString());
        json.putObject("b").put("directory", b.directory().toString());
        differences.forEach(json.putArray("differences")::add);
        ArrayNode figures = JsonNodeFactory.instance.arrayNode();
        for (Row row : rows()) {
            ObjectNode one =
                    figures.addObject().put("operation", row.operation()).put("figure", row.figure());
            put(one, "a", row.a());
            put(one, "b", row.b());
            put(one, "ratio", row.ratio());
        }
        if (hasDrill()) {
            json.put("verdictOfA", verdict(a)).put("verdictOfB", verdict(b));
            DrillMetrics first = DrillMetrics.of(a);
            DrillMetrics second = DrillMetrics.of(b);
            for (Metric metric : Metric.values()) {
                Measure x = first.get(metric);
                Measure y = second.get(metric);
                ObjectNode one = figures.addObject().put("operation", "drill").put("figure", metric.key());
                put(one, "a", metric, x);
                put(one, "b", metric, y);
                put(one, "ratio", compared(metric) ? exact(y) / exact(x) : Double.NaN);
            }
        }
        json.set("figures", figures);
        return json.toPrettyString();
    }

    private static void put(ObjectNode json, String key, double value) {
        if (Double.isFinite(value)) {
            json.put(key, NumberText.forScripts(value));
        }
    }

    /** The value; of one that the data do not show what it is at least, and why. */
    private static void put(ObjectNode json, String key, Metric metric, Measure measure) {
        put(json, key, exact(measure));
        metric.least(measure).ifPresent(least -> json.putObject(key)
                .put("atLeast", NumberText.forScripts(least))
                .put("note", measure.note()));
    }

    /** NaN for an operation that a run does not have. */
    private static double value(Totals totals, String operation, ToDoubleFunction<OperationTotal> figure) {
        return totals.operations().stream()
                .filter(total -> total.operation().equals(operation))
                .mapToDouble(figure)
                .findFirst()
                .orElse(Double.NaN);
    }

    /** {@code n/a} without both values or when A is zero. */
    static String ratio(double x, double y) {
        return Double.isFinite(y / x) ? Formatted.of("%.2f \u00d7", y / x) : NumberText.ABSENT;
    }

    boolean hasDrill() {
        return a.hasDrill() || b.hasDrill();
    }

    static String verdict(RunData run) {
        return DrillSummary.of(run).verdict().line();
    }

    FigureTable drills() {
        DrillMetrics first = DrillMetrics.of(a);
        DrillMetrics second = DrillMetrics.of(b);
        return new FigureTable(
                "Drill as a whole; what neither run has is left out", List.of("Figure", "A", "B", "B / A"), metric -> {
                    Measure x = first.get(metric);
                    Measure y = second.get(metric);
                    if (x.value().isEmpty() && y.value().isEmpty()) {
                        return List.of();
                    }
                    return List.of(
                            NumberText.measure(metric, x),
                            NumberText.measure(metric, y),
                            compared(metric) ? ratio(exact(x), exact(y)) : "");
                });
    }

    /** How steady the baselines were is no result of the runs. */
    private static boolean compared(Metric metric) {
        return metric == Metric.BASELINE || !metric.key().startsWith("baseline");
    }

    /** NaN for a bound: nothing is known of its ratio. */
    private static double exact(Measure measure) {
        return measure.censored() ? Double.NaN : measure.value().orElse(Double.NaN);
    }

    /** Whether the runs can be laid over each other from the first fault on. */
    boolean hasFaults() {
        return !Incident.of(a).isEmpty() && !Incident.of(b).isEmpty();
    }

    Set<String> commonOperations() {
        Set<String> operations = new LinkedHashSet<>(a.operations());
        operations.retainAll(b.operations());
        return operations;
    }
}

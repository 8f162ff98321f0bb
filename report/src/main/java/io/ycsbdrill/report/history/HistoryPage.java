package io.ycsbdrill.report.history;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.page.Html;
import io.ycsbdrill.report.page.Template;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** {@code history.html}. */
final class HistoryPage {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;
    private final ObjectNode data = JSON.createObjectNode();
    private final StringBuilder html = new StringBuilder();

    private HistoryPage(Path folder) {
        this.folder = folder;
    }

    /** @param folder where the page will be */
    static String of(Path directory, List<HistorySeries> series, List<History.LeftOut> leftOut, Path folder) {
        HistoryPage page = new HistoryPage(folder);
        page.body(directory, series, leftOut);
        return Template.page(
                List.of("history.js"),
                Map.of(
                        "title", Html.text("History of " + directory),
                        "body", page.html.toString(),
                        "data", Html.script(page.data.toString()),
                        "connect", "'none'"));
    }

    private void body(Path directory, List<HistorySeries> series, List<History.LeftOut> leftOut) {
        int runs = series.stream().mapToInt(s -> s.runs().size()).sum();
        html.append("<h1>History of runs</h1>\n<p class=\"soft\">")
                .append(Html.text(directory + " \u00b7 " + runs + " runs in " + series.size()
                        + " series of like ones \u00b7 " + leftOut.size() + " not compared"))
                .append("</p>\n");
        verdict(series);
        ArrayNode charts = data.putArray("series");
        for (int i = 0; i < series.size(); i++) {
            series(series.get(i), i, charts.addObject());
        }
        leftOut(leftOut);
        html.append("<footer>Made by ycsb-drill. A figure is called worse when it is so against the median of at least "
                + Regression.LEAST_RUNS + " earlier runs of its series (the newest " + Regression.MOST_RUNS
                + " count) by more than three scaled median absolute deviations and more than 20 %; "
                + "docs/history.md explains the rule.</footer>\n");
    }

    private void verdict(List<HistorySeries> series) {
        List<String> worse = new ArrayList<>();
        for (HistorySeries one : series) {
            one.regressions(one.runs().size() - 1).values().forEach(why -> worse.add(one.title() + ": " + why));
        }
        html.append("<div class=\"verdict ")
                .append(worse.isEmpty() ? "pass" : "fail")
                .append("\"><strong>")
                .append(worse.isEmpty() ? "No regression" : "Regression")
                .append("</strong> in the newest run of ")
                .append(worse.isEmpty() ? "any series" : "a series")
                .append(worse.isEmpty() ? "" : "<ul>");
        worse.forEach(why -> html.append("<li>").append(Html.text(why)).append("</li>"));
        html.append(worse.isEmpty() ? "" : "</ul>").append("</div>\n");
    }

    private void series(HistorySeries series, int number, ObjectNode json) {
        html.append("<h2>")
                .append(Html.text(series.title()))
                .append("</h2>\n<p class=\"soft\">")
                .append(Html.text(series.details()))
                .append("</p>\n");
        if (series.runs().size() <= Regression.LEAST_RUNS) {
            html.append("<p class=\"soft\">Too few runs to judge the newest by: ")
                    .append(series.runs().size() - 1)
                    .append(" before it, ")
                    .append(Regression.LEAST_RUNS)
                    .append(" are needed.</p>\n");
        }
        ArrayNode dates = json.putArray("dates");
        ArrayNode links = json.putArray("links");
        ArrayNode names = json.putArray("names");
        series.runs().forEach(run -> {
            dates.add(run.date());
            links.add(run.reported() ? link(run) : "");
            names.add(run.directory().getFileName().toString());
        });
        ObjectNode metrics = json.putObject("metrics");
        if (series.runs().size() > 1) {
            html.append("<div class=\"tiles\">\n");
            series.metrics().forEach(metric -> chart(series, metric, number, metrics.putObject(metric.name())));
            html.append("</div>\n");
        }
        table(series);
    }

    private void chart(HistorySeries series, HistoryMetric metric, int number, ObjectNode json) {
        json.put("unit", metric.unit()).put("whole", metric.unit().equals("ops"));
        ArrayNode values = json.putArray("values");
        ArrayNode expected = json.putArray("expected");
        ArrayNode worse = json.putArray("worse");
        for (int i = 0; i < series.runs().size(); i++) {
            OptionalDouble value = series.runs().get(i).figures().get(metric);
            add(values, value);
            add(expected, Regression.expected(series.earlier(i, metric)));
            worse.add(Regression.of(metric, value, series.earlier(i, metric)).isPresent());
        }
        html.append("<div><h3>")
                .append(Html.text(metric.title()))
                .append("</h3><div class=\"chart small\" role=\"img\" data-series=\"")
                .append(number)
                .append("\" data-metric=\"")
                .append(metric.name())
                .append("\" aria-label=\"")
                .append(Html.text(metric.title() + " of each run; the values are in the table below"))
                .append("\"></div></div>\n");
    }

    private static void add(ArrayNode array, OptionalDouble value) {
        if (value.isPresent()) {
            array.add(Math.round(value.getAsDouble() * 1000) / 1000.0);
        } else {
            array.addNull();
        }
    }

    private void table(HistorySeries series) {
        List<HistoryMetric> metrics = series.metrics();
        html.append(
                "<div class=\"scroll runs\" tabindex=\"0\" role=\"region\" aria-label=\"Runs, newest first\"><table>"
                        + "<caption>Runs, newest first; worse figures are marked</caption><thead><tr><th scope=\"col\">Started (UTC)</th>"
                        + "<th scope=\"col\">Run</th>");
        metrics.forEach(metric -> html.append("<th scope=\"col\">")
                .append(Html.text(metric.title() + " (" + metric.unit() + ")"))
                .append("</th>"));
        html.append("<th scope=\"col\">Verdict</th></tr></thead><tbody>\n");
        for (int i = series.runs().size() - 1; i >= 0; i--) {
            row(series, i, metrics);
        }
        html.append("</tbody></table></div>\n");
    }

    private void row(HistorySeries series, int number, List<HistoryMetric> metrics) {
        HistoryRun run = series.runs().get(number);
        Map<HistoryMetric, String> worse = series.regressions(number);
        html.append("<tr><th scope=\"row\">").append(Html.text(run.date())).append("</th>");
        String name = Html.text(run.directory().getFileName().toString());
        html.append("<td>")
                .append(
                        run.reported()
                                ? "<a href=\"" + Html.text(link(run)) + "\">" + name + "</a>"
                                : name + " (no report)")
                .append("</td>");
        metrics.forEach(metric -> html.append(
                        worse.containsKey(metric)
                                ? "<td class=\"n bad\" title=\"" + Html.text(worse.get(metric)) + "\">\u25b2 "
                                : "<td class=\"n\">")
                .append(Html.text(metric.text(run.figures().get(metric))))
                .append("</td>"));
        html.append("<td>").append(Html.text(run.verdict())).append("</td></tr>\n");
    }

    /** Relative where that is possible, so that page and runs may be moved together. */
    private String link(HistoryRun run) {
        Path report = run.directory().resolve("report.html").toAbsolutePath().normalize();
        Path here = folder.toAbsolutePath().normalize();
        if (!report.getRoot().equals(here.getRoot())) {
            return report.toUri().toString();
        }
        StringBuilder link = new StringBuilder();
        for (Path part : here.relativize(report)) {
            link.append(link.isEmpty() ? "" : "/").append(escaped(part.toString()));
        }
        return link.toString();
    }

    private static String escaped(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private void leftOut(List<History.LeftOut> leftOut) {
        if (leftOut.isEmpty()) {
            return;
        }
        html.append("<h2>Not compared</h2>\n");
        html.append(Html.table(
                "Directories whose figures do not count, and why",
                List.of("Directory", "Reason"),
                leftOut.stream()
                        .map(out -> List.of(out.directory().toString(), out.reason()))
                        .toList()));
    }
}

package io.ycsbdrill.report.history;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Counted;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.page.Pages;
import io.ycsbdrill.report.page.Table;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * {@code history.html}.
 *
 * @param directory whose runs it shows
 * @param excluded what is in no series
 * @param folder where the page will be
 */
record HistoryPage(Path directory, List<HistorySeries> series, List<History.LeftOut> excluded, Path folder) {
    String html() {
        return Pages.render("history/history.jte", this);
    }

    String title() {
        return "History of " + directory;
    }

    String subtitle() {
        int runs = series.stream().mapToInt(s -> s.runs().size()).sum();
        return directory + " \u00b7 " + Counted.of(runs, "run") + " in " + series.size() + " series \u00b7 "
                + excluded.size() + " not compared";
    }

    HistoryVerdict verdict() {
        return HistoryVerdict.of(series);
    }

    /** Where the newest run of each series is worse than those before it. */
    List<String> regressions() {
        return series.stream()
                .flatMap(one -> one.worse().stream().map(why -> one.title() + ": " + why))
                .toList();
    }

    /** The data of the charts, as JSON. */
    String data() {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        ArrayNode charts = data.putArray("series");
        series.forEach(one -> series(one, charts.addObject()));
        return data.toString();
    }

    private void series(HistorySeries series, ObjectNode json) {
        ArrayNode dates = json.putArray("dates");
        ArrayNode links = json.putArray("links");
        ArrayNode names = json.putArray("names");
        series.runs().forEach(run -> {
            dates.add(run.date());
            links.add(run.reported() ? link(run) : "");
            names.add(run.name());
        });
        ObjectNode metrics = json.putObject("metrics");
        if (series.runs().size() > 1) {
            series.metrics().forEach(metric -> chart(series, metric, metrics.putObject(metric.name())));
        }
    }

    private static void chart(HistorySeries series, HistoryMetric metric, ObjectNode json) {
        json.put("unit", metric.unit()).put("whole", metric.unit().equals("ops"));
        ArrayNode values = json.putArray("values");
        ArrayNode expected = json.putArray("expected");
        ArrayNode worse = json.putArray("worse");
        ArrayNode changes = json.putArray("changes");
        Change.of(metric, series.earlier(series.runs().size(), metric))
                .forEach(change -> changes.addObject().put("run", change.run()).put("worse", change.worse()));
        for (int i = 0; i < series.runs().size(); i++) {
            Measure figure = series.runs().get(i).figures().get(metric);
            add(values, figure.value());
            add(expected, Regression.expected(series.earlier(i, metric)));
            worse.add(Regression.of(metric, figure, series.earlier(i, metric)).isPresent());
        }
    }

    private static void add(ArrayNode array, OptionalDouble value) {
        value.ifPresentOrElse(known -> array.add(Math.round(known * 1000) / 1000.0), array::addNull);
    }

    /** The address of a run's report, relative where that is possible, so that page and runs may be moved together. */
    String link(HistoryRun run) {
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

    Table leftOut() {
        return new Table(
                "Directories without valid figures, and why",
                List.of("Directory", "Reason"),
                excluded.stream()
                        .map(out -> List.of(out.directory().toString(), out.reason()))
                        .toList());
    }
}

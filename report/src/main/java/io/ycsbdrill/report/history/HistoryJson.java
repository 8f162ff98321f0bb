package io.ycsbdrill.report.history;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.NumberText;
import java.util.List;
import java.util.Locale;

/** A history for scripts; what was not measured is left out, never 0. Stateless. */
final class HistoryJson {
    static String of(History history, List<HistorySeries> series) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("schema", 1);
        json.put("verdict", history.verdict()).put("judged", history.judged());
        history.regressions().forEach(json.putArray("regressions")::add);
        ArrayNode all = json.putArray("series");
        series.forEach(one -> series(one, all.addObject()));
        ArrayNode leftOut = json.putArray("leftOut");
        history.leftOut().forEach(out -> leftOut.addObject()
                .put("directory", out.directory().toString())
                .put("reason", out.reason()));
        return json.toPrettyString();
    }

    private static void series(HistorySeries series, ObjectNode json) {
        json.put("title", series.title()).put("details", series.details()).put("judged", series.judged());
        ArrayNode changes = json.putArray("changes");
        series.changes().forEach(change -> changes.addObject()
                .put("directory", series.runs().get(change.run()).directory().toString())
                .put("figure", key(change.metric()))
                .put("text", change.text()));
        ArrayNode runs = json.putArray("runs");
        for (HistoryRun run : series.runs()) {
            ObjectNode one = runs.addObject().put("directory", run.directory().toString());
            one.put("startedAt", run.startedAt());
            if (!run.verdict().isEmpty()) {
                one.put("verdict", run.verdict());
            }
            ObjectNode figures = one.putObject("figures");
            for (HistoryMetric metric : HistoryMetric.values()) {
                figure(metric, run.figures().get(metric), figures);
            }
        }
    }

    private static void figure(HistoryMetric metric, Measure figure, ObjectNode figures) {
        if (figure.value().isPresent()) {
            figures.putObject(key(metric))
                    .put("value", NumberText.forScripts(figure.value().getAsDouble()))
                    .put("unit", metric.unit())
                    .put("censored", figure.censored());
        } else if (figure.least() > 0) {
            figures.putObject(key(metric))
                    .put("atLeast", NumberText.forScripts(figure.least()))
                    .put("unit", metric.unit())
                    .put("note", figure.note());
        }
    }

    private static String key(HistoryMetric metric) {
        return metric.name().toLowerCase(Locale.ROOT);
    }
}

package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.Percentiles;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.OperationTotal;
import io.ycsbdrill.report.metric.Totals;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The totals of each operation, the events, the configuration and what is wrong with the files, for {@code report.html}. */
final class RunSection {
    private final RunData run;
    private final StringBuilder html;

    private RunSection(RunData run, StringBuilder html) {
        this.run = run;
        this.html = html;
    }

    static void append(RunData run, Totals totals, StringBuilder html) {
        RunSection section = new RunSection(run, html);
        section.operations(totals);
        section.retries();
        ConnectionSection.append(run, html);
        section.markers();
        section.configuration();
        section.problems();
    }

    private void operations(Totals totals) {
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
                NumberText.plain(total.ok()),
                NumberText.plain(total.failed()),
                NumberText.plain(total.unknown()),
                NumberText.plain(total.opsPerSecond()),
                NumberText.millis(p.mean()),
                NumberText.millis(p.p50()),
                NumberText.millis(p.p90()),
                NumberText.millis(p.p95()),
                NumberText.millis(p.p99()),
                NumberText.millis(p.p999()),
                NumberText.millis(p.max()));
    }

    private void retries() {
        List<String> retried = new ArrayList<>();
        run.summary()
                .ifPresent(summary -> summary.path("operations").properties().forEach(entry -> {
                    JsonNode retries = entry.getValue().path("retries");
                    if (retries.isNumber()) {
                        retried.add(entry.getKey() + " " + NumberText.plain(retries.asDouble()) + " times for "
                                + NumberText.plain(entry.getValue()
                                        .path("retriedOperations")
                                        .asDouble()) + " operations");
                    }
                }));
        if (!retried.isEmpty()) {
            html.append("<p class=\"soft\">Tried again after temporary errors: ")
                    .append(Html.text(String.join(", ", retried)))
                    .append(". Latencies contain all attempts and the pauses between them.</p>\n");
        }
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

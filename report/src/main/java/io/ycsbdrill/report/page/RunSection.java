package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.metric.OperationTotal;
import io.ycsbdrill.report.metric.Totals;
import io.ycsbdrill.rundir.Latency;
import io.ycsbdrill.rundir.Percentiles;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The totals of each operation, the events, the configuration and what is wrong with the files, for {@code report.html}. */
record RunSection(RunData run, Totals totals) {
    String source() {
        return totals.source();
    }

    Table operations() {
        List<List<String>> rows = new ArrayList<>();
        for (OperationTotal total : totals.operations()) {
            rows.add(row(total, "service", total.service()));
            if (total.response().present()) {
                rows.add(row(total, "response", total.response()));
            }
        }
        List<String> columns = new ArrayList<>(List.of("Operation", "Time", "ok", "failed", "unknown", "ops/s"));
        for (Latency latency : Latency.values()) {
            columns.add(latency == Latency.MEAN ? "average" : latency.title());
        }
        return new Table("Totals by operation", columns, rows);
    }

    private static List<String> row(OperationTotal total, String measure, Percentiles p) {
        List<String> row = new ArrayList<>(List.of(
                total.operation(),
                measure,
                NumberText.plain(total.ok()),
                NumberText.plain(total.failed()),
                NumberText.plain(total.unknown()),
                NumberText.plain(total.opsPerSecond())));
        for (Latency latency : Latency.values()) {
            row.add(NumberText.millis(p.get(latency)));
        }
        return row;
    }

    /** Operations that were retried, and how often; empty when none was. */
    String retries() {
        List<String> retried = new ArrayList<>();
        run.summary()
                .ifPresent(summary -> summary.path("operations").properties().forEach(entry -> {
                    JsonNode operation = entry.getValue();
                    if (operation.path("retries").isNumber()) {
                        retried.add(Formatted.of(
                                "%s %,d {time|times} for %,d {operation|operations}",
                                entry.getKey(),
                                operation.path("retries").asLong(),
                                operation.path("retriedOperations").asLong()));
                    }
                }));
        return String.join(", ", retried);
    }

    /** The section of {@code summary.json}; missing when the binding did not report its connections. */
    JsonNode connections() {
        return run.summary().map(summary -> summary.path("connections")).orElse(MissingNode.getInstance());
    }

    Table events() {
        List<List<String>> rows = new ArrayList<>();
        for (Marker marker : run.markers()) {
            rows.add(List.of(
                    Formatted.of("%,.3f s", marker.atSeconds()),
                    marker.kind(),
                    marker.label(),
                    marker.node(),
                    marker.field("source"),
                    marker.field("text")));
        }
        return new Table(
                "Events by time since run start", List.of("Time", "Kind", "Label", "Node", "Source", "Text"), rows);
    }

    String command() {
        List<String> words = new ArrayList<>();
        run.run().path("command").forEach(word -> words.add(word.asText()));
        return String.join(" ", words);
    }

    /** A field of the drill; empty without a drill. */
    String drill(String field) {
        return run.run().path("drill").path(field).asText("");
    }

    Table configuration() {
        List<List<String>> rows = new ArrayList<>();
        run.run().properties().forEach(entry -> {
            if (!List.of("drill", "command", "properties").contains(entry.getKey())) {
                flatten(entry.getKey(), entry.getValue(), rows);
            }
        });
        return new Table(RunFile.RUN, List.of("Field", "Value"), rows);
    }

    Table properties() {
        List<List<String>> rows = new ArrayList<>();
        run.run().path("properties").properties().forEach(entry -> flatten(entry.getKey(), entry.getValue(), rows));
        return new Table("Properties", List.of("Property", "Value"), rows);
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

    static String kind(Problem problem) {
        return problem.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}

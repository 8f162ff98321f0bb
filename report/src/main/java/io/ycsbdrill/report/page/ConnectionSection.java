package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.NumberText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The connections that the client lost, for {@code report.html}.
 *
 * @param json the section of {@code summary.json}
 */
record ConnectionSection(JsonNode json) {

    /** The section; empty when the binding did not report its connections. */
    static Optional<ConnectionSection> of(RunData run) {
        return run.summary()
                .map(summary -> summary.path("connections"))
                .filter(JsonNode::isObject)
                .map(ConnectionSection::new);
    }

    String remark() {
        String what = json.path("servers").isEmpty()
                ? "No connection was lost."
                : "Connections that the client lost, by server, how many of them were followed by a new one to any server, and the"
                        + " time without one. Covers the whole run, without trimming.";
        int silent = json.path("silentThreads").asInt();
        return silent == 0
                ? what
                : what + " " + silent + " of the client's threads did not report; their losses are missing.";
    }

    Table lost() {
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode server : json.path("servers")) {
            rows.add(List.of(
                    server.path("server").asText("?"),
                    NumberText.plain(server.path("lost").asDouble(Double.NaN)),
                    NumberText.plain(server.path("regained").asDouble(Double.NaN)),
                    seconds(server.path("secondsWithout")),
                    seconds(server.path("longestSecondsWithout"))));
        }
        return new Table(
                "Lost connections by server", List.of("Server", "Lost", "Regained", "Time without", "Longest"), rows);
    }

    private static String seconds(JsonNode value) {
        return value.isNumber() ? String.format(Locale.ROOT, "%,.3f s", value.asDouble()) : NumberText.ABSENT;
    }
}

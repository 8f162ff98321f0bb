package io.ycsbdrill.report.page;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.ycsbdrill.report.data.RunData;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What became of the client's connections, for {@code report.html}; nothing when the binding did not tell. */
final class ConnectionSection {
    private ConnectionSection() {}

    static void append(RunData run, StringBuilder html) {
        JsonNode connections =
                run.summary().map(summary -> summary.path("connections")).orElse(MissingNode.getInstance());
        if (!connections.isObject()) {
            return;
        }
        html.append("<h2>Connections</h2>\n<p class=\"soft\">")
                .append(Html.text(remark(connections)))
                .append("</p>\n");
        List<List<String>> rows = new ArrayList<>();
        for (JsonNode server : connections.path("servers")) {
            rows.add(List.of(
                    server.path("server").asText("?"),
                    NumberText.plain(server.path("lost").asDouble(Double.NaN)),
                    NumberText.plain(server.path("regained").asDouble(Double.NaN)),
                    seconds(server.path("secondsWithout")),
                    seconds(server.path("longestSecondsWithout"))));
        }
        if (!rows.isEmpty()) {
            html.append(Html.table(
                    "Connections that broke, by server",
                    List.of("Server", "Lost", "Regained", "Time without, sum", "Longest"),
                    rows));
        }
    }

    private static String remark(JsonNode connections) {
        String what = connections.path("servers").isEmpty()
                ? "No connection broke."
                : "Where connections of the client broke, how many were followed by a new one to any server, and how long there"
                        + " was none. Of the whole run, without trimming.";
        int silent = connections.path("silentThreads").asInt();
        return silent == 0
                ? what
                : what + " Not known of " + silent + " of the client's threads: their losses are missing.";
    }

    private static String seconds(JsonNode value) {
        return value.isNumber() ? String.format(Locale.ROOT, "%,.3f s", value.asDouble()) : NumberText.ABSENT;
    }
}

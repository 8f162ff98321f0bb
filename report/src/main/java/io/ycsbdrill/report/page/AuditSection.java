package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.AuditData;
import io.ycsbdrill.report.data.ReplicaData;
import io.ycsbdrill.report.data.RunData;
import java.util.List;
import java.util.Optional;

/** What became of every write, for {@code report.html}; nothing when the run was not audited. */
final class AuditSection {
    private static final int MOST_ROWS = 100;

    private AuditSection() {}

    static void append(RunData run, StringBuilder html) {
        Optional<AuditData> audit = run.audit();
        if (audit.isEmpty()) {
            return;
        }
        String word = audit.get().isClean() ? "pass" : "fail";
        List<String> lines = audit.get().lines();
        html.append("<section aria-labelledby=\"audit\"><h2 id=\"audit\">Audit of writes</h2>\n<div class=\"verdict ")
                .append(word)
                .append("\">")
                .append(Html.text(lines.get(0)))
                .append("</div>\n");
        lines.stream().skip(1).forEach(line -> html.append("<p class=\"soft\">")
                .append(Html.text(line))
                .append("</p>\n"));
        List<List<String>> rows = audit.get().findings(MOST_ROWS);
        if (!rows.isEmpty()) {
            html.append(Html.table(
                    "What was found (at most " + MOST_ROWS + "; audit.json has more)",
                    List.of("What", "Key", "Field", "Write", "At (s)", "Found instead"),
                    rows));
        }
        ReplicaData replicas = audit.get().replicas();
        if (!replicas.nodes().isEmpty()) {
            html.append(Html.table(
                    "What each node has of the written keys",
                    List.of("Node", "Rows", "Absent", "Not held", "Unreadable", "Findings", "Content hash"),
                    replicas.nodes()));
        }
        if (!replicas.differences(1).isEmpty()) {
            html.append(Html.table(
                    "Copies that are wrong or differ (at most " + MOST_ROWS + "; audit.json has more)",
                    List.of("Node", "What", "Key", "Field", "Write", "At (s)", "Found instead", "Others"),
                    replicas.differences(MOST_ROWS)));
        }
        html.append("</section>\n");
    }
}

package io.ycsbdrill.report.page;

import io.ycsbdrill.report.data.AuditData;
import java.util.List;

/** What became of writes and what each node has, as tables of {@code report.html}. */
final class AuditTables {
    private static final int MOST_ROWS = 100;

    private AuditTables() {}

    static List<Table> of(AuditData audit) {
        String most = " (at most " + MOST_ROWS + "; audit.json has more)";
        return List.of(
                new Table(
                        "What was found" + most,
                        List.of("What", "Key", "Field", "Write", "At (s)", "Found instead"),
                        audit.findings(MOST_ROWS)),
                new Table(
                        "What each node has of the written keys",
                        List.of("Node", "Rows", "Absent", "Not held", "Unreadable", "Findings", "Content hash"),
                        audit.replicas().nodes()),
                new Table(
                        "Copies that are wrong or differ" + most,
                        List.of("Node", "What", "Key", "Field", "Write", "At (s)", "Found instead", "Others"),
                        audit.replicas().differences(MOST_ROWS)));
    }
}

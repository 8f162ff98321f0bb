package io.ycsbdrill.report.page;

import io.ycsbdrill.report.metric.Metric;
import java.util.Arrays;
import java.util.List;

/** What each figure means, from the tables of docs/metrics.md, which this jar has a copy of. */
final class Definitions {
    private static final List<String[]> ROWS = Pages.resource("metrics.md")
            .lines()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.split("(?<!\\\\)\\|"))
            .toList();

    /** Meaning and formula, without mark-up. */
    static String of(Metric metric) {
        return ROWS.stream()
                .filter(row -> row[1].contains("`" + metric.key() + "`"))
                .map(row -> String.join(
                        ": ",
                        Arrays.stream(row).skip(2).limit(2).map(String::strip).toList()))
                .map(text -> text.replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").replaceAll("[*`\\\\]", ""))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("docs/metrics.md does not define " + metric.key()));
    }
}

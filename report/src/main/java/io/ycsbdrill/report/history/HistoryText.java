package io.ycsbdrill.report.history;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.report.page.TableText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A history for a terminal. */
final class HistoryText {
    static String of(List<HistorySeries> series, List<History.LeftOut> leftOut) {
        StringBuilder text = new StringBuilder();
        for (HistorySeries one : series) {
            text.append(one.title() + " (" + one.details() + "): "
                    + Counted.of(one.runs().size(), "run") + "\n");
            List<List<String>> rows = rows(one);
            text.append(TableText.columns(
                    rows, column -> column > 0 && column < rows.get(0).size() - 1));
            notes(text, one);
            text.append('\n');
        }
        if (!series.isEmpty()) {
            text.append(HistoryVerdict.of(series).text()).append("\n");
        }
        if (!leftOut.isEmpty()) {
            text.append("Not compared: " + leftOut.size() + "\n");
            leftOut.forEach(out -> text.append("  " + out.directory() + ": " + out.reason() + "\n"));
        }
        return text.toString();
    }

    private static List<List<String>> rows(HistorySeries series) {
        List<HistoryMetric> metrics = series.metrics();
        List<List<String>> rows = new ArrayList<>();
        List<String> header = new ArrayList<>(List.of("started (UTC)"));
        metrics.forEach(metric -> header.add(metric.title().toLowerCase(Locale.ROOT) + " " + metric.unit()));
        header.add("directory");
        rows.add(header);
        for (int i = 0; i < series.runs().size(); i++) {
            HistoryRun run = series.runs().get(i);
            Map<HistoryMetric, String> worse = series.regressions(i);
            List<String> row = new ArrayList<>(List.of(run.date()));
            metrics.forEach(metric ->
                    row.add(metric.text(run.figures().get(metric)) + (worse.containsKey(metric) ? "!" : " ")));
            row.add(run.name());
            rows.add(row);
        }
        return rows;
    }

    private static void notes(StringBuilder text, HistorySeries series) {
        series.worse().forEach(why -> text.append("  REGRESSION in the newest run: " + why + "\n"));
        series.changes()
                .forEach(change -> text.append("  LASTING CHANGE from "
                        + series.runs().get(change.run()).name() + " on: " + change.text() + "\n"));
        if (!series.judged()) {
            text.append("  " + series.unjudged() + "\n");
        }
    }
}

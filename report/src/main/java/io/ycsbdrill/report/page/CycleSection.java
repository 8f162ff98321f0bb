package io.ycsbdrill.report.page;

import io.ycsbdrill.report.metric.Cycle;
import io.ycsbdrill.report.metric.CycleFigure;
import io.ycsbdrill.report.metric.CycleFigures;
import io.ycsbdrill.report.metric.CycleText;
import io.ycsbdrill.report.metric.DrillMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The cycles of a repeated drill: its figures over all of them, a small chart for each, and the table of the cycles. */
record CycleSection(DrillMetrics metrics) {

    boolean isEmpty() {
        return metrics.cycles().isEmpty();
    }

    String setting() {
        return CycleText.setting(metrics);
    }

    boolean hasNulls() {
        return metrics.cycles().stream().anyMatch(Cycle::isNull);
    }

    private List<CycleFigure> figures() {
        return CycleFigures.of(metrics);
    }

    /** What can be said about each figure. */
    Table summary() {
        List<List<String>> rows = new ArrayList<>();
        for (CycleFigure figure : figures()) {
            rows.add(List.of(
                    figure.title(),
                    figure.summary(),
                    figure.intervalText(),
                    figure.noiseText(),
                    figure.trendText(),
                    figure.effect().label()));
        }
        return new Table(
                "Over the cycles",
                List.of("Figure", "Median [min to max]", "95 % of the median", "Worst null cycle", "Trend", "Note"),
                rows);
    }

    /** Every value, one row for each cycle. */
    Table values() {
        List<CycleFigure> figures = figures();
        List<String> headers = new ArrayList<>(List.of("Cycle", "At", "Fault"));
        figures.forEach(figure -> headers.add(CycleText.column(figure)));
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < metrics.cycles().size(); i++) {
            Cycle cycle = metrics.cycles().get(i);
            List<String> row = new ArrayList<>(List.of(
                    String.valueOf(cycle.number()),
                    String.format(Locale.ROOT, "%.1f s", cycle.startSeconds()),
                    cycle.isNull() ? "nothing (null cycle)" : cycle.title()));
            for (CycleFigure figure : figures) {
                row.add(figure.text(figure.byCycle().get(i)));
            }
            rows.add(row);
        }
        return new Table("Each cycle; times are measured from its fault", headers, rows);
    }

    /** Those that some cycle has. */
    List<CycleChart> charts() {
        return figures().stream()
                .filter(figure -> figure.n() > 0)
                .map(CycleChart::new)
                .toList();
    }
}

package io.ycsbdrill.report.experiment;

import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.page.Table;
import io.ycsbdrill.report.stat.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What the drills of an experiment have shown, one row for each variant: the figures that its charts ask for. Stateless. */
public final class DrillTable {
    private DrillTable() {}

    /**
     * Medians over repeats, with the interval that more than one may have; without a value where a repeat has none, as what a drill did not see the
     * end of is in its worst runs. Empty when the experiment runs no drills, or no variant has been run.
     */
    public static Optional<Table> of(ExperimentData data) {
        List<Figure> figures = data.plan().charts().stream()
                .map(PlanData.Chart::y)
                .distinct()
                .filter(data.figures()::contains)
                .map(Figure::of)
                .toList();
        if (!data.plan().command().equals("drill") || figures.isEmpty()) {
            return Optional.empty();
        }
        List<String> headers = new ArrayList<>(List.of("Variant", "n"));
        figures.forEach(
                figure -> headers.add(figure.title() + (figure.unit().isEmpty() ? "" : " (" + figure.unit() + ")")));
        List<List<String>> rows = data.plan().variants().stream()
                .map(variant -> row(data, variant, figures))
                .toList();
        return Optional.of(new Table("What the drills have shown, medians", headers, rows));
    }

    private static List<String> row(ExperimentData data, PlanData.Variant variant, List<Figure> figures) {
        List<String> row = new ArrayList<>();
        row.add(variant.title());
        row.add(Long.toString(
                data.cells(variant.number()).stream().filter(CellRow::counts).count()));
        figures.forEach(figure -> row.add(text(figure, data.median(variant.number(), figure.column()))));
        return row;
    }

    private static String text(Figure figure, Estimate median) {
        return median.n() == 0
                ? NumberText.ABSENT
                : ResultWords.median(figure, median)
                        + (median.hasInterval() ? " (" + ResultWords.interval(figure, median) + ")" : "");
    }
}

package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.page.Table;
import io.ycsbdrill.rundir.Latency;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The tables of a result, as text; the page, the Markdown and the terminal show the same ones. Stateless. */
final class ResultTables {
    /** One figure of all variants. */
    static Table comparison(ExperimentResult result, Comparisons comparisons) {
        Figure figure = comparisons.figure();
        boolean latency = figure.latency().isPresent();
        List<String> headers =
                new ArrayList<>(List.of("Variant", "n", "Median (" + figure.unit() + ")", "Interval of the median"));
        if (latency) {
            headers.add("All repeats merged (" + figure.unit() + ")");
        }
        headers.addAll(List.of("To the reference", "Judged"));
        List<List<String>> rows = new ArrayList<>();
        for (Comparisons.Row row : comparisons.rows()) {
            boolean reference =
                    row.variant().number() == result.plan().reference().number();
            boolean counts = row.median().n() > 0;
            List<String> cells = new ArrayList<>();
            cells.add(row.variant().title());
            cells.add(Integer.toString(row.median().n()));
            cells.add(counts ? ResultWords.median(figure, row.median()) : "NA");
            cells.add(counts ? ResultWords.interval(figure, row.median()) : "");
            if (latency) {
                cells.add(
                        row.merged().isPresent()
                                ? figure.text(row.merged().getAsDouble())
                                : counts ? NumberText.ABSENT : "");
            }
            cells.add(
                    reference && counts
                            ? "reference"
                            : row.ratio().map(ResultWords::ratio).orElse(counts ? "0 or not measured in a run" : ""));
            cells.add(row.comparison()
                    .map(ResultWords::comparison)
                    .or(() -> row.incomparable().filter(why -> counts).map(ResultWords::notComparable))
                    .orElse(""));
            rows.add(cells);
        }
        String better = ExperimentData.neitherIsBetter(figure.column())
                ? "neither more nor less"
                : ExperimentData.moreIsBetter(figure.column()) ? "more" : "less";
        return new Table(figure.title() + ", " + figure.unit() + "; " + better + " is better", headers, rows);
    }

    /** How fine the experiment could see. */
    static Table resolution(ExperimentResult result) {
        List<List<String>> rows = result.comparisons().stream()
                .map(comparisons -> List.of(
                        comparisons.figure().title(),
                        ResultWords.floor(comparisons.floor()),
                        comparisons
                                .detectable()
                                .map(ratio -> ResultWords.factor(ratio) + " or " + ResultWords.factor(1 / ratio))
                                .orElse("too few pairs")))
                .toList();
        return new Table(
                "What the experiment could see at all",
                List.of("Figure", "Noise floor (A/A)", "Smallest ratio found in 80 % of such experiments"),
                rows);
    }

    /** One ascent of a sweep. */
    static Table ascent(String axis, Ascents.Ascent ascent) {
        List<List<String>> rows =
                ascent.levels().stream().map(level -> row(axis, level)).toList();
        List<String> columns = new ArrayList<>(List.of(axis, "Throughput (ops/s)"));
        latencies().forEach(each -> columns.add((each == Latency.MEAN ? "Mean" : each.title()) + " (ms)"));
        columns.addAll(List.of("Under way", "Of threads", "Remark"));
        return new Table(
                ascent.others().isEmpty() ? "Levels of " + axis : "Levels of " + axis + " with " + ascent.others(),
                columns,
                rows);
    }

    /** All but the largest, which is of one operation. */
    private static List<Latency> latencies() {
        return Latency.OF_EXPERIMENTS.stream()
                .filter(latency -> latency != Latency.MAX)
                .toList();
    }

    private static List<String> row(String axis, Ascents.Level level) {
        String label = level.variant().levels().get(axis);
        if (!level.counts()) {
            List<String> row = new ArrayList<>(List.of(label, "NA"));
            row.addAll(Collections.nCopies(latencies().size() + 2, ""));
            row.add(level.reason());
            return row;
        }
        List<String> row = new ArrayList<>(List.of(label, NumberText.plain(level.throughput())));
        latencies().forEach(each -> row.add(NumberText.millis(level.latency().get(each))));
        row.add(NumberText.threeDigits(level.concurrency()));
        row.add(
                Double.isNaN(level.concurrency())
                        ? NumberText.ABSENT
                        : Formatted.of("%.0f %%", 100 * level.concurrency() / level.threads()));
        row.add(level.mark());
        return row;
    }

    /** The cells that do not count, and why. */
    static Table objections(ExperimentResult result) {
        return new Table(
                "Cells that do not count, and why",
                List.of("Cell", "Reason"),
                result.data().rows().stream()
                        .filter(row -> !row.counts())
                        .map(row -> List.of(row.cell().id(), row.reason()))
                        .toList());
    }
}

package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.Counted;
import io.ycsbdrill.report.metric.NumberText;
import io.ycsbdrill.report.page.Pages;
import io.ycsbdrill.report.page.Table;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** {@code experiment.html}: the model of its template. */
record ExperimentPage(ExperimentResult result, ExperimentCharts charts) {

    static String of(ExperimentResult result) {
        return Pages.render("experiment/experiment.jte", new ExperimentPage(result, ExperimentCharts.of(result)));
    }

    String title() {
        return switch (result.plan().kind()) {
            case "sweep" -> "Sweep " + result.plan().name();
            case "ab" -> "A/B comparison";
            default -> "Experiment " + result.plan().name();
        };
    }

    String subtitle() {
        PlanData plan = result.plan();
        return String.join(
                " \u00b7 ",
                List.of(
                        result.cellsText(),
                        Counted.of(plan.variants().size(), "variant"),
                        Counted.of(plan.repeats(), "repeat"),
                        "order " + plan.orderText(),
                        plan.tool(),
                        "begun "
                                + plan.createdAt()
                                        .replaceFirst("\\.\\d+Z$", "Z")
                                        .replace('T', ' ')));
    }

    /** What counts, as a sentence. */
    String rule() {
        PlanData plan = result.plan();
        double least = plan.success().okShare();
        String share = least > 0
                ? "A cell counts when its command ended in order and "
                        + (least == 1 ? "all" : "at least " + NumberText.plain(100 * least) + " %")
                        + " of its operations succeeded"
                : "A cell counts when its command ended in order, whatever its operations did";
        return share
                + (plan.success().rateHeld() > 0
                        ? ", and with a rate when it reached "
                                + NumberText.plain(100 * plan.success().rateHeld()) + " % of it."
                        : ".");
    }

    List<Ascents.Ascent> ascents() {
        return result.ascents().map(Ascents::ascents).orElse(List.of());
    }

    /** Empty, or the one comparison of {@code ab}. */
    List<PairedComparison> paired() {
        return result.paired().stream().toList();
    }

    String axis() {
        return result.ascents().map(Ascents::axis).orElse("");
    }

    List<Table> comparisons() {
        return result.comparisons().stream()
                .map(comparisons -> ResultTables.comparison(result, comparisons))
                .toList();
    }

    Table resolution() {
        return ResultTables.resolution(result);
    }

    /** The repeats, as headers of the matrix. */
    List<String> columns() {
        List<String> columns = new ArrayList<>();
        for (int repeat = 1; repeat <= result.plan().repeats(); repeat++) {
            columns.add(Integer.toString(repeat));
        }
        return columns;
    }

    /**
     * A row of the matrix.
     *
     * @param title of the variant
     * @param command of the variant
     * @param cells one for each repeat
     */
    record Line(String title, String command, List<CellRow> cells) {}

    /** All cells, by variant and repeat; the reference has a second line. */
    List<Line> matrix() {
        Map<Integer, Map<Integer, CellRow>> first = new TreeMap<>();
        Map<Integer, CellRow> twins = new TreeMap<>();
        for (CellRow row : result.data().rows()) {
            if (row.cell().twin()) {
                twins.put(row.cell().repeat(), row);
            } else {
                first.computeIfAbsent(row.cell().variant(), none -> new TreeMap<>())
                        .put(row.cell().repeat(), row);
            }
        }
        List<Line> lines = new ArrayList<>();
        first.forEach((variant, cells) -> {
            PlanData.Variant one = result.plan().variants().get(variant - 1);
            lines.add(new Line(one.title(), one.command(), List.copyOf(cells.values())));
            if (variant == result.plan().reference().number() && !twins.isEmpty()) {
                lines.add(new Line(one.title() + ", again (A/A)", one.command(), List.copyOf(twins.values())));
            }
        });
        return lines;
    }

    /** What stands for a cell. */
    String text(CellRow row) {
        Double throughput = row.values().get(CellFigures.THROUGHPUT);
        if (!row.counts()) {
            return row.state();
        }
        return throughput == null ? "done" : NumberText.plain(throughput);
    }

    /** The address of a cell's report, relative to the page; empty when it has none. */
    String link(CellRow row) {
        String path = "cells/" + row.cell().id() + "/run/report.html";
        return Files.isRegularFile(result.data().directory().resolve(path)) ? path : "";
    }

    Table objections() {
        return ResultTables.objections(result);
    }

    String data() {
        return charts.json();
    }
}

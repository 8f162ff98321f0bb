package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.rundir.CsvFile;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.TableWriter;
import io.ycsbdrill.rundir.TextFile;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** {@code cells.csv}: one row for each cell, in the order of the plan; docs/experiments.md has the columns. Stateless. */
final class CellsCsv {
    static final String FILE = "cells.csv";

    private static final List<String> FIRST = List.of("cell", "variant", "repeat", "twin");
    private static final List<String> THEN = List.of("position", "state", "reason", "started_at", "seconds");

    static void write(Path experiment, PlanData plan, List<CellRow> rows) throws IOException {
        Set<String> figures = new LinkedHashSet<>();
        rows.forEach(row -> figures.addAll(row.values().keySet()));
        List<String> header = new ArrayList<>(FIRST);
        plan.levels().keySet().forEach(axis -> header.add("axis " + axis));
        header.addAll(THEN);
        header.addAll(figures);
        StringWriter text = new StringWriter();
        TableWriter table = new TableWriter(header, text);
        for (CellRow row : rows) {
            List<String> fields = new ArrayList<>();
            fields.add(row.cell().id());
            fields.add(Integer.toString(row.cell().variant()));
            fields.add(Integer.toString(row.cell().repeat()));
            fields.add(Boolean.toString(row.cell().twin()));
            Map<String, String> levels =
                    plan.variants().get(row.cell().variant() - 1).levels();
            plan.levels().keySet().forEach(axis -> fields.add(levels.getOrDefault(axis, "")));
            fields.add(row.position() < 0 ? "" : Integer.toString(row.position()));
            fields.add(row.state());
            fields.add(row.reason());
            fields.add(row.startedAt());
            fields.add(row.startedAt().isEmpty() ? "" : number(row.seconds()));
            figures.forEach(figure -> fields.add(
                    row.values().containsKey(figure) ? number(row.values().get(figure)) : ""));
            table.row(fields.toArray());
        }
        AtomicFile.write(experiment.resolve(FILE), text.toString());
    }

    private static String number(double value) {
        return Double.isNaN(value)
                ? "NaN"
                : value == Math.rint(value) && Math.abs(value) < 1e15
                        ? Long.toString((long) value)
                        : Formatted.of("%.6f", value);
    }

    /**
     * Reads the file back.
     *
     * @throws IOException when a line is damaged
     */
    static List<CellRow> read(Path experiment) throws IOException {
        List<Problem> problems = new ArrayList<>();
        CsvFile csv;
        try {
            csv = new CsvFile(
                    TextFile.read(experiment.resolve(FILE)),
                    problems,
                    List.of("cell", "variant", "repeat", "twin", "state"));
        } catch (RunFormatException e) {
            throw new IOException(experiment + "/" + e.getMessage(), e);
        }
        // What follows the last of our own columns.
        List<String> figures = csv.columns()
                .subList(
                        csv.columns().indexOf(THEN.get(THEN.size() - 1)) + 1,
                        csv.columns().size());
        List<CellRow> rows = new ArrayList<>();
        csv.forEach(row -> {
            Map<String, Double> values = new LinkedHashMap<>();
            for (String figure : figures) {
                if (!row.text(figure).isEmpty()) {
                    values.put(figure, Double.parseDouble(row.text(figure)));
                }
            }
            rows.add(new CellRow(
                    new PlanData.Cell(
                            row.text("cell"),
                            Integer.parseInt(row.text("variant")),
                            Integer.parseInt(row.text("repeat")),
                            Boolean.parseBoolean(row.text("twin"))),
                    row.text("position").isEmpty() ? -1 : Integer.parseInt(row.text("position")),
                    row.text("state"),
                    row.text("reason"),
                    row.text("started_at"),
                    row.text("seconds").isEmpty() ? 0 : Double.parseDouble(row.text("seconds")),
                    values));
        });
        if (!problems.isEmpty()) {
            throw new IOException(experiment + "/" + problems.get(0));
        }
        return rows;
    }
}

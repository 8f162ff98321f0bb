package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.rundir.CsvFile;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TextFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Mean latencies of a drill by what the cluster was in: {@code drill_before_READ_mean_us} of the windows before the fault, without their
 * first half, which is warm-up; {@code drill_out_...} while the node was out of service; {@code drill_after_...} after it had recovered.
 * Columns of {@code cells.csv}. Stateless.
 */
final class PhaseLatencies {
    /** One operation in one window. */
    private record Cell(int window, String operation, String label, double ok, double meanMicros) {
        boolean isCalibration() {
            return label.equals("calibration");
        }

        Phase phase() {
            return Phase.labelled(label).orElse(Phase.STEADY);
        }
    }

    /** What {@code windows.csv} says; nothing where it is not there. A calibration has a load of its own and is left out. */
    static Map<String, Double> read(Path run) throws IOException {
        Map<String, Double> values = new LinkedHashMap<>();
        if (!Files.isRegularFile(run.resolve(RunTable.WINDOWS.file()))) {
            return values;
        }
        List<Cell> cells = new ArrayList<>();
        new CsvFile(
                        TextFile.read(run.resolve(RunTable.WINDOWS.file())),
                        new ArrayList<>(),
                        List.of("window", "operation", "ok", "service_mean_us", "phase"))
                .forEach(row -> {
                    if (!row.text("service_mean_us").isEmpty()) {
                        cells.add(new Cell(
                                Integer.parseInt(row.text("window")),
                                row.text("operation"),
                                row.text("phase"),
                                Double.parseDouble(row.text("ok")),
                                Double.parseDouble(row.text("service_mean_us"))));
                    }
                });
        int first = cells.stream()
                        .filter(Cell::isCalibration)
                        .mapToInt(Cell::window)
                        .max()
                        .orElse(-1)
                + 1;
        cells.removeIf(Cell::isCalibration);
        int fault = cells.stream()
                .filter(cell -> cell.phase() != Phase.STEADY)
                .mapToInt(Cell::window)
                .min()
                .orElse(0);
        for (Cell cell : cells) {
            String when = cell.phase() == Phase.RECOVERED ? "after" : cell.phase() == Phase.STEADY ? "before" : "out";
            boolean warm = !when.equals("before") || cell.window() >= (first + fault) / 2 && cell.window() < fault;
            if (warm && cell.operation().matches("[A-Z]+")) {
                String column = Formatted.of("drill_%s_%s_", when, cell.operation());
                values.merge(column + "ok", cell.ok(), Double::sum);
                values.merge(column + "mean_us", cell.ok() * cell.meanMicros(), Double::sum);
            }
        }
        values.replaceAll((column, value) ->
                column.endsWith("_mean_us") ? value / values.get(column.replaceFirst("_mean_us$", "_ok")) : value);
        values.keySet().removeIf(column -> column.endsWith("_ok"));
        return values;
    }
}

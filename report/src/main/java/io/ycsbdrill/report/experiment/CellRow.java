package io.ycsbdrill.report.experiment;

import io.ycsbdrill.base.FileReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One cell of an experiment and its figures: a row of {@code cells.csv}. Immutable.
 *
 * @param cell which one
 * @param position how many cells had ended before it; -1 when it has not ended
 * @param state {@value #OK}, {@value #NA} or {@value #MISSING}
 * @param reason why it does not count; empty when it does
 * @param startedAt ISO time; empty when it has not ended
 * @param seconds how long its command took
 * @param values its figures by column, NaN where there was nothing to measure; also of a cell that does not count, for finding the cause
 */
public record CellRow(
        PlanData.Cell cell,
        int position,
        String state,
        String reason,
        String startedAt,
        double seconds,
        Map<String, Double> values) {
    /** Its figures count. */
    public static final String OK = "ok";
    /** It has ended, and its figures do not count. */
    public static final String NA = "NA";
    /** It has not ended yet. */
    public static final String MISSING = "missing";

    /** Whether its figures count. */
    public boolean counts() {
        return state.equals(OK);
    }

    /**
     * A figure, the larger one of two, {@code max(drill_a, drill_b)}, or a quotient of such:
     * {@code drill_out_READ_mean_us / drill_before_READ_mean_us}; empty when any of them was not measured.
     */
    OptionalDouble value(String figure) {
        int slash = figure.indexOf(" / ");
        if (slash >= 0) {
            OptionalDouble above = value(figure.substring(0, slash));
            OptionalDouble below = value(figure.substring(slash + 3));
            return above.isPresent() && below.orElse(0) != 0
                    ? OptionalDouble.of(above.getAsDouble() / below.getAsDouble())
                    : OptionalDouble.empty();
        }
        if (figure.startsWith("max(")) {
            String[] both =
                    figure.substring("max(".length(), figure.length() - 1).split(", ");
            OptionalDouble one = value(both[0]);
            OptionalDouble other = value(both[1]);
            return one.isPresent() && other.isPresent()
                    ? OptionalDouble.of(Math.max(one.getAsDouble(), other.getAsDouble()))
                    : OptionalDouble.empty();
        }
        Double value = values.get(figure);
        return value == null || value.isNaN() ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    /** The directory of a cell. */
    static Path directory(Path experiment, PlanData.Cell cell) {
        return experiment.resolve("cells").resolve(cell.id());
    }

    /** From the files of a cell; one that is damaged does not count, and its reason says so. */
    static CellRow read(Path experiment, PlanData.Cell cell) {
        Path directory = directory(experiment, cell);
        if (!Files.isRegularFile(directory.resolve(CellResult.FILE))) {
            return new CellRow(cell, -1, MISSING, "not run yet", "", 0, Map.of());
        }
        try {
            CellResult result = CellResult.read(directory);
            CellFigures figures = CellFigures.read(directory.resolve("run"));
            Map<String, Double> values = new LinkedHashMap<>(figures.values());
            if (!values.isEmpty()) {
                result.deviceReadMegabytes().ifPresent(read -> values.put(CellFigures.DEVICE_READS, read));
            }
            result.clusterSeconds().ifPresent(seconds -> values.put(CellFigures.CLUSTER, seconds));
            result.prepared().ifPresent(how -> {
                values.put(CellFigures.CLUSTER_NEW, how.equals("started") ? 1.0 : 0.0);
                values.put(CellFigures.TABLE_NEW, how.equals("kept") ? 0.0 : 1.0);
            });
            boolean gone = result.counts() && figures.values().isEmpty();
            return new CellRow(
                    cell,
                    result.position(),
                    result.counts() && !gone ? OK : NA,
                    gone ? "its run directory is gone or has no summary" : result.reason(),
                    result.startedAt(),
                    result.seconds(),
                    values);
        } catch (IOException e) {
            return new CellRow(cell, -1, NA, "its files cannot be read: " + FileReason.of(e), "", 0, Map.of());
        }
    }
}

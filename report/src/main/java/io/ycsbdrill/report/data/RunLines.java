package io.ycsbdrill.report.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The lines of the files that grow during a run; an IllegalArgumentException means that a line is damaged. */
public final class RunLines {
    /** Columns that {@code windows.csv} must have. */
    public static final List<String> WINDOW =
            List.of("window", "start_s", "end_s", "operation", "ok", "failed", "unknown");
    /** Columns that {@code slices.csv} must have. */
    public static final List<String> SLICE = List.of("slice", "operation", "ok", "failed", "unknown");

    private RunLines() {}

    /** One row of {@code slices.csv}, without the operation; {@code maxMicros} is NaN where nothing completed. */
    public record SliceRow(int slice, double ok, double failed, double unknown, double maxMicros) {}

    public static SliceRow slice(CsvFile.Row row) {
        return new SliceRow(
                row.number32("slice"),
                row.count("ok"),
                row.count("failed"),
                row.count("unknown"),
                row.orNaN("max_service_us"));
    }

    public static Window window(CsvFile.Row row) {
        double start = row.required("start_s");
        double end = row.required("end_s");
        if (end < start) {
            throw new IllegalArgumentException("end_s " + end + " is before start_s " + start);
        }
        return new Window(
                row.number32("window"),
                start,
                end,
                row.count("ok"),
                row.count("failed"),
                row.count("unknown"),
                row.text("skipped").isEmpty() ? 0 : row.count("skipped"),
                percentiles(row, "service"),
                percentiles(row, "response"),
                row.text("phase"));
    }

    private static Percentiles percentiles(CsvFile.Row row, String measure) {
        return new Percentiles(
                row.orNaN(measure + "_mean_us"),
                row.orNaN(measure + "_p50_us"),
                row.orNaN(measure + "_p90_us"),
                row.orNaN(measure + "_p95_us"),
                row.orNaN(measure + "_p99_us"),
                row.orNaN(measure + "_p99_9_us"),
                row.orNaN(measure + "_max_us"));
    }

    /**
     * One line of {@code markers.jsonl}.
     *
     * @throws JsonProcessingException when it is not JSON
     * @throws IllegalArgumentException when a field that every line has is missing
     */
    public static Marker marker(String line) throws JsonProcessingException {
        JsonNode node = Json.READER.readTree(line);
        if (!node.path("at_ns").isNumber() || !node.path("kind").isTextual()) {
            throw new IllegalArgumentException("at_ns or kind is missing");
        }
        Map<String, String> fields = new LinkedHashMap<>();
        node.properties().forEach(field -> {
            if (!List.of("at_ns", "wall", "kind", "label").contains(field.getKey())) {
                fields.put(field.getKey(), field.getValue().asText(""));
            }
        });
        return new Marker(
                node.path("at_ns").asLong() / 1e9,
                node.path("wall").asText(""),
                node.path("kind").asText(),
                node.path("label").asText(""),
                fields);
    }
}

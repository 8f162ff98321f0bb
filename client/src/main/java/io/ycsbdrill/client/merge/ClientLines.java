package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.run.HistogramLine;
import io.ycsbdrill.client.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The lines of the files of a run directory, read for a merge; none when a file is not there.
 *
 * @param closed whether the run was closed, so that every line must be complete
 */
record ClientLines(Path directory, boolean closed) {

    /** What is done with a row: its values by column name, in the order of the columns. */
    interface Row {
        void read(Map<String, String> values) throws IOException;
    }

    /** Opens a file, to be read one line at a time; to be closed. */
    CompleteLines open(String name) throws IOException {
        return new CompleteLines(directory.resolve(name), closed);
    }

    /** Reads a comma-separated file, each line by column name. */
    void rows(String name, Row reader) throws IOException {
        try (CompleteLines lines = open(name)) {
            String header = lines.next();
            for (String line = lines.next(); line != null; line = lines.next()) {
                reader.read(row(header.split(",", -1), line));
            }
        }
    }

    static Map<String, String> row(String[] columns, String line) {
        String[] values = line.split(",", -1);
        Map<String, String> row = new LinkedHashMap<>();
        for (int c = 0; c < Math.min(columns.length, values.length); c++) {
            row.put(columns[c], values[c]);
        }
        return row;
    }

    /** Each line of a file of JSON lines. */
    List<JsonNode> json(String name) throws IOException {
        List<JsonNode> nodes = new ArrayList<>();
        try (CompleteLines lines = open(name)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                nodes.add(json(lines, line));
            }
        }
        return nodes;
    }

    private static JsonNode json(CompleteLines lines, String line) {
        try {
            return RunDirectory.JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new MergeException(lines.file() + " line " + lines.number() + ": damaged: " + e.getOriginalMessage());
        }
    }

    /** Those of a file of JSON lines, each with its histogram that was looked into. */
    List<HistogramLine> histograms(String name) throws IOException {
        List<HistogramLine> histograms = new ArrayList<>();
        try (CompleteLines lines = open(name)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                HistogramLine read = histogram(lines, line);
                check(lines.file(), read);
                histograms.add(read);
            }
        }
        return histograms;
    }

    /** The line, whose histogram is still encoded. */
    static HistogramLine histogram(CompleteLines lines, String line) {
        try {
            return HistogramLine.of(json(lines, line));
        } catch (IllegalArgumentException e) {
            throw new MergeException(lines.file() + ": damaged: " + e.getMessage());
        }
    }

    /** Looks into its histogram. */
    static void check(Path file, HistogramLine line) {
        try {
            line.histogram();
        } catch (IllegalArgumentException e) {
            throw new MergeException(file + ": damaged: " + e.getMessage());
        }
    }
}

package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.rundir.CompleteLines;
import io.ycsbdrill.rundir.CsvRow;
import io.ycsbdrill.rundir.HistogramLine;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TableReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The lines of the files of a run directory, read for a merge; none when a file is not there.
 *
 * @param closed whether the run was closed, so that every line must be complete
 */
record ClientLines(Path directory, boolean closed) {

    /** Opens a table; to be closed. */
    TableReader open(RunTable table) throws IOException {
        return new TableReader(directory.resolve(table.file()), closed, table.required());
    }

    /** Opens a file, to be read one line at a time; to be closed. */
    CompleteLines open(String name) throws IOException {
        return new CompleteLines(directory.resolve(name), closed);
    }

    /** Shows each row of a table to the reader. */
    void rows(RunTable table, Consumer<CsvRow> reader) throws IOException {
        try (TableReader rows = open(table)) {
            while (rows.next(row -> {
                        reader.accept(row);
                        return row;
                    })
                    != null) {
                continue;
            }
        }
    }

    /** Each line of a file of JSON lines. */
    List<JsonNode> json(String name) throws IOException {
        List<JsonNode> nodes = new ArrayList<>();
        try (CompleteLines lines = open(name)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                nodes.add(Json.READER.readTree(line));
            }
        } catch (JsonProcessingException e) {
            throw new RunFormatException(
                    directory.resolve(name) + " line " + (nodes.size() + 1) + ": damaged: " + e.getOriginalMessage());
        }
        return nodes;
    }

    /** Those of a file of JSON lines, each with its histogram that was looked into. */
    List<HistogramLine> histograms(String name) throws IOException {
        List<HistogramLine> histograms = new ArrayList<>();
        try (CompleteLines lines = open(name)) {
            for (HistogramLine line = histogram(lines); line != null; line = histogram(lines)) {
                check(lines.file(), line);
                histograms.add(line);
            }
        }
        return histograms;
    }

    /** The next line, whose histogram is still encoded; null after the last one. */
    static HistogramLine histogram(CompleteLines lines) throws IOException {
        String line = lines.next();
        try {
            return line == null ? null : HistogramLine.of(line);
        } catch (IllegalArgumentException e) {
            throw new RunFormatException(lines.file() + " line " + lines.number() + ": damaged: " + e.getMessage(), e);
        }
    }

    /** Looks into its histogram. */
    static void check(Path file, HistogramLine line) {
        try {
            line.histogram();
        } catch (IllegalArgumentException e) {
            throw new RunFormatException(file + ": damaged: " + e.getMessage(), e);
        }
    }
}

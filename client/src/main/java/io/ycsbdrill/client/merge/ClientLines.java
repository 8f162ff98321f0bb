package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.run.HistogramLine;
import io.ycsbdrill.client.run.RunDirectory;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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

    /** Complete lines only: the report has already mentioned a last line that was cut off in a run that was killed. */
    private List<String> lines(String name) throws IOException {
        Path file = directory.resolve(name);
        if (!Files.isRegularFile(file)) {
            return List.of();
        }
        String text;
        try {
            text = Files.readString(file, StandardCharsets.UTF_8);
        } catch (CharacterCodingException e) {
            throw new MergeException(file + ": damaged: it is not UTF-8 text; copy it again");
        }
        if (closed && !text.isEmpty() && !text.endsWith("\n")) {
            throw new MergeException(
                    file + ": damaged: the last line has no line end although the run was closed; copy it again");
        }
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    /** Of a comma-separated file, each line by column name. */
    List<Map<String, String>> rows(String name) throws IOException {
        List<String> lines = lines(name);
        List<Map<String, String>> rows = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            String[] columns = lines.get(0).split(",", -1);
            String[] values = lines.get(i).split(",", -1);
            Map<String, String> row = new LinkedHashMap<>();
            for (int c = 0; c < Math.min(columns.length, values.length); c++) {
                row.put(columns[c], values[c]);
            }
            rows.add(row);
        }
        return rows;
    }

    /** Each line of a file of JSON lines. */
    List<JsonNode> json(String name) throws IOException {
        List<JsonNode> nodes = new ArrayList<>();
        int number = 0;
        for (String line : lines(name)) {
            number++;
            try {
                nodes.add(RunDirectory.JSON.readTree(line));
            } catch (JsonProcessingException e) {
                throw new MergeException(
                        directory.resolve(name) + " line " + number + ": damaged: " + e.getOriginalMessage());
            }
        }
        return nodes;
    }

    /** Those of a file of JSON lines, each with its histogram that was looked into. */
    List<HistogramLine> histograms(String name) throws IOException {
        return json(name).stream().map(node -> histogramLine(name, node)).toList();
    }

    private HistogramLine histogramLine(String file, JsonNode node) {
        try {
            HistogramLine line = HistogramLine.of(node);
            line.histogram();
            return line;
        } catch (IllegalArgumentException e) {
            throw new MergeException(directory.resolve(file) + ": damaged: " + e.getMessage());
        }
    }
}

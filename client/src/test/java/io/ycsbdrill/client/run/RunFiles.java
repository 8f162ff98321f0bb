package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/** Reads a run directory back, as a report would. */
public record RunFiles(Path directory) {
    public JsonNode json(String name) throws IOException {
        return new ObjectMapper().readTree(directory.resolve(name).toFile());
    }

    public List<Map<String, String>> csv(String name) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve(name));
        String[] header = lines.get(0).split(",", -1);
        List<Map<String, String>> rows = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] fields = line.split(",", -1);
            Map<String, String> row = new LinkedHashMap<>();
            for (int i = 0; i < header.length; i++) {
                row.put(header[i], fields[i]);
            }
            rows.add(row);
        }
        return rows;
    }

    /** The sum of a column, of the rows of one operation or owner. */
    public long sum(String name, String of, String column) throws IOException {
        return csv(name).stream()
                .filter(row -> row.getOrDefault("operation", row.get("owner")).equals(of))
                .mapToLong(row -> Long.parseLong(row.get(column)))
                .sum();
    }

    Histogram histogram(String operation, String outcome, String measure) throws IOException, DataFormatException {
        Histogram sum = new Histogram(3);
        for (String line : Files.readAllLines(directory.resolve("windows.jsonl"))) {
            JsonNode node = new ObjectMapper().readTree(line);
            if (node.get("operation").asText().equals(operation)
                    && node.get("outcome").asText().equals(outcome)
                    && node.get("measure").asText().equals(measure)) {
                byte[] bytes = Base64.getDecoder().decode(node.get("histogram").asText());
                Histogram part = Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
                if (part.getTotalCount() != node.get("count").asLong()) {
                    throw new IOException("count and histogram differ: " + line);
                }
                sum.add(part);
            }
        }
        return sum;
    }
}

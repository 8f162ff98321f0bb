package io.ycsbdrill.report.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.rundir.Json;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One line of {@code markers.jsonl}.
 *
 * @param atSeconds since run start
 * @param wall wall-clock time as written; empty when the line has none
 * @param fields all other fields as text; a missing one reads as empty
 */
public record Marker(double atSeconds, String wall, String kind, String label, Map<String, String> fields) {

    /**
     * One line of {@code markers.jsonl}.
     *
     * @throws JsonProcessingException when it is not JSON
     * @throws IllegalArgumentException when a field that every line has is missing
     */
    public static Marker of(String line) throws JsonProcessingException {
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

    public String field(String name) {
        return fields.getOrDefault(name, "");
    }

    public String node() {
        return field("node");
    }

    /** The phase that a {@code phase} line enters: its own field, or its label in older files. */
    public String phase() {
        String phase = field("phase");
        String name = phase.isEmpty() ? label : phase;
        return Arrays.stream(Phase.values())
                .filter(known -> !name.isEmpty() && known.stage().equals(name))
                .map(Phase::label)
                .findFirst()
                .orElse(name);
    }

    public boolean isEvent(String signal) {
        return kind.equals("event") && label.equals(signal);
    }
}

package io.ycsbdrill.report.data;

import io.ycsbdrill.base.Phase;
import java.util.Arrays;
import java.util.Map;

/**
 * One line of {@code markers.jsonl}.
 *
 * @param atSeconds since run start
 * @param wall wall-clock time as written; empty when the line has none
 * @param fields all other fields as text; a missing one reads as empty
 */
public record Marker(double atSeconds, String wall, String kind, String label, Map<String, String> fields) {

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

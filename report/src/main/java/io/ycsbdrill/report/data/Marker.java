package io.ycsbdrill.report.data;

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
        return PhaseNames.phaseOf(phase.isEmpty() ? label : phase);
    }

    public boolean isEvent(String signal) {
        return kind.equals("event") && label.equals(signal);
    }
}

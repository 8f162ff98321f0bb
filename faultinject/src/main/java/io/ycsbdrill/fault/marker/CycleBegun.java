package io.ycsbdrill.fault.marker;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A cycle of a drill begins: the times of its steps count from here.
 *
 * @param atNanos when
 * @param number from 1, in order of time
 * @param isNull whether nothing is injected in it
 */
public record CycleBegun(long atNanos, int number, boolean isNull) implements Marker {

    @Override
    public String kind() {
        return "cycle-begun";
    }

    @Override
    public String label() {
        return (isNull ? "null cycle " : "cycle ") + number;
    }

    @Override
    public Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>(Map.of("cycle", Integer.toString(number)));
        if (isNull) {
            fields.put("null", "true");
        }
        return fields;
    }
}

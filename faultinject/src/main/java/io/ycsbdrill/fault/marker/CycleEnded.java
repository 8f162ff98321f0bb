package io.ycsbdrill.fault.marker;

import java.util.Map;

/**
 * The cool-down of a cycle is over; what follows, such as starting a node that it left down, is no longer part of it.
 *
 * @param atNanos when
 * @param number that of the {@link CycleBegun} before it
 */
public record CycleEnded(long atNanos, int number) implements Marker {

    @Override
    public String kind() {
        return "cycle-ended";
    }

    @Override
    public Map<String, String> fields() {
        return Map.of("cycle", Integer.toString(number));
    }
}

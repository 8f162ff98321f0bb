package io.ycsbdrill.fault;

import java.util.Map;

/**
 * The throughput is steady.
 *
 * @param atNanos when
 * @param text slope and variation
 */
public record SteadyReached(long atNanos, String text) implements Marker {

    @Override
    public String kind() {
        return "steady";
    }

    @Override
    public String label() {
        return "steady";
    }

    @Override
    public Map<String, String> fields() {
        return Map.of("text", text);
    }
}

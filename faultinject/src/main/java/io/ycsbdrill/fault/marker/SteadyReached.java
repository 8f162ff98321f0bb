package io.ycsbdrill.fault.marker;

import java.util.Map;

/**
 * The throughput is steady.
 *
 * @param atNanos when
 * @param sinceNanos start of the stretch that was judged: from here to the fault is the baseline
 * @param text slope and variation
 */
public record SteadyReached(long atNanos, long sinceNanos, String text) implements Marker {

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
        return Map.of("since_ns", Long.toString(sinceNanos), "text", text);
    }
}

package io.ycsbdrill.fault.marker;

import io.ycsbdrill.fault.node.EngineEvent;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The engine said something about a node.
 *
 * @param atNanos when it happened
 * @param node the node it is about
 * @param signal what it means
 * @param source where it was read
 * @param text the engine's own words
 */
public record EngineObserved(long atNanos, String node, EngineEvent.Signal signal, String source, String text)
        implements Marker {

    @Override
    public String kind() {
        return "event";
    }

    /** The signal in lower case: {@code node-down}, {@code failure-handled}. */
    @Override
    public String label() {
        return signal.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    @Override
    public Map<String, String> fields() {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("node", node);
        fields.put("source", source);
        fields.put("text", text);
        return fields;
    }
}

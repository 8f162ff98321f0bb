package io.ycsbdrill.fault.marker;

import java.util.Map;

/**
 * A remark worth keeping beside the data.
 *
 * @param atNanos when
 * @param node the node it is about; empty when it is about none
 * @param text the remark
 */
public record Noted(long atNanos, String node, String text) implements Marker {

    @Override
    public String kind() {
        return "note";
    }

    @Override
    public Map<String, String> fields() {
        return node.isEmpty() ? Map.of("text", text) : Map.of("node", node, "text", text);
    }
}

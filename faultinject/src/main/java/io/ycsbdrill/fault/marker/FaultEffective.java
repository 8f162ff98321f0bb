package io.ycsbdrill.fault.marker;

import java.util.Map;

/**
 * The effect of a fault was seen by a probe, not only confirmed by who brought it about.
 *
 * @param atNanos when it was seen
 * @param node the node
 * @param of step and fault
 * @param text what was seen
 */
public record FaultEffective(long atNanos, String node, Occurrence of, String text) implements Marker {

    @Override
    public String kind() {
        return "fault-effective";
    }

    @Override
    public Map<String, String> fields() {
        return Marker.fieldsOf(node, of, "text", text);
    }
}

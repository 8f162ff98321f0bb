package io.ycsbdrill.fault;

import java.util.Map;

/**
 * The injector begins a fault on a node.
 *
 * @param atNanos when it was requested
 * @param node the node that the selector came to
 * @param of step and fault
 * @param selector where, as the schedule says it
 */
public record FaultStarted(long atNanos, String node, Occurrence of, String selector) implements Marker {

    @Override
    public String kind() {
        return "fault-started";
    }

    @Override
    public String label() {
        return of.label();
    }

    @Override
    public Map<String, String> fields() {
        return Marker.fieldsOf(node, of, "selector", selector);
    }
}

package io.ycsbdrill.fault.marker;

import io.ycsbdrill.fault.Effect;
import java.util.Map;

/**
 * The injector begins a fault on a node.
 *
 * @param atNanos when it was requested
 * @param node the node that the selector resolved to
 * @param of step and fault
 * @param selector where, as the schedule says it
 * @param bringsBack whether the fault belongs to a recovery that is under way, instead of beginning one
 * @param releases whether it is in force until a marker of it has the effect {@link Effect#RELEASED}
 */
public record FaultStarted(
        long atNanos, String node, Occurrence of, String selector, boolean bringsBack, boolean releases)
        implements Marker {

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
        Map<String, String> fields = Marker.fieldsOf(node, of, "selector", selector);
        if (bringsBack) {
            fields.put("brings_back", "true");
        }
        if (releases) {
            fields.put("releases", "true");
        }
        return fields;
    }
}

package io.ycsbdrill.fault.marker;

import io.ycsbdrill.fault.Effect;
import java.util.Map;

/**
 * The last step of a fault is done, or it was healed.
 *
 * @param atNanos when it was confirmed
 * @param requestedNanos when it was requested
 * @param node the node
 * @param of step and fault
 * @param effect what this says about the node
 */
public record FaultEnded(long atNanos, long requestedNanos, String node, Occurrence of, Effect effect)
        implements Marker {

    @Override
    public String kind() {
        return "fault-ended";
    }

    @Override
    public Map<String, String> fields() {
        return Marker.fieldsOf(node, of, "requested_ns", Long.toString(requestedNanos), "effect", effect.label());
    }
}

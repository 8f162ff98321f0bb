package io.ycsbdrill.fault.marker;

import io.ycsbdrill.fault.Effect;
import java.util.Map;

/**
 * A fault was carried out. Whether it has an effect is another question: {@link FaultEffective}.
 *
 * @param atNanos when it was confirmed
 * @param requestedNanos when it was requested
 * @param node the node
 * @param of step and fault
 * @param effect what this says about the node
 */
public record FaultInjected(long atNanos, long requestedNanos, String node, Occurrence of, Effect effect)
        implements Marker {

    @Override
    public String kind() {
        return "fault-injected";
    }

    @Override
    public Map<String, String> fields() {
        return Marker.fieldsOf(node, of, "requested_ns", Long.toString(requestedNanos), "effect", effect.label());
    }
}

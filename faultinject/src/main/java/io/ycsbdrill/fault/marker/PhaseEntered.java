package io.ycsbdrill.fault.marker;

import io.ycsbdrill.base.Phase;
import java.util.Map;

/**
 * A node entered a phase.
 *
 * @param atNanos when
 * @param node the node
 * @param of the fault that it recovers from
 * @param phase the phase
 */
public record PhaseEntered(long atNanos, String node, Occurrence of, Phase phase) implements Marker {

    @Override
    public String kind() {
        return "phase";
    }

    @Override
    public String label() {
        return phase.label();
    }

    @Override
    public Map<String, String> fields() {
        return Marker.fieldsOf(node, of, "phase", phase.label(), "stage", phase.stage());
    }
}

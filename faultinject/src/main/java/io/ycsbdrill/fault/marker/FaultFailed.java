package io.ycsbdrill.fault.marker;

import java.util.Map;

/**
 * A fault could not be injected, ended or healed, or its node did not recover; the run is invalid.
 *
 * @param atNanos when that was known
 * @param node the node; empty when none was found
 * @param of step and fault
 * @param text what was seen and what was expected
 */
public record FaultFailed(long atNanos, String node, Occurrence of, String text) implements Marker {
    /** In the text of one whose node did not recover in time. */
    public static final String NOT_RECOVERED = "did not recover within ";

    /** Begins the text of one that could not be healed. */
    public static final String NOT_HEALED = "not healed: ";

    @Override
    public String kind() {
        return "fault-failed";
    }

    @Override
    public String label() {
        return "failed";
    }

    @Override
    public Map<String, String> fields() {
        return Marker.fieldsOf(node, of, "text", text);
    }
}

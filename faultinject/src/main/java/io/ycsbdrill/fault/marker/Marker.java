package io.ycsbdrill.fault.marker;

import java.util.LinkedHashMap;
import java.util.Map;

/** Something that happened at a moment of a run; one line of {@code markers.jsonl}. Times are nanoseconds since run start. */
public sealed interface Marker
        permits FaultStarted,
                FaultInjected,
                FaultEffective,
                FaultEnded,
                FaultFailed,
                EngineObserved,
                PhaseEntered,
                SteadyReached,
                CycleBegun,
                CycleEnded,
                Noted {

    /** When it happened. */
    long atNanos();

    /** Kind in {@code markers.jsonl}. */
    String kind();

    /** Short text for charts; may be empty. */
    default String label() {
        return "";
    }

    /** The further fields of the line, in order. */
    Map<String, String> fields();

    /** Fields in the order given: name, value, name, value. */
    private static Map<String, String> ordered(String... pairs) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            fields.put(pairs[i], pairs[i + 1]);
        }
        return fields;
    }

    /** The fields of a marker about one occurrence on one node, followed by others: name, value, name, value. */
    static Map<String, String> fieldsOf(String node, Occurrence of, String... more) {
        Map<String, String> fields = ordered(
                "node", node, "step", of.step(), "occurrence", Integer.toString(of.number()), "fault", of.fault());
        fields.putAll(ordered(more));
        return fields;
    }
}

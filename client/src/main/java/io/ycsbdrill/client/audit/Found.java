package io.ycsbdrill.client.audit;

import java.util.Map;

/**
 * A row as it was read back.
 *
 * @param present whether there is such a row
 * @param values by field name: the id of the write that the value is of, {@link #OTHER} or {@link #DAMAGED}; empty when absent
 */
record Found(boolean present, Map<String, Long> values) {
    /** A value that this run has not written: from before it. */
    static final long OTHER = -1;
    /** A value of this run that nobody has written so: damaged, mixed of several or of another key or field. */
    static final long DAMAGED = -2;

    static final Found ABSENT = new Found(false, Map.of());

    Found {
        values = Map.copyOf(values);
    }
}

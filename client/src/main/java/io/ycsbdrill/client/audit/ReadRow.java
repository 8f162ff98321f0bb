package io.ycsbdrill.client.audit;

import java.util.Map;

/**
 * A row as it was read back.
 *
 * @param present whether there is such a row
 * @param values by field name: the id of the write that the value is of, {@link #OTHER} or {@link #DAMAGED}; empty when absent
 */
public record ReadRow(boolean present, Map<String, Long> values) {
    /** A value that this run has not written: from before it. */
    public static final long OTHER = -1;
    /** A value of this run that nobody has written so: damaged, mixed of several or of another key or field. */
    public static final long DAMAGED = -2;

    public static final ReadRow ABSENT = new ReadRow(false, Map.of());

    public ReadRow {
        values = Map.copyOf(values);
    }
}

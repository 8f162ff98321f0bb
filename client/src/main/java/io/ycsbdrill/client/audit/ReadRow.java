package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.journal.Stamp;
import java.util.Map;

/**
 * A row as it was read back.
 *
 * @param present whether there is such a row
 * @param values by field name: the id of the write that the value is of, {@link Stamp#OTHER} or {@link Stamp#DAMAGED}; empty when absent
 */
public record ReadRow(boolean present, Map<String, Long> values) {
    public static final ReadRow ABSENT = new ReadRow(false, Map.of());

    public ReadRow {
        values = Map.copyOf(values);
    }
}

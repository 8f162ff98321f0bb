package io.ycsbdrill.client.audit;

import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is known of a key when the run is over. Immutable.
 *
 * @param writes that a read may show, as far as writes alone tell
 * @param fields by number, of each field that reads have shown during the run: its writes with what the reads say of them
 * @param row what must be in the row unless it was deleted later: a zone that reads have shown; null without any
 * @param absentNanos when the last read that rightly found no row began; {@link Long#MIN_VALUE} without any
 * @param orders to be tried of a row that needs it, when they explain the run
 */
record KeyHistory(
        String key,
        List<Write> writes,
        Map<Integer, List<Zone>> fields,
        Zone row,
        long absentNanos,
        Optional<Orders> orders) {
    /** The same key, whatever was read of it during the run. */
    static KeyHistory ofWrites(KeyWrites key) {
        return new KeyHistory(key.key(), key.writes(), Map.of(), null, Long.MIN_VALUE, Optional.empty());
    }

    /** A row that was there before the run, and that the run has not written. */
    static KeyHistory loaded(String key) {
        return new KeyHistory(key, List.of(), Map.of(), Zone.ROW_BEFORE_THE_RUN, Long.MIN_VALUE, Optional.empty());
    }

    /** What concerns a field. */
    List<Zone> field(int number) {
        List<Zone> known = fields.get(number);
        if (known != null) {
            return known;
        }
        List<Zone> zones = new ArrayList<>();
        for (Write write : writes) {
            if (write.concerns(number)) {
                zones.add(Zone.of(write));
            }
        }
        return zones;
    }

    /** What has left a row for certain. */
    List<Zone> rows() {
        List<Zone> rows = new ArrayList<>();
        for (Write write : writes) {
            if (write.acknowledged() && write.leavesRow()) {
                rows.add(Zone.of(write));
            }
        }
        if (row != null) {
            rows.add(row);
        }
        return rows;
    }
}

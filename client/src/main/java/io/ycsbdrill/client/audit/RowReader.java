package io.ycsbdrill.client.audit;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.client.audit.journal.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Reads rows back through a binding. Owned by one thread. */
record RowReader(DB db, String table, Stamp stamp) {
    RowCopy read(String key) {
        Map<String, ByteIterator> values = new HashMap<>();
        Status status = db.read(table, key, null, values);
        if (Status.NOT_FOUND.equals(status)) {
            return RowCopy.ABSENT;
        }
        if (Statuses.NOT_HELD.equals(status)) {
            return RowCopy.NOT_HELD;
        }
        if (status == null || !status.isOk()) {
            return RowCopy.UNREADABLE;
        }
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        Map<String, byte[]> row = new TreeMap<>();
        Map<String, Long> found = new HashMap<>();
        values.forEach((field, value) -> {
            if (value != null) {
                byte[] bytes = value.toArray();
                row.put(field, bytes);
                found.put(field, stamp.read(bytes, keyBytes, field.getBytes(StandardCharsets.UTF_8)));
            }
        });
        return new RowCopy(RowCopy.State.ROW, new ReadRow(true, found), row);
    }
}

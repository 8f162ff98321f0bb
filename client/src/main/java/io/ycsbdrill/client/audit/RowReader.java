package io.ycsbdrill.client.audit;

import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.client.audit.journal.Stamp;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Reads rows back through a binding. Owned by one thread. */
record RowReader(DB db, String table, Stamp stamp) {
    /** @param keys more than one only of a binding that reads so many {@linkplain NodeReads#rowsAtOnce at once} */
    List<RowCopy> read(List<String> keys) {
        List<Map<String, ByteIterator>> rows = keys.stream()
                .<Map<String, ByteIterator>>map(key -> new HashMap<>())
                .toList();
        List<Status> statuses = keys.size() > 1
                ? ((NodeReads) db).readAll(table, keys, rows)
                : Collections.singletonList(db.read(table, keys.get(0), null, rows.get(0)));
        return IntStream.range(0, keys.size())
                .mapToObj(i -> copy(keys.get(i), statuses.get(i), rows.get(i)))
                .toList();
    }

    private RowCopy copy(String key, Status status, Map<String, ByteIterator> values) {
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

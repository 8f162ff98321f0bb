package io.ycsbdrill.client.audit;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Reads rows back through a binding. Owned by one thread. */
final class RowReader {
    private final DB db;
    private final String table;
    private final Stamp stamp;

    RowReader(DB db, String table, Stamp stamp) {
        this.db = db;
        this.table = table;
        this.stamp = stamp;
    }

    /** The row; empty when the database gave no clear answer. */
    Optional<Found> read(String key) {
        Map<String, ByteIterator> values = new HashMap<>();
        Status status = db.read(table, key, null, values);
        if (Status.NOT_FOUND.equals(status)) {
            return Optional.of(Found.ABSENT);
        }
        if (status == null || !status.isOk()) {
            return Optional.empty();
        }
        byte[] keyBytes = key.getBytes(StandardCharsets.UTF_8);
        Map<String, Long> found = new HashMap<>();
        values.forEach((field, value) -> {
            if (value != null) {
                found.put(field, stamp.read(value.toArray(), keyBytes, field.getBytes(StandardCharsets.UTF_8)));
            }
        });
        return Optional.of(new Found(true, found));
    }
}

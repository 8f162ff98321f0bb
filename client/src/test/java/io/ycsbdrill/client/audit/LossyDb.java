package io.ycsbdrill.client.audit;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Statuses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Rows in memory that a test damages as it likes. Reads and writes are atomic; thread-safe. */
class LossyDb extends DB implements BulkInserts {

    /** What the next writes say, and whether they are applied. */
    enum Answer {
        HONEST,
        /** Fails, and is not applied. */
        REFUSED,
        /** Times out, but is applied. */
        UNKNOWN_APPLIED,
        /** Times out, and is not applied. */
        UNKNOWN_LOST,
        /** Says that it was applied. */
        LOST
    }

    final Map<String, Map<String, byte[]>> rows = new TreeMap<>();
    /** What reads of a key return once, in place of its row; null = no row. */
    private final Map<String, Deque<Map<String, byte[]>>> stale = new HashMap<>();

    Answer next = Answer.HONEST;
    /** What the newest write would have written. */
    Map<String, byte[]> written = Map.of();

    static Map<String, byte[]> copy(Map<String, byte[]> row) {
        return row == null ? null : new TreeMap<>(row);
    }

    synchronized void readsOnce(String key, Map<String, byte[]> row) {
        // A deque holds no null.
        stale.computeIfAbsent(key, any -> new ArrayDeque<>()).add(row == null ? Map.of() : row);
    }

    @Override
    public synchronized Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        Map<String, byte[]> row = rows.get(key);
        Deque<Map<String, byte[]>> old = stale.get(key);
        if (old != null && !old.isEmpty()) {
            row = old.remove();
        }
        if (row == null || row.isEmpty()) {
            return Status.NOT_FOUND;
        }
        row.forEach((field, value) -> result.put(field, new ByteArrayByteIterator(value)));
        return Status.OK;
    }

    @Override
    public Status scan(
            String table, String start, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public synchronized Status update(String table, String key, Map<String, ByteIterator> values) {
        written = bytes(values);
        return rows.containsKey(key) ? answered(() -> rows.get(key).putAll(written)) : Status.NOT_FOUND;
    }

    @Override
    public synchronized Status insert(String table, String key, Map<String, ByteIterator> values) {
        written = bytes(values);
        return rows.containsKey(key) ? Statuses.DUPLICATE_KEY : answered(() -> rows.put(key, new TreeMap<>(written)));
    }

    @Override
    public synchronized Status delete(String table, String key) {
        written = Map.of();
        return rows.containsKey(key) ? answered(() -> rows.remove(key)) : Status.NOT_FOUND;
    }

    @Override
    public synchronized List<Status> insertAll(String table, List<Row> batch) {
        List<Status> statuses = new ArrayList<>();
        batch.forEach(row -> statuses.add(insert(table, row.key(), row.values())));
        return statuses;
    }

    private Status answered(Runnable apply) {
        if (next == Answer.HONEST || next == Answer.UNKNOWN_APPLIED) {
            apply.run();
        }
        return switch (next) {
            case HONEST, LOST -> Status.OK;
            case REFUSED -> Statuses.FAILED;
            case UNKNOWN_APPLIED, UNKNOWN_LOST -> Statuses.UNKNOWN;
        };
    }

    private static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
        Map<String, byte[]> bytes = new TreeMap<>();
        values.forEach((field, value) -> bytes.put(field, value.toArray()));
        return bytes;
    }
}

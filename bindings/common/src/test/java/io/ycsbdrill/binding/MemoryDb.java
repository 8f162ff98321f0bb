package io.ycsbdrill.binding;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * A binding over a map, for tests that need a well-behaved database and no server. All instances made with the same map
 * share its rows.
 */
public class MemoryDb extends DB {
    private final ConcurrentNavigableMap<String, byte[]> rows;

    /** A database of its own. */
    public MemoryDb() {
        this(new ConcurrentSkipListMap<>());
    }

    /** Works on the given rows, encoded by {@link FieldCodec}. */
    public MemoryDb(ConcurrentNavigableMap<String, byte[]> rows) {
        this.rows = rows;
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        if (!known(table)) {
            return Statuses.FAILED;
        }
        byte[] row = rows.get(key);
        if (row == null) {
            return Status.NOT_FOUND;
        }
        FieldCodec.decode(row, fields, result);
        return Status.OK;
    }

    @Override
    public Status scan(
            String table, String start, int limit, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        if (!known(table)) {
            return Statuses.FAILED;
        }
        rows.tailMap(start).values().stream().limit(limit).forEach(row -> {
            HashMap<String, ByteIterator> values = new HashMap<>();
            FieldCodec.decode(row, fields, values);
            result.add(values);
        });
        return Status.OK;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        if (!known(table)) {
            return Statuses.FAILED;
        }
        return rows.putIfAbsent(key, FieldCodec.encode(values)) == null ? Status.OK : Statuses.DUPLICATE_KEY;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        if (!known(table)) {
            return Statuses.FAILED;
        }
        byte[] changes = FieldCodec.encode(values);
        byte[] row = rows.computeIfPresent(key, (k, old) -> FieldCodec.merge(old, changes));
        return row != null ? Status.OK : Status.NOT_FOUND;
    }

    @Override
    public Status delete(String table, String key) {
        if (!known(table)) {
            return Statuses.FAILED;
        }
        return rows.remove(key) != null ? Status.OK : Status.NOT_FOUND;
    }

    private static boolean known(String table) {
        return "usertable".equals(table);
    }
}

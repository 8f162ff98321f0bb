package io.ycsbdrill.testing;

import io.ycsbdrill.binding.Statuses;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Somebody's binding: a table in memory for each value of the property {@code store}. */
public final class MemoryDb extends DB {
    private static final Map<String, Map<String, Map<String, byte[]>>> STORES = new ConcurrentHashMap<>();
    private static final Map<String, CyclicBarrier> MEETINGS = new ConcurrentHashMap<>();

    private Map<String, Map<String, byte[]>> rows;

    /** All instances whose property {@code meets} has this value wait in {@code init} until there are so many. */
    static void meeting(String name, int threads) {
        MEETINGS.put(name, new CyclicBarrier(threads));
    }

    static Map<String, Map<String, byte[]>> store(String name) {
        return STORES.computeIfAbsent(name, n -> new ConcurrentSkipListMap<>());
    }

    @Override
    public void init() throws DBException {
        rows = store(getProperties().getProperty("store"));
        if (getProperties().getProperty("refuses", "").equals("all")) {
            throw new DBException("denied: " + getProperties().getProperty("store.password"));
        }
        String meets = getProperties().getProperty("meets", "");
        boolean loads = !Boolean.parseBoolean(getProperties().getProperty("dotransactions", "true"));
        if (!meets.isEmpty() && !loads) {
            try {
                MEETINGS.get(meets).await(2, TimeUnit.MINUTES);
            } catch (Exception e) {
                throw new DBException(e);
            }
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        Map<String, byte[]> row = rows.get(key);
        if (row == null) {
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
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        if (getProperties().containsKey("forgets")) {
            return Status.OK;
        }
        if (getProperties().getProperty("refuses", "").equals("updates")) {
            return Statuses.UNAVAILABLE;
        }
        // Made before: the map may call the function again, and an iterator gives its bytes once.
        Map<String, byte[]> written = bytes(values);
        return rows.computeIfPresent(key, (k, row) -> {
                            Map<String, byte[]> changed = new HashMap<>(row);
                            changed.putAll(written);
                            return changed;
                        })
                        == null
                ? Status.NOT_FOUND
                : Status.OK;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return rows.putIfAbsent(key, bytes(values)) == null ? Status.OK : Statuses.DUPLICATE_KEY;
    }

    @Override
    public Status delete(String table, String key) {
        return rows.remove(key) == null ? Status.NOT_FOUND : Status.OK;
    }

    private static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
        Map<String, byte[]> row = new HashMap<>();
        values.forEach((field, value) -> row.put(field, value.toArray()));
        return row;
    }
}

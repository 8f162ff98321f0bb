package io.ycsbdrill.client.run;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Reconnects;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.measurements.Measurements;

/** An ordered map in memory that does what a test's script says instead, where it says something. */
public class ScriptedDb extends DB {

    /** What a call does; null = what the map does. */
    interface Script {
        Status call(String operation, String key) throws Exception;
    }

    /** The binding answers null. */
    static final Status NULL = new Status("(null)", "stands for null in scripts");

    static final Map<String, Map<String, byte[]>> ROWS = new ConcurrentSkipListMap<>();
    static final AtomicInteger INITIALISED = new AtomicInteger();
    static final AtomicInteger CLEANED = new AtomicInteger();
    static volatile Script script;

    static void reset(Script next) {
        script = next;
        ROWS.clear();
        INITIALISED.set(0);
        CLEANED.set(0);
    }

    @Override
    public void init() throws DBException {
        scripted("INIT", "");
        INITIALISED.incrementAndGet();
    }

    @Override
    public void cleanup() throws DBException {
        scripted("CLEANUP", "");
        CLEANED.incrementAndGet();
    }

    private static Status scripted(String operation, String key) {
        try {
            return script.call(operation, key);
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Work {
        Status run();
    }

    private static Status call(String operation, String key, Work work) {
        Status status = scripted(operation, key);
        return status == NULL ? null : status != null ? status : work.run();
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return call("READ", key, () -> {
            Map<String, byte[]> row = ROWS.get(key);
            if (row == null) {
                return Status.NOT_FOUND;
            }
            row.forEach((field, value) -> result.put(field, new ByteArrayByteIterator(value)));
            return Status.OK;
        });
    }

    @Override
    public Status scan(
            String table, String start, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        return call("SCAN", start, () -> ROWS.containsKey(start) ? Status.OK : Status.NOT_FOUND);
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return call("UPDATE", key, () -> {
            Map<String, byte[]> row = ROWS.get(key);
            if (row == null) {
                return Status.NOT_FOUND;
            }
            values.forEach((field, value) -> row.put(field, value.toArray()));
            return Status.OK;
        });
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        Map<String, byte[]> row = new ConcurrentSkipListMap<>();
        values.forEach((field, value) -> row.put(field, value.toArray()));
        return call("INSERT", key, () -> ROWS.putIfAbsent(key, row) == null ? Status.OK : Status.BAD_REQUEST);
    }

    @Override
    public Status delete(String table, String key) {
        return call("DELETE", key, () -> ROWS.remove(key) == null ? Status.NOT_FOUND : Status.OK);
    }

    /** The same with a connection of each thread that was lost and another that is still lost. */
    public static final class Losing extends ScriptedDb implements Reconnects {
        @Override
        public List<Server> reconnects() {
            scripted("RECONNECTS", "");
            return List.of(new Server("s2", 1, 0, 500, 500), new Server("s1", 2, 2, 5_000_000_000L, 4_000_000_000L));
        }
    }

    /** The same with inserts of several rows at a time, which may be scripted as a whole, too. */
    public static final class Bulk extends ScriptedDb implements BulkInserts {
        static final List<Integer> SIZES = new CopyOnWriteArrayList<>();

        @Override
        public List<Status> insertAll(String table, List<Row> rows) {
            SIZES.add(rows.size());
            Measurements.getMeasurements().measure("INSERT-SERVER", 7);
            Status status = scripted("INSERT_ALL", rows.get(0).key());
            return status == NULL
                    ? null
                    : rows.stream()
                            .map(row -> status != null ? status : insert(table, row.key(), row.values()))
                            .toList();
        }
    }
}

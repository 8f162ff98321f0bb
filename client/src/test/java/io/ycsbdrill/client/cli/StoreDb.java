package io.ycsbdrill.client.cli;

import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.Statuses;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** A table in memory, shared by all instances with the same property {@code store}; public and with a public constructor, as bindings are. */
public final class StoreDb extends DB implements NodeReads {
    private static final Map<String, ConcurrentSkipListMap<String, Map<String, String>>> STORES =
            new ConcurrentHashMap<>();
    /** How often each host was tried in vain. */
    private static final Map<String, AtomicInteger> UNREACHED = new ConcurrentHashMap<>();

    private ConcurrentSkipListMap<String, Map<String, String>> rows;
    private boolean failing;
    private boolean losing;
    private boolean forgetting;
    /** What a read and an update take at least, so that a closed loop does not take all of the machine. */
    private long pauseNanos;

    static ConcurrentSkipListMap<String, Map<String, String>> store(String name) {
        return STORES.computeIfAbsent(name, n -> new ConcurrentSkipListMap<>());
    }

    @Override
    public void init() throws DBException {
        rows = store(getProperties().getProperty("store", "default"));
        failing = Boolean.parseBoolean(getProperties().getProperty("store.failing"));
        losing = Boolean.parseBoolean(getProperties().getProperty("store.losing"));
        pauseNanos = 1_000 * Long.parseLong(getProperties().getProperty("store.pause_us", "0"));
        forgetting = getProperties().containsKey("store.node")
                && getProperties()
                        .getProperty("store.node")
                        .equals(getProperties().getProperty("store.forgetful"));
        if (getProperties().containsKey("store.unreachable")) {
            String host = getProperties().getProperty("store.unreachable");
            unreached(host).incrementAndGet();
            throw new DBException("nobody at " + host);
        }
    }

    static AtomicInteger unreached(String host) {
        return UNREACHED.computeIfAbsent(host, any -> new AtomicInteger());
    }

    /** Two, of which one may be named that does not have every third row. */
    @Override
    public Nodes nodes() {
        return new Nodes(
                List.of(new Node("a", Map.of("store.node", "a")), new Node("b", Map.of("store.node", "b"))),
                2,
                Duration.ZERO,
                "");
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        LockSupport.parkNanos(pauseNanos);
        Map<String, String> row = rows.get(table + "/" + key);
        if (failing) {
            return Statuses.UNAVAILABLE;
        }
        if (row == null || forgetting && key.hashCode() % 3 == 0) {
            return Status.NOT_FOUND;
        }
        row.forEach((field, value) -> {
            if (fields == null || fields.contains(field)) {
                result.put(field, new StringByteIterator(value));
            }
        });
        return Status.OK;
    }

    @Override
    public Status scan(
            String table, String start, int count, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        rows.tailMap(table + "/" + start).values().stream().limit(count).forEach(row -> {
            HashMap<String, ByteIterator> copy = new HashMap<>();
            row.forEach((field, value) -> copy.put(field, new StringByteIterator(value)));
            result.add(copy);
        });
        return Status.OK;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        LockSupport.parkNanos(pauseNanos);
        Map<String, String> row = rows.get(table + "/" + key);
        if (row == null) {
            return Status.NOT_FOUND;
        }
        if (!losing) {
            values.forEach((field, value) -> row.put(field, value.toString()));
        }
        return Status.OK;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        if (failing) {
            return Statuses.UNAVAILABLE;
        }
        Map<String, String> row = new ConcurrentHashMap<>();
        values.forEach((field, value) -> row.put(field, value.toString()));
        return rows.putIfAbsent(table + "/" + key, row) == null ? Status.OK : Statuses.DUPLICATE_KEY;
    }

    @Override
    public Status delete(String table, String key) {
        return rows.remove(table + "/" + key) == null ? Status.NOT_FOUND : Status.OK;
    }
}

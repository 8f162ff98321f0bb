package io.ycsbdrill.binding.jdbc;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB on an SQL table, through JDBC. One connection per object; each operation is one transaction; nothing is tried twice, so
 * every attempt is in the measurement. Properties, statuses and behaviour under faults are in {@code docs/jdbc.md}.
 *
 * <p>One object per thread, as YCSB does it; objects with the same properties share their knowledge of the servers.
 */
public class JdbcBinding extends DB {
    private JdbcSettings settings;
    private JdbcThread thread;

    @Override
    public void init() throws DBException {
        JdbcSettings checked = JdbcSettings.of(getProperties(), System.getenv());
        Servers servers = SharedServers.acquire(checked);
        JdbcThread opened = new JdbcThread(servers, checked);
        try {
            opened.open();
        } catch (DBException e) {
            opened.close();
            SharedServers.release(checked);
            throw e;
        }
        thread = opened;
        settings = checked;
    }

    /** Harmless when called again, or without {@link #init}. */
    @Override
    public void cleanup() {
        if (thread != null) {
            thread.close();
            thread = null;
            SharedServers.release(settings);
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return thread.run(table, "read", false, (rows, link) -> rows.read(link, key, fields, result));
    }

    @Override
    public Status scan(
            String table,
            String startkey,
            int recordcount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        if (recordcount < 1) {
            return recordcount == 0 ? Status.OK : Status.BAD_REQUEST;
        }
        return thread.run(table, "scan", false, (rows, link) -> rows.scan(link, startkey, recordcount, fields, result));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return thread.run(table, "update", true, (rows, link) -> rows.update(link, key, values));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return thread.run(table, "insert", true, (rows, link) -> rows.insert(link, key, values));
    }

    @Override
    public Status delete(String table, String key) {
        return thread.run(table, "delete", true, (rows, link) -> rows.delete(link, key));
    }
}

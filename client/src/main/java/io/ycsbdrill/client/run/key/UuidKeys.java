package io.ycsbdrill.client.run.key;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * The database as a workload with {@code insertorder=uuid} sees it: each key name is replaced by its UUID of version 3 (RFC
 * 9562), in no order, the same one in every run and client. Used by the client thread that owns the database.
 */
public final class UuidKeys extends DB {
    private final DB db;

    private UuidKeys(DB db) {
        this.db = db;
    }

    /** What the workload is given in place of the database; the database itself unless {@code insertorder=uuid}. */
    public static DB over(DB db, Properties properties) {
        return "uuid".equals(properties.getProperty("insertorder")) ? new UuidKeys(db) : db;
    }

    public static String uuid(String key) {
        return UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8)).toString();
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return db.read(table, uuid(key), fields, result);
    }

    @Override
    public Status scan(
            String table,
            String startKey,
            int recordCount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        return db.scan(table, uuid(startKey), recordCount, fields, result);
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return db.update(table, uuid(key), values);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return db.insert(table, uuid(key), values);
    }

    @Override
    public Status delete(String table, String key) {
        return db.delete(table, uuid(key));
    }
}

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/** Throws when an operation did not do what was asked: CoreWorkload does not look. */
final class Checked extends DB {
    private final DB db;

    Checked(DB db) {
        this.db = db;
        setProperties(db.getProperties());
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return done(db.read(table, key, fields, result));
    }

    @Override
    public Status scan(String table, String start, int rows, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        return done(db.scan(table, start, rows, fields, result));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return done(db.update(table, key, values));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return done(db.insert(table, key, values));
    }

    @Override
    public Status delete(String table, String key) {
        return done(db.delete(table, key));
    }

    private static Status done(Status status) {
        if (!status.isOk()) {
            throw new IllegalStateException("an operation ended with " + status);
        }
        return status;
    }
}

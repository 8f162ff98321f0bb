package io.ycsbdrill.binding;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Passes everything on and keeps what was not OK, and scans without the rows that must be there. */
final class CountingDb extends DB {
    final List<String> failures = new ArrayList<>();

    private final DB db;
    private final Set<String> allFields = new HashSet<>();

    CountingDb(DB db) {
        this.db = db;
    }

    @Override
    public void cleanup() throws DBException {
        db.cleanup();
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return seen("read " + key, db.read(table, key, fields, result));
    }

    @Override
    public Status scan(
            String table,
            String startkey,
            int recordcount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        Status status = db.scan(table, startkey, recordcount, fields, result);
        if (status.isOk()) {
            look("scan " + startkey, recordcount, fields == null ? allFields : fields, result);
        }
        return seen("scan " + startkey, status);
    }

    /** A workload scans from a row that it has loaded, so there is one at least. */
    private void look(String scan, int most, Set<String> fields, List<HashMap<String, ByteIterator>> rows) {
        if (rows.isEmpty() || rows.size() > most) {
            failures.add(scan + ": " + rows.size() + " rows of 1 to " + most);
        }
        for (Map<String, ByteIterator> row : rows) {
            if (!row.keySet().equals(fields)) {
                failures.add(scan + ": a row with " + row.keySet() + " instead of " + fields);
            }
        }
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return seen("update " + key, db.update(table, key, values));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        allFields.addAll(values.keySet());
        return seen("insert " + key, db.insert(table, key, values));
    }

    @Override
    public Status delete(String table, String key) {
        return seen("delete " + key, db.delete(table, key));
    }

    private Status seen(String operation, Status status) {
        if (!status.isOk()) {
            failures.add(operation + ": " + status);
        }
        return status;
    }
}

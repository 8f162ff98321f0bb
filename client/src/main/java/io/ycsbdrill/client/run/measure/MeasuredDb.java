package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.binding.Outcome;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Times every call of a binding. The workload sees the binding's status; in place of {@code null} it sees
 * {@link Status#ERROR}, as workloads do not expect null. An exception is recorded and passed on. Owned by one client thread.
 */
public class MeasuredDb extends DB {
    private final DB db;
    private final ThreadRecorder recorder;
    private Outcome lastOutcome = Outcome.OK;

    public MeasuredDb(DB db, ThreadRecorder recorder) {
        this.db = db;
        this.recorder = recorder;
    }

    /** The outcome of the newest call, OK before the first. */
    public Outcome lastOutcome() {
        return lastOutcome;
    }

    @Override
    public void setProperties(Properties properties) {
        db.setProperties(properties);
    }

    @Override
    public Properties getProperties() {
        return db.getProperties();
    }

    @Override
    public void init() throws DBException {
        db.init();
    }

    @Override
    public void cleanup() throws DBException {
        db.cleanup();
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        long start = recorder.begin(Operations.READ);
        Status status;
        try {
            status = db.read(table, key, fields, result);
        } catch (Throwable t) {
            recorder.thrown(Operations.READ, start, t);
            throw t;
        }
        return returned(Operations.READ, start, status);
    }

    @Override
    public Status scan(
            String table,
            String startKey,
            int recordCount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        long start = recorder.begin(Operations.SCAN);
        Status status;
        try {
            status = db.scan(table, startKey, recordCount, fields, result);
        } catch (Throwable t) {
            recorder.thrown(Operations.SCAN, start, t);
            throw t;
        }
        return returned(Operations.SCAN, start, status);
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        long start = recorder.begin(Operations.UPDATE);
        Status status;
        try {
            status = db.update(table, key, values);
        } catch (Throwable t) {
            recorder.thrown(Operations.UPDATE, start, t);
            throw t;
        }
        return returned(Operations.UPDATE, start, status);
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        long start = recorder.begin(Operations.INSERT);
        Status status;
        try {
            status = db.insert(table, key, values);
        } catch (Throwable t) {
            lastOutcome = Outcome.UNKNOWN;
            recorder.thrown(Operations.INSERT, start, t);
            throw t;
        }
        return returned(Operations.INSERT, start, status);
    }

    @Override
    public Status delete(String table, String key) {
        long start = recorder.begin(Operations.DELETE);
        Status status;
        try {
            status = db.delete(table, key);
        } catch (Throwable t) {
            recorder.thrown(Operations.DELETE, start, t);
            throw t;
        }
        return returned(Operations.DELETE, start, status);
    }

    private Status returned(int operation, long start, Status status) {
        lastOutcome = recorder.end(operation, start, status);
        return status == null ? Status.ERROR : status;
    }
}

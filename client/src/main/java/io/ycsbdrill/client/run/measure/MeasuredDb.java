package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.workload.WholeOperations;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Times every call of a binding, or several calls as one operation. The workload sees the binding's status; in place of {@code null} it sees
 * {@link Status#ERROR}, as workloads do not expect null. An exception is recorded and passed on. Where rows expire, a read, update or delete
 * that finds no row has done what was asked. Owned by one client thread.
 */
public class MeasuredDb extends DB implements WholeOperations {
    private final DB db;
    private final DB binding;
    private final ThreadRecorder recorder;
    private final KeyOwner owners;
    private final boolean expiring;
    private Outcome lastOutcome = Outcome.OK;

    public MeasuredDb(DB db, ThreadRecorder recorder) {
        this(db, db, recorder, (table, key) -> KeyOwner.NONE);
    }

    /**
     * @param binding for the calls of {@link #whole} operations, without retries
     * @param owners asked before every operation on one key
     */
    public MeasuredDb(DB db, DB binding, ThreadRecorder recorder, KeyOwner owners) {
        this.db = db;
        this.binding = binding;
        this.recorder = recorder;
        this.owners = owners;
        this.expiring = BindingProperties.expire(db.getProperties());
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
    public Status whole(String name, Work work) {
        int operation = recorder.whole(name);
        long start = recorder.begin(operation);
        Status status;
        try {
            status = work.on(binding);
        } catch (Throwable t) {
            recorder.thrown(operation, start, t);
            throw t;
        }
        return returned(operation, start, status);
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        long start = recorder.begin(Operations.READ, owners.of(table, key));
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
        long start = recorder.begin(Operations.UPDATE, owners.of(table, key));
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
        long start = recorder.begin(Operations.INSERT, owners.of(table, key));
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
        long start = recorder.begin(Operations.DELETE, owners.of(table, key));
        Status status;
        try {
            status = db.delete(table, key);
        } catch (Throwable t) {
            recorder.thrown(Operations.DELETE, start, t);
            throw t;
        }
        return returned(Operations.DELETE, start, status);
    }

    /**
     * Inserts rows by one call of a binding that can; each row is measured as an insert that took as long as the call.
     *
     * @param scheduled the intended start of each row's transaction; see {@link ThreadRecorder#scheduledStart}
     * @return what became of each row, in the binding's words
     */
    protected final Status[] insertAll(String table, List<BulkInserts.Row> rows, long... scheduled) {
        long start = recorder.begin(Operations.INSERT);
        Status[] statuses = new Status[rows.size()];
        Outcome[] outcomes = new Outcome[rows.size()];
        List<Status> returned;
        try {
            returned = ((BulkInserts) db).insertAll(table, rows);
        } catch (Throwable t) {
            Arrays.fill(statuses, new Status(t.getClass().getSimpleName(), "Thrown by the binding."));
            Arrays.fill(outcomes, Outcome.UNKNOWN);
            recorder.endRows(Operations.INSERT, start, statuses, outcomes, scheduled);
            throw t;
        }
        boolean complete = returned != null && returned.size() == rows.size();
        for (int i = 0; i < statuses.length; i++) {
            Status status = complete ? returned.get(i) : null;
            outcomes[i] = Outcome.of(status, true);
            statuses[i] = status == null ? ThreadRecorder.NO_STATUS : status;
        }
        recorder.endRows(Operations.INSERT, start, statuses, outcomes, scheduled);
        return statuses;
    }

    private Status returned(int operation, long start, Status status) {
        boolean expired = expiring && operation != Operations.INSERT && Status.NOT_FOUND.equals(status);
        lastOutcome = expired ? recorder.ok(operation, start, status) : recorder.end(operation, start, status);
        return status == null ? Status.ERROR : status;
    }
}

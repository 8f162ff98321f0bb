package io.ycsbdrill.client.run.call;

import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Retries operations that failed definitely and temporarily, and nothing else: a write that may have been applied never
 * is. It stands between the measurement and the binding, so an operation takes as long as all its attempts and pauses,
 * and each retry is reported to the recorder. Owned by one client thread.
 */
public final class RetryingDb extends DB {
    private final DB db;
    private final ThreadRecorder recorder;
    private final RetryPolicy policy;
    private final BooleanSupplier stopped;

    /** @param stopped whether the run is to end; then nothing more is tried */
    public RetryingDb(DB db, ThreadRecorder recorder, RetryPolicy policy, BooleanSupplier stopped) {
        this.db = db;
        this.recorder = recorder;
        this.policy = policy;
        this.stopped = stopped;
        setProperties(db.getProperties());
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return tried(() -> {
            result.clear();
            return db.read(table, key, fields, result);
        });
    }

    @Override
    public Status scan(
            String table,
            String startKey,
            int recordCount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        return tried(() -> {
            result.clear();
            return db.scan(table, startKey, recordCount, fields, result);
        });
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        Map<String, byte[]> bytes = Attempt.bytes(values);
        return tried(() -> db.update(table, key, Attempt.iterators(bytes)));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        Map<String, byte[]> bytes = Attempt.bytes(values);
        return tried(() -> db.insert(table, key, Attempt.iterators(bytes)));
    }

    @Override
    public Status delete(String table, String key) {
        return tried(() -> db.delete(table, key));
    }

    private Status tried(Supplier<Status> call) {
        Status status = call.get();
        for (int retry = 0; retry < policy.temporary() && isTemporary(status); retry++) {
            if (!Attempt.pause(policy.pauseNanos(retry), stopped)) {
                return status;
            }
            recorder.retrying();
            status = call.get();
        }
        return status;
    }

    private static boolean isTemporary(Status status) {
        return status != null && status.getName().equals(Statuses.TEMPORARY.getName());
    }
}

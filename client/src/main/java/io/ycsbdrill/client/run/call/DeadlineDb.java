package io.ycsbdrill.client.run.call;

import io.ycsbdrill.client.run.measure.AbandonedCall;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.atomic.AtomicLong;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Lets another thread abandon a call of a binding. The calling thread and the abandoning one agree by one compare-and-set on who ends the call:
 * an abandoned one throws {@link AbandonedCall} when it returns, whatever its answer is. It stands directly before the binding, so that
 * an audit never sees the late answer. Calls are owned by one client thread.
 */
public final class DeadlineDb extends DB {
    private static final long NO_CALL = Long.MIN_VALUE;
    private static final long ABANDONED = Long.MIN_VALUE + 1;

    private final DB db;
    /** When the call under way began, by {@link System#nanoTime}, or one of the constants. */
    private final AtomicLong call = new AtomicLong(NO_CALL);

    public DeadlineDb(DB db) {
        this.db = db;
        setProperties(db.getProperties());
    }

    /** From any thread: whether the call under way began no later than this. */
    public boolean isOverdue(long notAfterNanoTime) {
        return isOverdue(call.getAcquire(), notAfterNanoTime);
    }

    /** From any thread: abandons the call under way if it began no later than this; false when there is none. */
    public boolean abandon(long notAfterNanoTime) {
        long since = call.getAcquire();
        return isOverdue(since, notAfterNanoTime) && call.compareAndSet(since, ABANDONED);
    }

    private static boolean isOverdue(long since, long notAfterNanoTime) {
        return since > ABANDONED && since - notAfterNanoTime <= 0;
    }

    private void begin() {
        call.setRelease(System.nanoTime());
    }

    private void end() {
        long since = call.getPlain();
        if (since == ABANDONED || !call.compareAndSet(since, NO_CALL)) {
            throw new AbandonedCall();
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        begin();
        try {
            return db.read(table, key, fields, result);
        } finally {
            end();
        }
    }

    @Override
    public Status scan(
            String table,
            String startKey,
            int recordCount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        begin();
        try {
            return db.scan(table, startKey, recordCount, fields, result);
        } finally {
            end();
        }
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        begin();
        try {
            return db.update(table, key, values);
        } finally {
            end();
        }
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        begin();
        try {
            return db.insert(table, key, values);
        } finally {
            end();
        }
    }

    @Override
    public Status delete(String table, String key) {
        begin();
        try {
            return db.delete(table, key);
        } finally {
            end();
        }
    }
}

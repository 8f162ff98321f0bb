package io.ycsbdrill.client.run.call;

import io.ycsbdrill.binding.Statuses;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * Other people's binding: an exception of it is the failure of one operation, a failed read or a write of unknown outcome, and what threw
 * it is closed and opened again, with a growing pause while that does not succeed. Until an operation of the run has succeeded an exception
 * is passed on: it is more likely to say that something is set wrongly. Owned by one client thread.
 */
public final class ReopeningDb extends DB {
    private static final Logger LOG = LoggerFactory.getLogger(ReopeningDb.class);
    private static final long FIRST_PAUSE_NANOS = 100_000_000;
    private static final int MOST_DOUBLINGS = 4;
    private static final long SHORT_PAUSE_NANOS = 20_000_000;

    private final Callable<DB> opener;
    private final AtomicBoolean worked;
    private final BooleanSupplier stopped;
    /** Null while it is closed. */
    private DB db;

    private Class<?> lastThrown;
    private int refusals;
    private long nextTryNanos;

    /**
     * Wraps an open binding.
     *
     * @param opener makes and initialises another one
     * @param worked whether an operation of a binding of the run has ever succeeded
     * @param stopped whether the run is
     */
    public ReopeningDb(DB db, Callable<DB> opener, AtomicBoolean worked, BooleanSupplier stopped) {
        this.db = db;
        this.opener = opener;
        this.worked = worked;
        this.stopped = stopped;
        setProperties(db.getProperties());
    }

    /** The bindings whose exceptions this is about: ours give every one a status, and one that does not is a defect. */
    public static boolean isFor(Class<?> binding) {
        return !binding.getName().startsWith("io.ycsbdrill.binding.");
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return call(open -> open.read(table, key, fields, result));
    }

    @Override
    public Status scan(
            String table,
            String startKey,
            int recordCount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        return call(open -> open.scan(table, startKey, recordCount, fields, result));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return call(open -> open.update(table, key, values));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return call(open -> open.insert(table, key, values));
    }

    @Override
    public Status delete(String table, String key) {
        return call(open -> open.delete(table, key));
    }

    private Status call(Function<DB, Status> operation) {
        if (db == null && !reopened()) {
            return Statuses.UNAVAILABLE;
        }
        try {
            Status status = operation.apply(db);
            if (status != null && status.isOk()) {
                refusals = 0;
                if (!worked.get()) {
                    worked.set(true);
                }
            }
            return status;
        } catch (RuntimeException e) {
            if (!worked.get()) {
                throw e;
            }
            thrown(e);
            // Not one of the statuses that say that a write was not applied.
            return new Status(e.getClass().getSimpleName(), "Thrown by the binding.");
        }
    }

    private void thrown(RuntimeException e) {
        if (lastThrown != e.getClass()) {
            lastThrown = e.getClass();
            LOG.warn("the binding threw {}; it is closed and opened again", Reasons.of(e));
        }
        close();
        later();
    }

    /** The first try is at once, as another server may answer. */
    private void later() {
        long pause = refusals == 0 ? 0 : FIRST_PAUSE_NANOS << Math.min(refusals - 1, MOST_DOUBLINGS);
        refusals++;
        nextTryNanos = System.nanoTime() + pause;
    }

    private boolean reopened() {
        long early = nextTryNanos - System.nanoTime();
        if (early > 0) {
            // So that a closed loop does not count what it never sent by the million.
            Attempt.pause(Math.min(early, SHORT_PAUSE_NANOS), stopped);
            return false;
        }
        try {
            db = opener.call();
            return true;
        } catch (Exception e) {
            later();
            return false;
        }
    }

    private void close() {
        try {
            db.cleanup();
        } catch (Exception e) {
            LOG.debug("it could not be closed", e); // it is given up all the same
        }
        db = null;
    }

    /** Cleans up the one that is open now, if one is. */
    @Override
    public void cleanup() throws DBException {
        if (db != null) {
            db.cleanup();
        }
    }
}

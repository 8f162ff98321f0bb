package io.ycsbdrill.workload.tpcc;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Reads rows for a check, when no client is at work: tries again while the database does not answer, and settles what a two-phase commit
 * has left. Owned by one thread.
 */
final class CheckedRows {
    private static final long PATIENCE_NANOS = 60_000_000_000L;
    private static final long PAUSE_NANOS = 100_000_000;

    private final DB db;
    private final TpccSettings settings;
    private final Intents intents;
    private final BooleanSupplier cancelled;
    private long unreadable;
    private String problem = "";

    CheckedRows(DB db, TpccSettings settings, long stepNanos, BooleanSupplier cancelled) {
        this.db = db;
        this.settings = settings;
        this.cancelled = cancelled;
        intents = settings.mode() == Mode.TWO_PHASE ? new Intents(db, settings.table(), stepNanos) : null;
    }

    /** The row; null when there is none, and when it cannot be read, which is counted. */
    Row row(String key) {
        long end = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            if (cancelled.getAsBoolean()) {
                unreadable++;
                problem = "the check was ended early";
                return null;
            }
            try {
                String text = text(key);
                return text.isEmpty() ? null : Row.parse(text);
            } catch (Ended e) {
                problem = key + ": " + e.status().getName();
            }
            if (unreadable > 0 || System.nanoTime() - end > 0) {
                unreadable++;
                return null;
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** How many rows could not be read; after the first one, no time is given to others. */
    long unreadable() {
        return unreadable;
    }

    /** Why; empty when all could be read. */
    String problem() {
        return unreadable == 0 ? "" : problem;
    }

    private String text(String key) throws Ended {
        if (intents != null) {
            return TwoPhaseUnit.settled(intents, key);
        }
        Map<String, ByteIterator> values = new HashMap<>();
        Status status = db.read(settings.table(), key, Values.ROW_ONLY, values);
        if (Status.NOT_FOUND.equals(status)) {
            return "";
        }
        if (status == null || !status.isOk()) {
            throw new Ended(status == null ? Status.ERROR : status);
        }
        return Values.text(values, Values.ROW);
    }
}

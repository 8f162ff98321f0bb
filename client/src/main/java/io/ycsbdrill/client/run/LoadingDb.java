package io.ycsbdrill.client.run;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.MeasuredDb;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.Status;

/**
 * Tries failed inserts of a load again, with a growing pause; every attempt is measured. Owned by one client thread.
 *
 * <p>The workload gets {@link Status#OK} for whatever was tried in full: the ledger knows the truth, and CoreWorkload would
 * only print a line per failure.
 */
final class LoadingDb extends MeasuredDb {
    private static final long FIRST_PAUSE_NANOS = 50_000_000;
    private static final int MOST_DOUBLINGS = 6;

    private final int retries;
    private final BooleanSupplier stopped;
    private String lastKey;
    private Outcome recordOutcome;

    LoadingDb(DB db, ThreadRecorder recorder, int retries, BooleanSupplier stopped) {
        super(db, recorder);
        this.retries = retries;
        this.stopped = stopped;
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        lastKey = key;
        recordOutcome = Outcome.UNKNOWN;
        // The random iterators of a workload are used up by the first attempt.
        Map<String, byte[]> bytes = retries == 0 ? null : bytes(values);
        boolean unknown = false;
        for (int attempt = 0; ; attempt++) {
            super.insert(table, key, bytes == null ? values : iterators(bytes));
            unknown |= lastOutcome() == Outcome.UNKNOWN;
            if (lastOutcome() == Outcome.OK || attempt == retries || !pause(attempt)) {
                recordOutcome = lastOutcome() == Outcome.OK || !unknown ? lastOutcome() : Outcome.UNKNOWN;
                return Status.OK;
            }
        }
    }

    /** What became of the newest record; null when none was tried since {@link #nextRecord}. */
    Outcome recordOutcome() {
        return recordOutcome;
    }

    /** The key of the newest insert; null when there was none since {@link #nextRecord}. */
    String lastKey() {
        return lastKey;
    }

    void nextRecord() {
        lastKey = null;
        recordOutcome = null;
    }

    private boolean pause(int attempt) {
        long until = System.nanoTime() + (FIRST_PAUSE_NANOS << Math.min(attempt, MOST_DOUBLINGS));
        while (!stopped.getAsBoolean()) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            LockSupport.parkNanos(Math.min(left, FIRST_PAUSE_NANOS));
        }
        return false;
    }

    private static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
        Map<String, byte[]> bytes = new HashMap<>();
        values.forEach((field, value) -> bytes.put(field, value.toArray()));
        return bytes;
    }

    private static Map<String, ByteIterator> iterators(Map<String, byte[]> bytes) {
        Map<String, ByteIterator> values = new HashMap<>();
        bytes.forEach((field, value) -> values.put(field, new ByteArrayByteIterator(value)));
        return values;
    }
}

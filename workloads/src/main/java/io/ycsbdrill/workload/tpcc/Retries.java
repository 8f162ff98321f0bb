package io.ycsbdrill.workload.tpcc;

import io.ycsbdrill.binding.Statuses;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import site.ycsb.Status;

/**
 * How an aborted transaction is tried again. Immutable.
 *
 * @param most attempts after the first
 * @param pause before the second attempt, half of it fixed and half random; twice as long before each one after it, up to 50 times
 */
record Retries(int most, Duration pause) {
    private static final int LONGEST = 50;
    private static final List<Status> LOST = List.of(Statuses.DEADLOCK, Statuses.LOCK_TIMEOUT, Statuses.CONFLICT);

    /** Whether the attempt had no effect and another one may succeed. */
    static boolean mayHelp(Status status, boolean ofOneRow) {
        if (status == null) {
            return false;
        }
        if (ofOneRow && status.equals(Statuses.CONFLICT)) {
            return false; // It says that the row has changed, which stays so.
        }
        if (!ofOneRow && status.equals(Statuses.DUPLICATE_KEY)) {
            return true; // An order's number was read before another order took it: a conflict that shows early.
        }
        return LOST.contains(status) || status.equals(Statuses.TEMPORARY) || status.equals(Statuses.UNAVAILABLE);
    }

    /** Waits before an attempt, the first repeated one being number 0; false when the run ends meanwhile. */
    boolean await(int repeated, BooleanSupplier stopped, SplittableRandom random) {
        long full = Math.min(pause.toNanos() << Math.min(repeated, 10), pause.toNanos() * LONGEST);
        long until = System.nanoTime() + full / 2 + (full > 1 ? random.nextLong(full / 2 + 1) : 0);
        while (!stopped.getAsBoolean()) {
            long left = until - System.nanoTime();
            if (left <= 0) {
                return true;
            }
            LockSupport.parkNanos(Math.min(left, 20_000_000));
        }
        return false;
    }
}

package io.ycsbdrill.client.audit.ledger;

import java.util.function.LongSupplier;

/**
 * A writer's writes that the ledger does not know of yet, in flight or ended and not passed on: since when, and in which stripes.
 * Written under the writer's lock, read by any thread.
 */
final class PendingWrites {
    private static final long NONE = Long.MAX_VALUE;

    private final LongSupplier nanoClock;
    private final Runnable flush;
    private volatile int stripes;
    private volatile long sinceNanos = NONE;
    /** Not later than any write that begins from now on. */
    private long latestNanos = Long.MIN_VALUE;

    /** @param flush makes the writer pass on what has ended */
    PendingWrites(LongSupplier nanoClock, Runnable flush) {
        this.nanoClock = nanoClock;
        this.flush = flush;
    }

    /**
     * A write begins.
     *
     * @param stripe of its key, 0 to 31
     * @return its start, which is now
     */
    long begin(int stripe) {
        // Before the clock is read: who asks in between gets a time that is too early rather than too late.
        int bit = 1 << stripe;
        if ((stripes & bit) == 0) {
            stripes |= bit;
        }
        boolean first = sinceNanos == NONE;
        if (first) {
            sinceNanos = latestNanos;
        }
        latestNanos = nanoClock.getAsLong();
        if (first) {
            sinceNanos = latestNanos;
        }
        return latestNanos;
    }

    /** The ledger knows of every write that has begun, and none is in flight. */
    void clear() {
        keep(NONE, 0);
    }

    /**
     * The ledger knows of every write that has begun but those in flight.
     *
     * @param stripes a bit for each that these are in
     */
    void keep(long sinceNanos, int stripes) {
        this.sinceNanos = sinceNanos;
        this.stripes = stripes;
    }

    /** {@link Long#MAX_VALUE} when the ledger knows of all that have begun. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** No write of this stripe that the ledger learns of from now on began before this; {@link Long#MAX_VALUE} when it knows of all. */
    long sinceNanos(int stripe) {
        return (stripes & 1 << stripe) == 0 ? NONE : sinceNanos;
    }

    void flush() {
        flush.run();
    }
}

package io.ycsbdrill.client.audit.ledger;

import java.util.function.LongSupplier;

/**
 * Since when a writer has had writes that the ledger was not told of, and in which of its stripes: in flight, or ended and not yet passed on.
 * Written under the writer's lock, read by any thread.
 */
final class PendingWrites {
    private static final long NONE = Long.MAX_VALUE;

    private final LongSupplier nanoClock;
    private final Runnable tell;
    private volatile int stripes;
    private volatile long sinceNanos = NONE;
    /** Not later than any write that begins from now on. */
    private long latestNanos = Long.MIN_VALUE;

    /** @param tell makes the writer pass on what has ended */
    PendingWrites(LongSupplier nanoClock, Runnable tell) {
        this.nanoClock = nanoClock;
        this.tell = tell;
    }

    /**
     * A write begins.
     *
     * @param stripe of its key, 0 to 31
     * @return its start, which is now
     */
    long begin(int stripe) {
        // Before the clock is read: who asks in between is told too early a time rather than one that is too late.
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
    void told() {
        toldBut(NONE, 0);
    }

    /**
     * The ledger knows of every write that has begun but those in flight.
     *
     * @param stripes a bit for each that these are in
     */
    void toldBut(long sinceNanos, int stripes) {
        this.sinceNanos = sinceNanos;
        this.stripes = stripes;
    }

    /** {@link Long#MAX_VALUE} when the ledger knows of all that have begun. */
    long sinceNanos() {
        return sinceNanos;
    }

    /** No write of this stripe that the ledger is told of from now on began before this; {@link Long#MAX_VALUE} when it knows of all. */
    long sinceNanos(int stripe) {
        return (stripes & 1 << stripe) == 0 ? NONE : sinceNanos;
    }

    void tell() {
        tell.run();
    }
}

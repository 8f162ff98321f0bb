package io.ycsbdrill.client.audit;

import java.util.function.LongSupplier;

/**
 * Since when a writer has had writes that the ledger was not told of: in flight, or ended and not yet passed on. Written by one thread at a
 * time, read by any.
 */
final class Untold {
    private static final long NONE = Long.MAX_VALUE;

    private final LongSupplier nanoClock;
    private volatile long sinceNanos = NONE;
    /** Not later than any write that begins from now on. */
    private long latestNanos = Long.MIN_VALUE;

    Untold(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** @return the start of a write that begins now */
    long begin() {
        boolean first = sinceNanos == NONE;
        if (first) {
            // Before the clock is read: who asks in between is told too early a time rather than one that is too late.
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
        sinceNanos = NONE;
    }

    /** No write that the ledger is told of from now on began before this; {@link Long#MAX_VALUE} when it knows of all that have begun. */
    long sinceNanos() {
        return sinceNanos;
    }
}

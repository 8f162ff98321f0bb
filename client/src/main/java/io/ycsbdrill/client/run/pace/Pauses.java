package io.ycsbdrill.client.run.pace;

import java.util.concurrent.locks.LockSupport;

/** How client threads really wait. */
public final class Pauses {
    /** A park wakes up this much late on an ordinary Linux (timer slack is 50 µs), so the rest is spun. */
    private static final long SPIN_NANOS = 70_000;

    private static final long LONGEST_PARK_NANOS = 100_000_000;

    /** Parks, then spins for the last microseconds. Wakes up at least every 100 ms, so that a stop is noticed. */
    public static final Pacer.Pause PRECISE = nanos -> {
        if (nanos > SPIN_NANOS) {
            LockSupport.parkNanos(Math.min(nanos - SPIN_NANOS, LONGEST_PARK_NANOS));
        } else {
            Thread.onSpinWait();
        }
    };

    private Pauses() {}
}

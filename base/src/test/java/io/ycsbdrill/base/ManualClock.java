package io.ycsbdrill.base;

import java.time.Duration;

/** A clock that moves only when told to. Thread-safe. */
public final class ManualClock implements NanoClock {
    private volatile long now;

    public ManualClock(long startNanos) {
        now = startNanos;
    }

    @Override
    public long nanoTime() {
        return now;
    }

    /** Moves forward. */
    public synchronized void advance(Duration by) {
        now += by.toNanos();
    }
}

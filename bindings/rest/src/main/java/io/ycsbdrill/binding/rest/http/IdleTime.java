package io.ycsbdrill.binding.rest.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The time for which a thread's own connection was not used. Owned by that thread; times are of {@link System#nanoTime()}. */
final class IdleTime {
    /** Time without a request after which it is checked whether the server has closed the connection. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final long mostNanos;
    private long lastNanos = System.nanoTime();

    IdleTime(Duration most) {
        this.mostNanos = most.toNanos();
    }

    /** Notes that something was sent or received. */
    void used(long nowNanos) {
        lastNanos = nowNanos;
    }

    boolean isTooLong(long nowNanos) {
        return nowNanos - lastNanos > mostNanos;
    }

    boolean isWorthALook(long nowNanos) {
        return nowNanos - lastNanos > LOOK_NANOS;
    }
}

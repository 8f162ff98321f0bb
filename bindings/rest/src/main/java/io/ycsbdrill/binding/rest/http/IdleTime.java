package io.ycsbdrill.binding.rest.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The time for which a thread's own connection was not used. Owned by that thread; times are of {@link System#nanoTime()}. */
final class IdleTime {
    /** After so long without a request it is worth a look whether the server has closed the connection. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final long mostNanos;
    private long lastNanos = System.nanoTime();

    IdleTime(Duration most) {
        this.mostNanos = most.toNanos();
    }

    /** Something was sent or came. */
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

package io.ycsbdrill.client.run;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** Gives up calls that take longer than {@code op.timeout}: a thread of its own, {@code op-deadline}, looks for them. */
final class Deadlines {
    /** How late a deadline is noticed at most: a hundredth of it, within these. */
    private static final long SHORTEST_LOOK_NANOS = 1_000_000;

    private static final long LONGEST_LOOK_NANOS = 20_000_000;

    private final long timeoutNanos;
    private final LongConsumer abandon;
    private final Thread thread = new Thread(this::watch, "op-deadline");
    private volatile boolean over;

    /** @param abandon gives up all calls that began no later than this {@link System#nanoTime} */
    Deadlines(Duration timeout, LongConsumer abandon) {
        timeoutNanos = timeout.toNanos();
        this.abandon = abandon;
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** After it nothing is given up any more. */
    void end() throws InterruptedException {
        over = true;
        thread.join();
    }

    private void watch() {
        long look = Math.max(SHORTEST_LOOK_NANOS, Math.min(LONGEST_LOOK_NANOS, timeoutNanos / 100));
        while (!over) {
            abandon.accept(System.nanoTime() - timeoutNanos);
            LockSupport.parkNanos(look);
        }
    }
}

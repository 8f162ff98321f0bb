package io.ycsbdrill.client.run.call;

import io.ycsbdrill.base.Daemon;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Gives up calls that take longer than {@code op.timeout}: a thread of its own, {@code op-deadline}, looks for them. */
public final class CallDeadlines {
    /** How late a deadline is noticed at most: a hundredth of it, within these. */
    private static final long SHORTEST_LOOK_NANOS = 1_000_000;

    private static final long LONGEST_LOOK_NANOS = 20_000_000;

    private final long timeoutNanos;
    private final LongConsumer abandon;
    private final Consumer<Throwable> failed;
    private final Thread thread = Daemon.thread(this::watch, "op-deadline");
    private volatile boolean over;

    /**
     * @param abandon gives up all calls that began no later than this {@link System#nanoTime}
     * @param failed notified of what it throws; calls have no deadline from then on
     */
    public CallDeadlines(Duration timeout, LongConsumer abandon, Consumer<Throwable> failed) {
        timeoutNanos = timeout.toNanos();
        this.abandon = abandon;
        this.failed = failed;
    }

    public void start() {
        thread.start();
    }

    /** After it nothing is given up any more. */
    public void end() throws InterruptedException {
        stop();
        thread.join();
    }

    /** The same, without waiting for it. */
    public void stop() {
        over = true;
    }

    private void watch() {
        long look = Math.max(SHORTEST_LOOK_NANOS, Math.min(LONGEST_LOOK_NANOS, timeoutNanos / 100));
        try {
            while (!over) {
                abandon.accept(System.nanoTime() - timeoutNanos);
                LockSupport.parkNanos(look);
            }
        } catch (RuntimeException | Error e) { // such as no memory for one more thread
            failed.accept(e);
        }
    }
}

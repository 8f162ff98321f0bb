package io.ycsbdrill.client.group;

import io.ycsbdrill.base.Daemon;
import java.time.Duration;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** A thread that does one task after the other, in the order in which they come. Thread-safe. */
final class TaskThread {
    private final ThreadPoolExecutor thread;

    /**
     * @param name of the thread, which begins with the first task
     * @param most tasks that wait; further ones are left out
     */
    TaskThread(String name, int most) {
        thread = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(most),
                task -> Daemon.thread(task, name),
                new ThreadPoolExecutor.DiscardPolicy());
    }

    /** Never waits; of no effect after {@link #finish}. */
    void execute(Runnable task) {
        thread.execute(task);
    }

    /** Returns when what has come is done; what is not by then, or when the calling thread is interrupted, is left out. */
    void finish(Duration bound) {
        thread.shutdown();
        try {
            if (!thread.awaitTermination(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                thread.shutdownNow();
            }
        } catch (InterruptedException e) {
            thread.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}

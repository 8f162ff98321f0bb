package io.ycsbdrill.binding.rest.http;

import io.ycsbdrill.binding.rest.http.LinkFailure.Kind;
import java.util.concurrent.locks.LockSupport;

/** A reply that a thread waits for, delivered by that thread or another one. Made by the thread that waits. */
class Waiting {
    private final Thread thread = Thread.currentThread();
    private final long startNanos = System.nanoTime();
    private volatile Reply reply;
    private volatile LinkFailure failure;

    /** When this was created, on the scale of {@link System#nanoTime()}. */
    final long startNanos() {
        return startNanos;
    }

    final boolean isDone() {
        return reply != null || failure != null;
    }

    final void answer(Reply received) {
        reply = received;
        LockSupport.unpark(thread);
    }

    final void fail(Kind kind, String reason, boolean linkGoesOn) {
        failure = new LinkFailure(kind, reason, linkGoesOn);
        LockSupport.unpark(thread);
    }

    /**
     * Waits for a reply or a failure.
     *
     * @param end on the scale of {@link System#nanoTime()}
     * @return false when the time is over, or the thread is interrupted
     */
    final boolean await(long end) {
        while (!isDone()) {
            long left = end - System.nanoTime();
            if (left <= 0 || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(this, left);
        }
        return true;
    }

    /** What came; {@link #isDone} must be true. */
    final Reply result() throws LinkFailure {
        if (failure != null) {
            throw failure;
        }
        return reply;
    }
}

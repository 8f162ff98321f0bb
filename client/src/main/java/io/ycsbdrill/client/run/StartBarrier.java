package io.ycsbdrill.client.run;

import io.ycsbdrill.base.Formatted;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Consumer;

/**
 * Waits for a time of the wall clock, so that several clients begin together. The clock is looked at again and again, so that
 * one that is set meanwhile does not matter.
 *
 * @param agreed whether the clients agreed on the start when all were ready; else it was asked for
 */
record StartBarrier(Instant start, boolean agreed, InstantSource wall) {
    /** A wait may end this much late, so the rest is spun. */
    static final long SPIN_NANOS = 2_000_000;

    static final long LONGEST_WAIT_NANOS = 500_000_000;

    /** Lets some time pass; may return early. */
    interface Pause {
        /**
         * @param nanos how long at most; 0 = as short as can be
         * @return false when the wait is to end
         */
        boolean pause(long nanos) throws InterruptedException;
    }

    /**
     * Waits, as long as the run is not stopped. When the time has passed already the run is aborted.
     *
     * @param waiting notified of how long it will take, before the wait
     * @return whether the run may start now
     */
    boolean await(RunState run, Consumer<Duration> waiting) throws InterruptedException {
        Duration left = left();
        if (left.isNegative()) {
            run.abort(Formatted.of(
                    "the start at %s passed %.3f s before %s",
                    start,
                    left.negated().toNanos() / 1e9,
                    agreed
                            ? "this client heard of it; give fewer clients, or machines that are less busy"
                            : "all threads were ready; give a later --start-at"));
            return false;
        }
        waiting.accept(left);
        return await(nanos -> {
            if (nanos == 0) {
                Thread.onSpinWait();
            } else {
                run.await(run::isStopped, nanos);
            }
            return !run.isStopped();
        });
    }

    boolean await(Pause pause) throws InterruptedException {
        for (Duration left = left(); left.compareTo(Duration.ZERO) > 0; left = left()) {
            long nanos = Math.min(left.toNanos() - SPIN_NANOS, LONGEST_WAIT_NANOS);
            if (!pause.pause(Math.max(0, nanos))) {
                return false;
            }
        }
        return true;
    }

    private Duration left() {
        return Duration.between(wall.instant(), start);
    }
}

package io.ycsbdrill.client.audit;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Options of a read-back.
 *
 * @param pauseMillis between two passes
 * @param timeoutMillis without any answer, after which the read-back gives up
 * @param cancelled whether to give up at once
 * @param progress notified about once every five seconds
 */
record ReadOptions(
        int threads, long pauseMillis, long timeoutMillis, BooleanSupplier cancelled, Consumer<String> progress) {
    private static final int CONFIRMATIONS = 3;
    private static final int MOST_THREADS_FOR_EACH_NODE = 4;
    private static final long NODE_TIMEOUT_MILLIS = 60_000;
    private static final long CONVERGENCE_PAUSE_MILLIS = 5;
    private static final long CONVERGENCE_TIMEOUT_MILLIS = 5_000;

    /** The same for reads of each node: with a shorter timeout, as a node that is down then may stay down. */
    ReadOptions ofNodes() {
        return new ReadOptions(
                Math.min(threads, MOST_THREADS_FOR_EACH_NODE),
                pauseMillis,
                Math.min(timeoutMillis, NODE_TIMEOUT_MILLIS),
                cancelled,
                progress);
    }

    /** The same for a look at how soon copies become equal: at once again and again, and not for long where no answer comes. */
    ReadOptions ofConvergence() {
        return new ReadOptions(
                Math.min(threads, MOST_THREADS_FOR_EACH_NODE),
                Math.min(pauseMillis, CONVERGENCE_PAUSE_MILLIS),
                Math.min(timeoutMillis, CONVERGENCE_TIMEOUT_MILLIS),
                cancelled,
                line -> {});
    }

    /** Passes in which something must be seen before it is believed. */
    int confirmations(long settleMillis) {
        long passes = pauseMillis == 0 ? 0 : settleMillis / pauseMillis;
        return (int) Math.min(10_000, CONFIRMATIONS + passes);
    }
}

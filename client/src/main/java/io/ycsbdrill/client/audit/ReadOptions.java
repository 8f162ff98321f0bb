package io.ycsbdrill.client.audit;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * How to go about reading.
 *
 * @param pauseMillis between two passes
 * @param patienceMillis without any answer, after which it is given up
 * @param cancelled whether to give up at once
 * @param progress told about once in five seconds
 */
record ReadOptions(
        int threads, long pauseMillis, long patienceMillis, BooleanSupplier cancelled, Consumer<String> progress) {
    private static final int CONFIRMATIONS = 3;
    private static final int MOST_THREADS_FOR_EACH_NODE = 4;
    private static final long PATIENCE_WITH_NODES_MILLIS = 60_000;

    /** The same for reads of each node: with less patience, as what is down then may stay so. */
    ReadOptions ofNodes() {
        return new ReadOptions(
                Math.min(threads, MOST_THREADS_FOR_EACH_NODE),
                pauseMillis,
                Math.min(patienceMillis, PATIENCE_WITH_NODES_MILLIS),
                cancelled,
                progress);
    }

    /** Passes in which something must be seen before it is believed. */
    int confirmations(long settleMillis) {
        long passes = pauseMillis == 0 ? 0 : settleMillis / pauseMillis;
        return (int) Math.min(10_000, CONFIRMATIONS + passes);
    }
}

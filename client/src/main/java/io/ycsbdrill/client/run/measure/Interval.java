package io.ycsbdrill.client.run.measure;

import java.util.Arrays;

/** What one thread did in one interval. Written by that thread, then read, reset and given back by the collector. */
final class Interval {
    /** Number of the interval since run start; set by the writer before it publishes the object. */
    long index;
    /** Collector only: its numbers have been taken, although the writer has not handed it over yet. */
    boolean taken;

    final long[] skipped;
    long transactions;
    private final int slices;
    private OperationData[] operations = new OperationData[5];

    Interval(int slices) {
        this.slices = slices;
        skipped = new long[slices];
    }

    /** For the writer: made on first use. */
    OperationData operation(int id) {
        if (id < operations.length) {
            OperationData known = operations[id];
            if (known != null) {
                return known;
            }
        } else {
            operations = Arrays.copyOf(operations, id + 1);
        }
        return operations[id] = new OperationData(slices);
    }

    /** For the collector, by operation number; null where the thread never did that operation. */
    OperationData[] operations() {
        return operations;
    }

    void reset() {
        taken = false;
        transactions = 0;
        Arrays.fill(skipped, 0);
        for (OperationData data : operations) {
            if (data != null) {
                data.reset();
            }
        }
    }
}

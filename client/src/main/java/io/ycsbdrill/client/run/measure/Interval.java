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
    private SliceCounts[] owners = {};

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

    /** For the writer: what was done with the keys of an owner; made on first use. */
    SliceCounts owner(int number) {
        if (number >= owners.length) {
            owners = Arrays.copyOf(owners, number + 1);
        }
        if (owners[number] == null) {
            owners[number] = new SliceCounts(slices);
        }
        return owners[number];
    }

    /** For the collector, by number of the owner; null where the thread never used one of its keys. */
    SliceCounts[] owners() {
        return owners;
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
        for (SliceCounts owner : owners) {
            if (owner != null) {
                owner.reset();
            }
        }
    }
}

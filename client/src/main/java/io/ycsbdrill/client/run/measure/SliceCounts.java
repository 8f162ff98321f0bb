package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.binding.Outcome;
import java.util.Arrays;

/** Completions of one thread in the slices of one interval. Written by that thread, then read and reset by the collector. */
final class SliceCounts {
    /** Completions by outcome and slice. */
    final long[][] completed;
    /** Longest service time by slice, whatever the outcome; -1 where nothing completed. */
    final long[] maxServiceNanos;

    SliceCounts(int slices) {
        completed = new long[Outcome.values().length][slices];
        maxServiceNanos = new long[slices];
        Arrays.fill(maxServiceNanos, -1);
    }

    void record(int slice, Outcome outcome, long serviceNanos) {
        completed[outcome.ordinal()][slice]++;
        if (serviceNanos > maxServiceNanos[slice]) {
            maxServiceNanos[slice] = serviceNanos;
        }
    }

    boolean isEmpty() {
        for (long max : maxServiceNanos) {
            if (max >= 0) {
                return false;
            }
        }
        return true;
    }

    void reset() {
        for (long[] counts : completed) {
            Arrays.fill(counts, 0);
        }
        Arrays.fill(maxServiceNanos, -1);
    }
}

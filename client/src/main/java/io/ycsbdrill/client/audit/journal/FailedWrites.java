package io.ycsbdrill.client.audit.journal;

import java.util.Arrays;

/** Sequence numbers of one writer's failed writes, as ranges. Filled in ascending order. Not thread-safe. */
final class FailedWrites {
    /** First and last of each range. */
    private long[] ends = new long[4];

    private int used;

    void add(long sequence) {
        if (used > 0 && ends[used - 1] == sequence - 1) {
            ends[used - 1] = sequence;
            return;
        }
        if (used == ends.length) {
            ends = Arrays.copyOf(ends, used * 2);
        }
        ends[used++] = sequence;
        ends[used++] = sequence;
    }

    boolean contains(long sequence) {
        int at = Arrays.binarySearch(ends, 0, used, sequence);
        // Between the two ends of a range the insertion point is odd.
        return at >= 0 || (-at - 1) % 2 == 1;
    }
}

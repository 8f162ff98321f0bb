package io.ycsbdrill.client.audit;

import java.util.Arrays;
import java.util.function.LongSupplier;

/** When the writes that have begun and not ended yet have begun. Guarded by its stripe, under whose lock the clock is read, too. */
final class OpenWrites {
    private final LongSupplier nanoClock;
    private final Memory memory;
    /** Ascending between from and to. */
    private long[] starts = new long[4];

    private int from;
    private int to;
    private long latestNanos = Long.MIN_VALUE;

    OpenWrites(LongSupplier nanoClock, Memory memory) {
        this.nanoClock = nanoClock;
        this.memory = memory;
        memory.force(8L * starts.length);
    }

    /** @return the start of a write that begins now */
    long begin() {
        long start = now();
        if (to == starts.length) {
            makeRoom();
        }
        starts[to++] = start;
        return start;
    }

    private void makeRoom() {
        long[] into = starts;
        if (to - from > starts.length / 2) {
            into = new long[2 * starts.length];
            memory.force(8L * starts.length);
        }
        System.arraycopy(starts, from, into, 0, to - from);
        starts = into;
        to -= from;
        from = 0;
    }

    /** @param start of a write that has ended, as {@link #begin} gave it */
    void end(long start) {
        int at = Arrays.binarySearch(starts, from, to, start);
        if (at >= 0) {
            System.arraycopy(starts, from, starts, from + 1, at - from);
            from++;
        }
    }

    /** No write that is told from now on began before this. */
    long horizon() {
        return from < to ? starts[from] : now();
    }

    /** Never goes back, whatever the clock does. */
    private long now() {
        latestNanos = Math.max(latestNanos, nanoClock.getAsLong());
        return latestNanos;
    }
}

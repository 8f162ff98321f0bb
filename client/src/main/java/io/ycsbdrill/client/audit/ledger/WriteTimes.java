package io.ycsbdrill.client.audit.ledger;

import java.util.Arrays;

/**
 * When the writes of one writer were, for reports only: of some writes, evenly over the time, when they began. Takes at most 12 kB. What
 * it says of a write are bounds, together wider than the write by at most some 1/40 of the time since the first. Thread-safe.
 */
final class WriteTimes {
    private static final int MOST = 512;
    private static final long FIRST_TICK_NANOS = 1_000_000;
    /** Of a sample: a write's sequence and start, and the end of the write before. All three ascend. */
    private static final int LONGS = 3;

    private final MemoryBudget memory;
    private long[] samples = new long[LONGS * 16];
    private int used;
    private long tickNanos = FIRST_TICK_NANOS;
    private long lastEndNanos = Long.MAX_VALUE;

    WriteTimes(MemoryBudget memory) {
        this.memory = memory;
        memory.force(8L * samples.length);
    }

    /**
     * A write begins, and all before it have ended.
     *
     * @param lastEndNanos when the last of them has
     * @return the time from which on it is to be called again
     */
    synchronized long began(long sequence, long startNanos, long lastEndNanos) {
        if (used == MOST) {
            thin();
        }
        if (LONGS * used == samples.length) {
            memory.force(8L * samples.length);
            samples = Arrays.copyOf(samples, 2 * samples.length);
        }
        samples[LONGS * used] = sequence;
        samples[LONGS * used + 1] = startNanos;
        samples[LONGS * used + 2] = lastEndNanos;
        used++;
        return startNanos + tickNanos;
    }

    private void thin() {
        while (used > MOST * 3 / 4) {
            tickNanos *= 2;
            int kept = 1;
            for (int i = 1; i < used; i++) {
                if (start(i) - start(kept - 1) >= tickNanos) {
                    System.arraycopy(samples, LONGS * i, samples, LONGS * kept, LONGS);
                    kept++;
                }
            }
            used = kept;
        }
    }

    /** Nothing begins any more. */
    synchronized void close(long endNanos) {
        lastEndNanos = endNanos;
    }

    /** Not later than the write began. */
    synchronized long notBefore(long sequence) {
        return start(Math.max(0, after(sequence) - 1));
    }

    /** Not earlier than the write ended. */
    synchronized long notAfter(long sequence) {
        int after = after(sequence);
        return after < used ? samples[LONGS * after + 2] : lastEndNanos;
    }

    private long start(int sample) {
        return samples[LONGS * sample + 1];
    }

    /** The first sample of a later write. */
    private int after(long sequence) {
        int low = 0;
        int high = used;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (samples[LONGS * middle] <= sequence) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}

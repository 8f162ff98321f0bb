package io.ycsbdrill.client.run.file;

import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.rundir.TableWriter;
import java.io.IOException;
import java.util.BitSet;

/**
 * Writes {@code threads.csv}: the stretches in which a client thread completed no call successfully. In a closed loop the others may hide that one of
 * them is stuck. Owned by one thread at a time.
 */
public final class ThreadGaps implements AutoCloseable {
    /** What is shorter is left out. */
    private static final long LEAST_NANOS = 1_000_000_000L;

    private final long sliceNanos;
    private final TableWriter file;
    /** By thread, the end of the slice of its last success. */
    private final long[] last;

    public ThreadGaps(int threads, long sliceNanos, TableWriter file) {
        this.sliceNanos = sliceNanos;
        this.file = file;
        last = new long[threads];
    }

    public void add(IntervalTotals interval) throws IOException {
        for (int thread = 0; thread < last.length; thread++) {
            BitSet served = interval.served(thread);
            for (int slice = served.nextSetBit(0); slice >= 0; slice = served.nextSetBit(slice + 1)) {
                long start = interval.startNanos() + slice * sliceNanos;
                if (start - last[thread] >= LEAST_NANOS) {
                    row(thread, Format.seconds(start));
                }
                last[thread] = start + sliceNanos;
            }
        }
        file.flush();
    }

    /** Those that have not ended. */
    public void finish(long endNanos) throws IOException {
        for (int thread = 0; thread < last.length; thread++) {
            if (endNanos - last[thread] >= LEAST_NANOS) {
                row(thread, "");
            }
        }
        file.flush();
    }

    private void row(int thread, String until) throws IOException {
        file.row(thread, Format.seconds(last[thread]), until);
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.base.RunClock;
import java.time.Duration;

/**
 * How a run's time is cut.
 *
 * @param clock of the run
 * @param intervalNanos length of a recording interval: the greatest common divisor of the window and one second
 * @param sliceNanos length of a slice; divides the interval
 */
public record Timeline(RunClock clock, long intervalNanos, long sliceNanos) {
    /** Length of every slice. */
    public static final long SLICE_NANOS = 100_000_000L;

    private static final long SECOND = 1_000_000_000L;

    public Timeline {
        if (sliceNanos <= 0 || intervalNanos % sliceNanos != 0) {
            throw new IllegalArgumentException(
                    "interval " + intervalNanos + " ns is not a multiple of the slice, " + sliceNanos + " ns");
        }
    }

    /** For windows of this length, a multiple of 100 ms. */
    public static Timeline of(RunClock clock, Duration window) {
        return new Timeline(clock, intervalNanos(window), SLICE_NANOS);
    }

    /** Length of a recording interval with windows of this length: the greatest common divisor of the window and one second. */
    public static long intervalNanos(Duration window) {
        long a = window.toNanos();
        long b = SECOND;
        while (b != 0) {
            long rest = a % b;
            a = b;
            b = rest;
        }
        return a;
    }

    int slicesPerInterval() {
        return (int) (intervalNanos / sliceNanos);
    }
}

package io.ycsbdrill.report.data;

import java.util.Map;

/**
 * The 100 ms slices of a run, by operation and {@code TOTAL}, as columns.
 *
 * @param seconds length of a slice
 * @param count how many there are; the last one may be shorter
 * @param whole how many of them have their full length and lie before the stop of the load
 * @param byOperation columns of {@code count} values each
 * @param intact false when lines are missing or damaged: nothing may be measured on such slices
 */
public record Slices(double seconds, int count, int whole, Map<String, Columns> byOperation, boolean intact) {
    public static final String TOTAL = "TOTAL";

    /** Values by slice number; {@link Double#NaN} where a line is missing, and for {@code maxMicros} where nothing completed. */
    public record Columns(double[] ok, double[] failed, double[] unknown, double[] maxMicros) {}

    public Columns total() {
        return byOperation.get(TOTAL);
    }

    public boolean present() {
        return count > 0;
    }

    /** Number of the slice that a time falls into. */
    public int at(double timeSeconds) {
        return (int) Math.floor(timeSeconds / seconds + 1e-9);
    }

    /** Slices in one second, at least 1. */
    public int perSecond() {
        return Math.max(1, (int) Math.round(1 / seconds));
    }
}

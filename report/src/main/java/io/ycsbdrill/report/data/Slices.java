package io.ycsbdrill.report.data;

import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.SliceRow;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

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
    public static final String TOTAL = RunFile.TOTAL;

    /** Those of a run of which none were read. */
    static final Slices NONE = new Slices(0.1, 0, 0, Map.of(), false);

    /** Values by slice number; {@link Double#NaN} where a line is missing, and for {@code maxMicros} where nothing completed. */
    public record Columns(double[] ok, double[] failed, double[] unknown, double[] maxMicros) {
        /**
         * The columns of one operation. A slice without a row is one before the operation was first seen, which means zero.
         *
         * @param from the slice that the columns begin with; those after their end are left out
         * @param missingFrom from this place on a slice without a row is missing
         */
        public static Columns of(List<SliceRow> rows, int from, int count, int missingFrom) {
            double[] ok = new double[count];
            double[] failed = new double[count];
            double[] unknown = new double[count];
            double[] max = new double[count];
            Arrays.fill(max, Double.NaN);
            List.of(ok, failed, unknown).forEach(column -> Arrays.fill(column, missingFrom, count, Double.NaN));
            for (SliceRow row : rows) {
                int i = row.slice() - from;
                if (i < count) {
                    ok[i] = row.ok();
                    failed[i] = row.failed();
                    unknown[i] = row.unknown();
                    max[i] = row.maxMicros();
                }
            }
            return new Columns(ok, failed, unknown, max);
        }
    }

    public Columns total() {
        return byOperation.get(TOTAL);
    }

    public boolean present() {
        return count > 0;
    }

    /**
     * The slices with the lowest and the highest value of each group of slices, in order of time: what is left when there are
     * more than a chart can show. The last slice is left out when it is shorter: drawn as a rate it would be a false dip.
     *
     * @param values one for each slice
     * @param group so many slices share two points; with 1 every slice is kept
     */
    public int[] extremes(double[] values, int group) {
        IntStream.Builder kept = IntStream.builder();
        for (int from = 0; from < whole; from += group) {
            int low = from;
            int high = from;
            for (int i = from; i < Math.min(whole, from + group); i++) {
                low = values[i] < values[low] ? i : low;
                high = values[i] > values[high] ? i : high;
            }
            kept.add(Math.min(low, high));
            if (low != high) {
                kept.add(Math.max(low, high));
            }
        }
        return kept.build().toArray();
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

package io.ycsbdrill.client.merge;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.SliceRow;
import io.ycsbdrill.rundir.TableReader;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * A file of slices of one client, read line by line: once to check it, once to add it to the sums.
 *
 * @param table {@code slices.csv}, or another of its form
 * @param column what its slices are of: {@code operation}
 */
record ClientSlices(ClientLines lines, RunTable table, String column) {

    /**
     * Checks that no slice is missing.
     *
     * @return how many there are
     * @throws io.ycsbdrill.rundir.RunFormatException when one is missing or a line is damaged
     */
    int check() throws IOException {
        try (TableReader rows = lines.open(table)) {
            if (rows.columns().isEmpty()) {
                throw new MergeException(rows.file() + ": damaged: the file is empty; even its header is missing");
            }
        }
        Map<String, Integer> last = new HashMap<>();
        lines.rows(table, row -> {
            String operation = row.text(column);
            int slice = SliceRow.of(row).slice();
            Integer before = last.put(operation, slice);
            int expected = before != null ? before + 1 : operation.equals(RunFile.TOTAL) ? 0 : slice;
            if (slice != expected) {
                throw new IllegalArgumentException(
                        "slice " + expected + " of " + operation + " is missing or duplicated");
            }
        });
        int total = last.getOrDefault(RunFile.TOTAL, -1);
        last.forEach((operation, slice) -> {
            // The total is written last: of a client that was killed, the last slice may lack it.
            if (slice < total) {
                throw new MergeException(lines.directory() + ": damaged: " + table.file() + ": slice " + (slice + 1)
                        + " of " + operation
                        + " is missing; nothing is merged from a damaged run directory: copy it again or leave it out");
            }
        });
        last.forEach((operation, slice) -> {
            if (slice > total + 1) {
                throw new MergeException(lines.directory() + ": damaged: " + table.file() + ": " + operation
                        + " has slice " + slice + ", but the last one of " + RunFile.TOTAL + " is " + total
                        + "; copy it again or leave it out");
            }
        });
        return 1 + last.values().stream().mapToInt(slice -> slice).max().orElse(-1);
    }

    /**
     * Adds them; not what a client that still runs has written after the check, for which the sums have no room.
     *
     * @param sums of an operation, each of the same length
     * @param shift how many slices later they are in the sums
     */
    void addTo(Function<String, IntervalTotals.Slices> sums, int shift) throws IOException {
        lines.rows(table, row -> {
            String operation = row.text(column);
            if (operation.equals(RunFile.TOTAL)) {
                return;
            }
            IntervalTotals.Slices sum = sums.apply(operation);
            SliceRow slice = SliceRow.of(row);
            int at = slice.slice() + shift;
            if (at < sum.maxServiceNanos().length) {
                sum.completed()[Outcome.OK.ordinal()][at] += slice.ok();
                sum.completed()[Outcome.FAILED.ordinal()][at] += slice.failed();
                sum.completed()[Outcome.UNKNOWN.ordinal()][at] += slice.unknown();
                long longest = Double.isNaN(slice.maxMicros()) ? -1 : Math.round(slice.maxMicros() * 1000);
                sum.maxServiceNanos()[at] = Math.max(sum.maxServiceNanos()[at], longest);
            }
        });
    }
}

package io.ycsbdrill.client.group;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.rundir.HistogramLine;
import io.ycsbdrill.rundir.Json;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A recording interval of one client as a line of text, without what only its own run directory is made of. */
final class IntervalText {
    private IntervalText() {}

    /** The line; {@code skipped} is left out where nothing was. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    private record Line(Long index, long start, long end, long[] skipped, Map<String, Operation> operations) {}

    /** One operation; the arrays have a number for each slice. */
    private record Operation(
            boolean call, long[] ok, long[] failed, long[] unknown, long[] max, List<HistogramLine> times) {

        static Operation of(boolean call, IntervalTotals.Slices slices, List<HistogramLine> times) {
            long[][] counts = slices.completed();
            return new Operation(
                    call,
                    counts[Outcome.OK.ordinal()],
                    counts[Outcome.FAILED.ordinal()],
                    counts[Outcome.UNKNOWN.ordinal()],
                    slices.maxServiceNanos(),
                    times);
        }

        IntervalTotals.Slices slices(int most) {
            long[][] counts = new long[Outcome.values().length][];
            counts[Outcome.OK.ordinal()] = ok;
            counts[Outcome.FAILED.ordinal()] = failed;
            counts[Outcome.UNKNOWN.ordinal()] = unknown;
            for (long[] column : counts) {
                if (column.length != max.length || max.length > most) {
                    throw new IllegalArgumentException("columns of different length, or too long");
                }
            }
            return new IntervalTotals.Slices(counts, max);
        }
    }

    /** One line, without its end. */
    static String write(IntervalTotals interval, Operations names) {
        Map<String, Operation> operations = new LinkedHashMap<>();
        interval.operations()
                .forEach((id, totals) -> operations.put(
                        names.name(id),
                        Operation.of(Operations.isCall(id), interval.sliced().get(id), totals.lines(names.name(id)))));
        long[] skipped = new long[interval.slices()];
        for (int i = 0; i < skipped.length; i++) {
            skipped[i] = interval.skipped(i);
        }
        return Json.text(new Line(
                interval.index(),
                interval.startNanos(),
                interval.endNanos(),
                interval.skipped() > 0 ? skipped : null,
                operations));
    }

    /**
     * Reads what {@link #write} has written.
     *
     * @param names of the operations of all clients; new ones are added
     * @throws IllegalArgumentException when the line is something else
     */
    static IntervalTotals read(String text, Operations names, long sliceNanos) {
        try {
            return totals(Json.READER.readValue(text, Line.class), names, sliceNanos);
        } catch (JsonProcessingException | RuntimeException e) {
            throw new IllegalArgumentException("not an interval: " + e.getMessage(), e);
        }
    }

    private static IntervalTotals totals(Line line, Operations names, long sliceNanos) {
        if (line.index == null || line.start < 0 || line.end < line.start || line.start % sliceNanos != 0) {
            throw new IllegalArgumentException("index, start or end is missing or impossible");
        }
        IntervalTotals interval = new IntervalTotals(line.index, line.start, line.end, sliceNanos);
        for (int i = 0; line.skipped != null && i < line.skipped.length; i++) {
            interval.addSkipped(i, line.skipped[i]);
        }
        line.operations.forEach((name, operation) -> {
            OperationTotals totals = new OperationTotals();
            operation.times.forEach(totals::add);
            interval.add(id(name, operation.call, names), totals, operation.slices(interval.slices()));
        });
        return interval;
    }

    /** The number of an operation of another client, by its name. */
    static int id(String name, boolean call, Operations names) {
        return call ? names.whole(name) : names.id(name);
    }
}

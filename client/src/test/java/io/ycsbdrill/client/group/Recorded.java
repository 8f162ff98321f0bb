package io.ycsbdrill.client.group;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/** What threads would have recorded into an interval. */
final class Recorded {
    private Recorded() {}

    /** Operations with these service times completed in a slice. */
    static void add(IntervalTotals interval, int id, Outcome outcome, int slice, long... nanos) {
        Histogram times = new Histogram(3);
        long[][] completed = new long[Outcome.values().length][interval.slices()];
        long[] longest = new long[interval.slices()];
        Arrays.fill(longest, -1);
        for (long each : nanos) {
            times.recordValue(each);
            completed[outcome.ordinal()][slice]++;
            longest[slice] = Math.max(longest[slice], each);
        }
        OperationTotals totals = new OperationTotals();
        totals.add(outcome, nanos.length, times, null);
        interval.add(id, totals, new IntervalTotals.Slices(completed, longest));
    }
}

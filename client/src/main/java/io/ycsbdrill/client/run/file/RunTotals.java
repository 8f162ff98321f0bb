package io.ycsbdrill.client.run.file;

import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeMap;

/**
 * Sums the run without warm-up and cool-down, by whole recording intervals: one counts when it starts no earlier than the warm-up's
 * end and ends no later than the cool-down's start, which is as long before the stop of the load as the cool-down takes. As the stop is
 * not known before it comes, the newest intervals wait.
 * Owned by one thread at a time.
 */
public final class RunTotals {
    private long warmupNanos;
    private long measuredUntilNanos = Long.MAX_VALUE;
    private final long cooldownNanos;
    private final Queue<IntervalTotals> waiting = new ArrayDeque<>();
    private final TreeMap<Integer, OperationTotals> operations = new TreeMap<>();
    private long startNanos = -1;
    private long endNanos = -1;
    private long skipped;
    private OptionalLong transactions = OptionalLong.of(0);

    public RunTotals(long warmupNanos, long cooldownNanos) {
        this.warmupNanos = warmupNanos;
        this.cooldownNanos = cooldownNanos;
    }

    /**
     * Those of a time that is known already.
     *
     * @param transactions empty when nobody knows how many there were
     */
    public static RunTotals of(
            long startNanos,
            long endNanos,
            long skipped,
            OptionalLong transactions,
            Map<Integer, OperationTotals> operations) {
        RunTotals totals = new RunTotals(0, 0);
        totals.startNanos = startNanos;
        totals.endNanos = endNanos;
        totals.skipped = skipped;
        totals.transactions = transactions;
        totals.operations.putAll(operations);
        return totals;
    }

    /** The warm-up ends at this time: what takes as long as it needs. */
    public void from(long sinceStartNanos) {
        warmupNanos = sinceStartNanos;
    }

    public void add(IntervalTotals interval) {
        if (interval.startNanos() >= warmupNanos) {
            waiting.add(interval);
            // Calls under way at the stop make the run longer, but not its cool-down shorter.
            settle(cooldownNanos == 0 ? interval.endNanos() : Math.min(interval.endNanos(), measuredUntilNanos));
        }
    }

    /** Intervals that are over before the cool-down of a load that is stopped now, or later, certainly count. */
    private void settle(long stoppedNanos) {
        while (!waiting.isEmpty() && waiting.peek().endNanos() <= stoppedNanos - cooldownNanos) {
            IntervalTotals interval = waiting.remove();
            startNanos = startNanos < 0 ? interval.startNanos() : startNanos;
            endNanos = interval.endNanos();
            skipped += interval.skipped();
            transactions = OptionalLong.of(transactions.orElse(0) + interval.transactions());
            interval.operations().forEach((id, totals) -> operations
                    .computeIfAbsent(id, none -> new OperationTotals())
                    .add(totals));
        }
    }

    /**
     * What completes after the load was stopped still counts when there is no cool-down, but the time that it takes is none of the run's. To be
     * told before an interval is added that ends later.
     */
    public void stoppedAt(long sinceStartNanos) {
        measuredUntilNanos = sinceStartNanos;
    }

    /** Whether trimming has left anything. */
    public boolean isEmpty() {
        return startNanos < 0;
    }

    /** Start of the first interval that counts; 0 when none does. */
    long startNanos() {
        return Math.max(0, startNanos);
    }

    /** End of the last interval that counts, or the stop of the load when that was earlier; 0 when none counts. */
    long endNanos() {
        return Math.max(startNanos(), Math.min(endNanos, measuredUntilNanos));
    }

    long lengthNanos() {
        return endNanos() - startNanos();
    }

    long skipped() {
        return skipped;
    }

    /** Empty when nobody knows how many there were. */
    OptionalLong transactions() {
        return transactions;
    }

    Map<Integer, OperationTotals> operations() {
        return operations;
    }

    /** The content of {@code totals.jsonl}. */
    public String lines(Operations names) {
        StringBuilder text = new StringBuilder();
        operations.forEach((id, totals) -> totals.lines(names.name(id))
                .forEach(line -> text.append(line.json()).append('\n')));
        return text.toString();
    }
}

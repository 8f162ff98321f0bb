package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.binding.Outcome;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** One window while it fills up, all threads together. Owned by one thread at a time. */
public final class Window {
    private final long index;
    private final long startNanos;
    private long endNanos;
    private long skipped;
    private final TreeMap<Integer, OperationTotals> operations = new TreeMap<>();

    /** An empty one. */
    public Window(long index, long startNanos, long endNanos) {
        this.index = index;
        this.startNanos = startNanos;
        this.endNanos = endNanos;
    }

    /** Adds the interval that follows; the window then ends with it. */
    public void add(IntervalTotals interval) {
        endNanos = interval.endNanos();
        skipped += interval.skipped();
        interval.operations().forEach((id, totals) -> operations
                .computeIfAbsent(id, none -> new OperationTotals())
                .add(totals));
    }

    /** Adds one operation. */
    public void add(int id, OperationTotals totals) {
        operations.computeIfAbsent(id, none -> new OperationTotals()).add(totals);
    }

    /** Adds arrivals that were dropped. */
    public void addSkipped(long arrivals) {
        skipped += arrivals;
    }

    public long index() {
        return index;
    }

    public long startNanos() {
        return startNanos;
    }

    public long endNanos() {
        return endNanos;
    }

    public long skipped() {
        return skipped;
    }

    /** Totals by operation number; only operations with completions. */
    public Map<Integer, OperationTotals> operations() {
        return operations;
    }

    /** All calls of the binding together. */
    public OperationTotals total() {
        OperationTotals total = new OperationTotals();
        operations.forEach((id, totals) -> {
            if (Operations.isCall(id)) {
                total.add(totals);
            }
        });
        return total;
    }

    public WindowSnapshot snapshot(boolean complete) {
        OperationTotals total = total();
        Histogram ok = total.service(Outcome.OK);
        return new WindowSnapshot(
                index,
                startNanos,
                endNanos,
                total.count(Outcome.OK),
                total.count(Outcome.FAILED),
                total.count(Outcome.UNKNOWN),
                skipped,
                ok == null ? OptionalDouble.empty() : OptionalDouble.of(ok.getValueAtPercentile(99) / 1000.0),
                complete);
    }
}

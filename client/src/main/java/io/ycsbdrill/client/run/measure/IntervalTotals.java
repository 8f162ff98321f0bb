package io.ycsbdrill.client.run.measure;

import io.ycsbdrill.binding.Outcome;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * One recording interval, all threads together: its slices, counts and histograms. Made by the collector or as the sum of several clients,
 * then only read.
 */
public final class IntervalTotals {
    private static final BitSet NOWHERE = new BitSet();

    private final long index;
    private final long startNanos;
    private final long endNanos;
    private final int slices;
    private final long[] skipped;
    private long transactions;
    private final Map<Integer, OperationTotals> operations = new TreeMap<>();
    private final Map<Integer, Slices> sliced = new TreeMap<>();
    private final Map<Integer, Slices> owned = new TreeMap<>();
    private final Map<Integer, BitSet> served = new HashMap<>();

    /** Completions by outcome and slice, and the longest service time of each slice; -1 where nothing completed. */
    public record Slices(long[][] completed, long[] maxServiceNanos) {
        /** Operations with this outcome that completed in this slice. */
        public long count(Outcome outcome, int slice) {
            return completed[outcome.ordinal()][slice];
        }

        /** The same of each outcome. */
        public long[] counts(int slice) {
            return Arrays.stream(completed).mapToLong(counts -> counts[slice]).toArray();
        }

        private Slices first(int slices) {
            return new Slices(
                    Arrays.stream(completed)
                            .map(counts -> Arrays.copyOf(counts, slices))
                            .toArray(long[][]::new),
                    Arrays.copyOf(maxServiceNanos, slices));
        }
    }

    /**
     * An empty one, to which what threads or clients have recorded is added.
     *
     * @param index from 0, without gaps
     * @param startNanos since run start, inclusive; at the beginning of a slice
     * @param endNanos since run start, exclusive
     */
    public IntervalTotals(long index, long startNanos, long endNanos, long sliceNanos) {
        this.index = index;
        this.startNanos = startNanos;
        this.endNanos = endNanos;
        slices = (int) ((endNanos - startNanos + sliceNanos - 1) / sliceNanos);
        skipped = new long[slices];
    }

    /** A run's slices from its start on, and nothing else. */
    public static IntervalTotals ofSlices(int slices, long sliceNanos, Map<Integer, Slices> sliced) {
        IntervalTotals totals = new IntervalTotals(0, 0, slices * sliceNanos, sliceNanos);
        totals.sliced.putAll(sliced);
        return totals;
    }

    /** As {@link #ofSlices}, by the owners of the keys. */
    public static IntervalTotals ofOwners(int slices, long sliceNanos, Map<Integer, Slices> owned) {
        IntervalTotals totals = new IntervalTotals(0, 0, slices * sliceNanos, sliceNanos);
        totals.owned.putAll(owned);
        return totals;
    }

    /**
     * Adds what one client has recorded of it, which may have fewer slices.
     *
     * @param ids the number that one of its operations has here
     */
    public void add(IntervalTotals part, IntUnaryOperator ids) {
        part.operations.forEach((id, totals) -> add(ids.applyAsInt(id), totals, part.sliced.get(id)));
        for (int i = 0; i < part.slices; i++) {
            skipped[i] += part.skipped[i];
        }
    }

    /** Adds one operation of one client. */
    public void add(int id, OperationTotals totals, Slices part) {
        operations.computeIfAbsent(id, none -> new OperationTotals()).add(totals);
        Slices all = sliced.computeIfAbsent(id, none -> emptySlices());
        for (int i = 0; i < part.maxServiceNanos.length; i++) {
            for (int o = 0; o < part.completed.length; o++) {
                all.completed[o][i] += part.completed[o][i];
            }
            all.maxServiceNanos[i] = Math.max(all.maxServiceNanos[i], part.maxServiceNanos[i]);
        }
    }

    /** The same, but ending earlier, with nothing recorded after that. */
    public IntervalTotals until(long earlierNanos, long sliceNanos) {
        IntervalTotals shorter = new IntervalTotals(index, startNanos, earlierNanos, sliceNanos);
        operations.forEach(
                (id, totals) -> shorter.add(id, totals, sliced.get(id).first(shorter.slices)));
        System.arraycopy(skipped, 0, shorter.skipped, 0, shorter.slices);
        return shorter;
    }

    /** Adds arrivals that one client has dropped. */
    public void addSkipped(int slice, long arrivals) {
        skipped[slice] += arrivals;
    }

    void add(Interval interval, int thread) {
        transactions += interval.transactions;
        for (int i = 0; i < slices; i++) {
            skipped[i] += interval.skipped[i];
        }
        OperationData[] data = interval.operations();
        for (int id = 0; id < data.length; id++) {
            if (data[id] != null) {
                add(id, data[id]);
                if (Operations.isCall(id)) {
                    served(thread, data[id].slices);
                }
            }
        }
        SliceCounts[] owners = interval.owners();
        for (int owner = 0; owner < owners.length; owner++) {
            if (owners[owner] != null && !owners[owner].isEmpty()) {
                addTo(owned.computeIfAbsent(owner, none -> emptySlices()), owners[owner]);
            }
        }
    }

    private void add(int id, OperationData data) {
        if (!data.slices.isEmpty()) {
            operations.computeIfAbsent(id, none -> new OperationTotals()).add(data);
            addTo(sliced.computeIfAbsent(id, none -> emptySlices()), data.slices);
        }
    }

    private void addTo(Slices sum, SliceCounts counts) {
        for (int i = 0; i < slices; i++) {
            for (int o = 0; o < sum.completed.length; o++) {
                sum.completed[o][i] += counts.completed[o][i];
            }
            sum.maxServiceNanos[i] = Math.max(sum.maxServiceNanos[i], counts.maxServiceNanos[i]);
        }
    }

    private void served(int thread, SliceCounts data) {
        for (int i = 0; i < slices; i++) {
            if (data.completed[Outcome.OK.ordinal()][i] > 0) {
                served.computeIfAbsent(thread, none -> new BitSet()).set(i);
            }
        }
    }

    private Slices emptySlices() {
        long[] none = new long[slices];
        Arrays.fill(none, -1);
        return new Slices(new long[Outcome.values().length][slices], none);
    }

    /** From 0, without gaps. */
    public long index() {
        return index;
    }

    /** Since run start, inclusive. */
    public long startNanos() {
        return startNanos;
    }

    /** Since run start, exclusive; the last interval of a run may be short. */
    public long endNanos() {
        return endNanos;
    }

    public int slices() {
        return slices;
    }

    /** Arrivals dropped in each slice. */
    public long skipped(int slice) {
        return skipped[slice];
    }

    /** Arrivals dropped in the whole interval. */
    public long skipped() {
        return Arrays.stream(skipped).sum();
    }

    /** The slices in which a client thread completed a call successfully. */
    public BitSet served(int thread) {
        return served.getOrDefault(thread, NOWHERE);
    }

    /** Transactions of the workload whose first call completed in it. */
    public long transactions() {
        return transactions;
    }

    /** Totals by operation number; only operations with completions. */
    public Map<Integer, OperationTotals> operations() {
        return operations;
    }

    /** Totals by operation number; only operations with completions. */
    public Map<Integer, Slices> sliced() {
        return sliced;
    }

    /** By number of the owner of the keys, all operations on single keys together; only owners with completions. */
    public Map<Integer, Slices> owned() {
        return owned;
    }
}

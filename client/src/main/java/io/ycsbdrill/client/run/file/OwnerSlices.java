package io.ycsbdrill.client.run.file;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.rundir.TableWriter;
import java.io.IOException;
import java.util.List;

/** Writes {@code owners.csv}: the slices of the operations on the keys of each owner. Owned by one thread at a time. */
public final class OwnerSlices implements AutoCloseable {
    private final List<String> nodes;
    private final long sliceNanos;
    private final TableWriter file;

    /** @param nodes the names of the owners, by their number */
    public OwnerSlices(List<String> nodes, long sliceNanos, TableWriter file) {
        this.nodes = List.copyOf(nodes);
        this.sliceNanos = sliceNanos;
        this.file = file;
    }

    /** A row for each slice and owner, without completions too. */
    public void add(IntervalTotals interval) throws IOException {
        long first = interval.startNanos() / sliceNanos;
        for (int i = 0; i < interval.slices(); i++) {
            for (int owner = 0; owner < nodes.size(); owner++) {
                IntervalTotals.Slices data = interval.owned().get(owner);
                WindowFiles.slice(
                        file,
                        first + i,
                        sliceNanos,
                        nodes.get(owner),
                        data == null ? new long[Outcome.values().length] : data.counts(i),
                        data == null ? -1 : data.maxServiceNanos()[i]);
            }
        }
        file.flush();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

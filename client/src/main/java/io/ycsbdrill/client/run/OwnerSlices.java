package io.ycsbdrill.client.run;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import java.io.BufferedWriter;
import java.io.IOException;
import java.util.List;

/** Writes {@code owners.csv}: the slices of the operations on the keys of each owner. Owned by one thread at a time. */
public final class OwnerSlices implements AutoCloseable {
    public static final String FILE = "owners.csv";

    private final List<String> nodes;
    private final long sliceNanos;
    private final BufferedWriter file;

    /** @param nodes the names of the owners, by their number */
    public OwnerSlices(List<String> nodes, long sliceNanos, BufferedWriter file) throws IOException {
        this.nodes = List.copyOf(nodes);
        this.sliceNanos = sliceNanos;
        this.file = file;
        file.write("slice,start_s,owner,ok,failed,unknown,max_service_us\n");
        file.flush();
    }

    /** A row for each slice and owner, without completions too. */
    public void add(IntervalTotals interval) throws IOException {
        long first = interval.startNanos() / sliceNanos;
        for (int i = 0; i < interval.slices(); i++) {
            for (int owner = 0; owner < nodes.size(); owner++) {
                file.write(first + i + "," + Format.seconds((first + i) * sliceNanos) + "," + nodes.get(owner));
                IntervalTotals.Slices data = interval.owned().get(owner);
                for (Outcome outcome : Outcome.values()) {
                    file.write("," + (data == null ? 0 : data.count(outcome, i)));
                }
                long longest = data == null ? -1 : data.maxServiceNanos()[i];
                file.write(longest < 0 ? ",\n" : "," + Format.micros(longest) + "\n");
            }
        }
        file.flush();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}

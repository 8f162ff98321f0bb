package io.ycsbdrill.client.run.file;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.Window;
import io.ycsbdrill.rundir.CsvRow;
import io.ycsbdrill.rundir.HistogramLine;
import io.ycsbdrill.rundir.Latency;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TableReader;
import io.ycsbdrill.rundir.TableWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * Writes {@code windows.csv}, {@code windows.jsonl} and {@code slices.csv} as the run goes, flushed after every window (slices:
 * every interval), so that a client that is killed leaves all complete windows behind. Owned by one thread at a time.
 */
public final class WindowFiles implements AutoCloseable {
    private final RunDirectory directory;
    private final Operations operations;
    private final Markers markers;
    private final long sliceNanos;
    private final TableWriter windows;
    private final BufferedWriter histograms;
    private final TableWriter slices;
    private final TreeSet<Integer> seen = new TreeSet<>();
    private final TreeSet<Integer> sliced = new TreeSet<>();
    private boolean late;

    public WindowFiles(RunDirectory directory, Operations operations, Markers markers, long sliceNanos)
            throws IOException {
        this.directory = directory;
        this.operations = operations;
        this.markers = markers;
        this.sliceNanos = sliceNanos;
        windows = directory.table(RunTable.WINDOWS);
        histograms = directory.stream(RunFile.HISTOGRAMS);
        slices = directory.table(RunTable.SLICES);
    }

    public void slices(IntervalTotals interval) throws IOException {
        sliced.addAll(interval.sliced().keySet());
        long first = interval.startNanos() / sliceNanos;
        for (int i = 0; i < interval.slices(); i++) {
            long[] total = new long[Outcome.values().length];
            long max = -1;
            for (int id : sliced) {
                IntervalTotals.Slices data = interval.sliced().get(id);
                long[] counts = data == null ? new long[total.length] : data.counts(i);
                long longest = data == null ? -1 : data.maxServiceNanos()[i];
                slice(slices, first + i, sliceNanos, operations.name(id), counts, longest);
                if (Operations.isCall(id)) {
                    max = Math.max(max, longest);
                    for (int o = 0; o < total.length; o++) {
                        total[o] += counts[o];
                    }
                }
            }
            slice(slices, first + i, sliceNanos, RunFile.TOTAL, total, max);
        }
        slices.flush();
    }

    /**
     * Writes a row of {@code slices.csv} or {@code owners.csv}.
     *
     * @param of the operation or the owner
     * @param counts by outcome
     * @param maxNanos negative where nothing completed
     */
    static void slice(TableWriter table, long slice, long sliceNanos, String of, long[] counts, long maxNanos)
            throws IOException {
        table.row(
                slice,
                Format.seconds(slice * sliceNanos),
                of,
                counts[Outcome.OK.ordinal()],
                counts[Outcome.FAILED.ordinal()],
                counts[Outcome.UNKNOWN.ordinal()],
                maxNanos < 0 ? null : Format.micros(maxNanos));
    }

    public void window(Window window) throws IOException {
        for (Map.Entry<Integer, OperationTotals> operation : window.operations().entrySet()) {
            if (seen.add(operation.getKey()) && window.index() > 0) {
                late = true;
            }
            for (HistogramLine line : operation.getValue().lines(operations.name(operation.getKey()))) {
                histograms.write(line.in(window.index(), window.startNanos(), window.endNanos())
                                .json()
                        + "\n");
            }
        }
        histograms.flush();
        for (int id : seen) {
            OperationTotals totals = window.operations().getOrDefault(id, new OperationTotals());
            windows.row(row(window, operations.name(id), totals));
        }
        windows.row(row(window, RunFile.TOTAL, window.total()));
        windows.flush();
    }

    /** The last columns: what is known of them may come late. */
    private List<String> tail(long startNanos, long endNanos) {
        return List.of(
                markers.phaseBefore(endNanos),
                markers.labels(startNanos, endNanos),
                markers.phaseSeconds(startNanos, endNanos));
    }

    private Object[] row(Window window, String operation, OperationTotals totals) {
        List<Object> row = new ArrayList<>();
        row.addAll(List.of(
                window.index(), Format.seconds(window.startNanos()), Format.seconds(window.endNanos()), operation));
        for (Outcome outcome : Outcome.values()) {
            row.add(totals.count(outcome));
        }
        row.add(operation.equals(RunFile.TOTAL) ? window.skipped() : null);
        row.add(Format.perSecond(totals.count(Outcome.OK), window.endNanos() - window.startNanos()));
        for (Histogram histogram : Arrays.asList(totals.service(Outcome.OK), totals.response(Outcome.OK))) {
            for (Latency latency : Latency.values()) {
                row.add(histogram == null ? null : Format.micros(latency.of(histogram)));
            }
        }
        row.addAll(tail(window.startNanos(), window.endNanos()));
        return row.toArray();
    }

    /**
     * Puts {@code windows.csv} in its final form: rows of zeros for operations that first appeared later, and phases and markers
     * that arrived after their window was written.
     */
    public void complete(long windowNanos) throws IOException {
        windows.flush();
        if (!late && markers.isEmpty()) {
            return;
        }
        Path file = directory.path().resolve(RunTable.WINDOWS.file());
        Path draft = directory.path().resolve("." + RunTable.WINDOWS.file() + ".tmp");
        try (TableReader in = new TableReader(file, false, RunTable.WINDOWS.columns());
                TableWriter out = new TableWriter(
                        RunTable.WINDOWS, directory.stream(draft.getFileName().toString()))) {
            TreeSet<Integer> missing = new TreeSet<>(seen);
            for (CsvRow row = written(in); row != null; row = written(in)) {
                long index = row.count("window");
                Window empty = new Window(index, index * windowNanos, Math.round(row.required("end_s") * 1e9));
                String name = row.text("operation");
                if (name.equals(RunFile.TOTAL)) {
                    for (int id : missing) {
                        out.row(row(empty, operations.name(id), new OperationTotals()));
                    }
                    missing.addAll(seen);
                } else {
                    missing.removeIf(id -> operations.name(id).equals(name));
                }
                List<String> known = row.values();
                List<String> late = tail(empty.startNanos(), empty.endNanos());
                known.subList(known.size() - late.size(), known.size()).clear();
                known.addAll(late);
                out.row(known.toArray());
            }
        }
        AtomicFile.replace(draft, file);
    }

    /** The next row; null after the last one, and where the disk was full. */
    private static CsvRow written(TableReader table) throws IOException {
        try {
            return table.next(row -> row);
        } catch (RunFormatException e) {
            return null;
        }
    }

    @Override
    public void close() throws IOException {
        try (windows;
                histograms;
                slices) {
            windows.flush();
        }
    }
}

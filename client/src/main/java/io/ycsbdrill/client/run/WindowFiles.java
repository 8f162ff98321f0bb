package io.ycsbdrill.client.run;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.HdrHistogram.Histogram;

/**
 * Writes {@code windows.csv}, {@code windows.jsonl} and {@code slices.csv} as the run goes, flushed after every window (slices:
 * every interval), so that a client that is killed leaves all complete windows behind. Owned by one thread at a time.
 */
public final class WindowFiles implements AutoCloseable {
    private static final String WINDOWS = "windows.csv";
    private static final String TOTAL = "TOTAL";
    private static final double[] PERCENTILES = {50, 90, 95, 99, 99.9};
    private static final String[] MEASURES = {"mean", "p50", "p90", "p95", "p99", "p99_9", "max"};

    private final RunDirectory directory;
    private final Operations operations;
    private final Markers markers;
    private final long sliceNanos;
    private final BufferedWriter windows;
    private final BufferedWriter histograms;
    private final BufferedWriter slices;
    private final TreeSet<Integer> seen = new TreeSet<>();
    private final TreeSet<Integer> sliced = new TreeSet<>();
    private boolean late;

    public WindowFiles(RunDirectory directory, Operations operations, Markers markers, long sliceNanos)
            throws IOException {
        this.directory = directory;
        this.operations = operations;
        this.markers = markers;
        this.sliceNanos = sliceNanos;
        windows = directory.stream(WINDOWS);
        histograms = directory.stream("windows.jsonl");
        slices = directory.stream("slices.csv");
        windows.write(header());
        windows.flush();
        slices.write("slice,start_s,operation,ok,failed,unknown,max_service_us\n");
        slices.flush();
    }

    private static String header() {
        StringBuilder header =
                new StringBuilder("window,start_s,end_s,operation,ok,failed,unknown,skipped,throughput_ops_s");
        for (String kind : List.of("service", "response")) {
            for (String measure : MEASURES) {
                header.append(',').append(kind).append('_').append(measure).append("_us");
            }
        }
        return header.append(",phase,markers,phases\n").toString();
    }

    public void slices(IntervalTotals interval) throws IOException {
        sliced.addAll(interval.sliced().keySet());
        long first = interval.startNanos() / sliceNanos;
        for (int i = 0; i < interval.slices(); i++) {
            String head = first + i + "," + Format.seconds((first + i) * sliceNanos) + ",";
            long[] total = new long[Outcome.values().length];
            long max = -1;
            for (int id : sliced) {
                IntervalTotals.Slices data = interval.sliced().get(id);
                long[] counts = new long[total.length];
                long longest = -1;
                if (data != null) {
                    longest = data.maxServiceNanos()[i];
                    for (Outcome outcome : Outcome.values()) {
                        counts[outcome.ordinal()] = data.count(outcome, i);
                    }
                }
                slice(head, operations.name(id), counts, longest);
                if (Operations.isCall(id)) {
                    max = Math.max(max, longest);
                    for (int o = 0; o < total.length; o++) {
                        total[o] += counts[o];
                    }
                }
            }
            slice(head, TOTAL, total, max);
        }
        slices.flush();
    }

    private void slice(String head, String operation, long[] counts, long maxNanos) throws IOException {
        slices.write(head);
        slices.write(operation);
        for (long count : counts) {
            slices.write("," + count);
        }
        slices.write(maxNanos < 0 ? ",\n" : "," + Format.micros(maxNanos) + "\n");
    }

    public void window(Window window) throws IOException {
        for (Map.Entry<Integer, OperationTotals> operation : window.operations().entrySet()) {
            if (seen.add(operation.getKey()) && window.index() > 0) {
                late = true;
            }
            histograms(window, operations.name(operation.getKey()), operation.getValue());
        }
        histograms.flush();
        for (int id : seen) {
            OperationTotals totals = window.operations().getOrDefault(id, new OperationTotals());
            windows.write(row(window, operations.name(id), totals, "") + tail(window.startNanos(), window.endNanos()));
        }
        String skipped = Long.toString(window.skipped());
        windows.write(row(window, TOTAL, window.total(), skipped) + tail(window.startNanos(), window.endNanos()));
        windows.flush();
    }

    /** The last three columns: what is known of them may come late. */
    private String tail(long startNanos, long endNanos) {
        return "," + markers.phaseBefore(endNanos) + "," + markers.labels(startNanos, endNanos) + ","
                + markers.phaseSeconds(startNanos, endNanos) + "\n";
    }

    private static String row(Window window, String operation, OperationTotals totals, String skipped) {
        StringBuilder row = new StringBuilder(200)
                .append(window.index())
                .append(',')
                .append(Format.seconds(window.startNanos()))
                .append(',')
                .append(Format.seconds(window.endNanos()))
                .append(',')
                .append(operation);
        for (Outcome outcome : Outcome.values()) {
            row.append(',').append(totals.count(outcome));
        }
        long length = window.endNanos() - window.startNanos();
        row.append(',').append(skipped).append(',').append(Format.perSecond(totals.count(Outcome.OK), length));
        latencies(row, totals.service(Outcome.OK));
        latencies(row, totals.response(Outcome.OK));
        return row.toString();
    }

    private static void latencies(StringBuilder row, Histogram histogram) {
        if (histogram == null) {
            row.append(",".repeat(MEASURES.length));
            return;
        }
        row.append(',').append(Format.micros(histogram.getMean()));
        for (double percentile : PERCENTILES) {
            row.append(',').append(Format.micros(histogram.getValueAtPercentile(percentile)));
        }
        row.append(',').append(Format.micros(histogram.getMaxValue()));
    }

    private void histograms(Window window, String operation, OperationTotals totals) throws IOException {
        HistogramLine.write(
                histograms,
                () -> RunDirectory.JSON
                        .createObjectNode()
                        .put("window", window.index())
                        .put("start_ns", window.startNanos())
                        .put("end_ns", window.endNanos()),
                operation,
                totals);
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
        int columns = header().split(",", -1).length;
        String draft = "." + WINDOWS + ".tmp";
        try (BufferedReader in = Files.newBufferedReader(directory.path().resolve(WINDOWS));
                BufferedWriter out = directory.stream(draft)) {
            out.write(in.readLine() + "\n");
            TreeSet<Integer> missing = new TreeSet<>(seen);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (line.split(",", -1).length < columns) {
                    break; // where the disk was full
                }
                String[] fields = line.split(",", 5);
                long index = Long.parseLong(fields[0]);
                long start = index * windowNanos;
                long end = new BigDecimal(fields[2]).movePointRight(9).longValueExact();
                Window empty = new Window(index, start, end);
                String name = fields[3];
                if (name.equals(TOTAL)) {
                    for (int id : missing) {
                        out.write(row(empty, operations.name(id), new OperationTotals(), "") + tail(start, end));
                    }
                    missing.addAll(seen);
                } else {
                    missing.removeIf(id -> operations.name(id).equals(name));
                }
                out.write(line.replaceFirst("(,[^,]*){3}$", "") + tail(start, end));
            }
        }
        AtomicFile.replace(directory.path().resolve(draft), directory.path().resolve(WINDOWS));
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

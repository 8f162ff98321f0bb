package io.ycsbdrill.client.merge;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.HistogramLine;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The windows of one client in their order, from {@code windows.csv} and {@code windows.jsonl} at the same time. For one thread. */
final class ClientWindows implements AutoCloseable {
    private static final String TOTAL = "TOTAL";

    private final CompleteLines rows;
    private final CompleteLines histograms;
    private final String[] columns;
    private Map<String, String> row;
    private HistogramLine histogram;
    private long before = -1;

    ClientWindows(ClientLines lines) throws IOException {
        rows = lines.open("windows.csv");
        histograms = lines.open("windows.jsonl");
        String header = rows.next();
        columns = header == null ? new String[0] : header.split(",", -1);
        row = nextRow();
        histogram = nextHistogram();
    }

    private Map<String, String> nextRow() throws IOException {
        String line = rows.next();
        return line == null ? null : ClientLines.row(columns, line);
    }

    private HistogramLine nextHistogram() throws IOException {
        String line = histograms.next();
        return line == null ? null : ClientLines.histogram(histograms, line);
    }

    /**
     * The next one; empty after the last. Of a client that was killed, histograms may be there whose window is not in {@code
     * windows.csv}: they are left out.
     */
    Optional<ClientWindow> next() throws IOException {
        if (row == null) {
            return Optional.empty();
        }
        long index = Long.parseLong(row.get("window"));
        inOrder(rows, index);
        before = index;
        ClientWindow window = new ClientWindow(
                index,
                Decimals.parse(row.get("start_s"), 9),
                Decimals.parse(row.get("end_s"), 9),
                row.getOrDefault("phase", ""),
                row.getOrDefault("phases", ""));
        while (row != null && Long.parseLong(row.get("window")) == index) {
            if (row.get("operation").equals(TOTAL)) {
                String skipped = row.getOrDefault("skipped", "");
                window.skipped = skipped.isEmpty() ? 0 : Long.parseLong(skipped);
            } else {
                window.counts.put(row.get("operation"), counts(row));
            }
            row = nextRow();
        }
        while (histogram != null && histogram.window() <= index) {
            inOrder(histograms, histogram.window());
            window.histograms.add(histogram);
            histogram = nextHistogram();
        }
        return Optional.of(window);
    }

    private void inOrder(CompleteLines lines, long index) {
        if (index < before || lines == rows && index == before) {
            throw new MergeException(lines.file() + ": damaged: window " + index + " comes after window " + before
                    + "; a client writes them in their order");
        }
    }

    private static long[] counts(Map<String, String> row) {
        return Arrays.stream(Outcome.values())
                .mapToLong(outcome -> Long.parseLong(row.get(outcome.name().toLowerCase(Locale.ROOT))))
                .toArray();
    }

    @Override
    public void close() throws IOException {
        try (rows;
                histograms) {
            row = null;
        }
    }
}

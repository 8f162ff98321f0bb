package io.ycsbdrill.client.merge;

import io.ycsbdrill.rundir.CompleteLines;
import io.ycsbdrill.rundir.CsvRow;
import io.ycsbdrill.rundir.HistogramLine;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TableReader;
import io.ycsbdrill.rundir.Window;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The windows of one client in their order, from {@code windows.csv} and {@code windows.jsonl} at the same time. For one thread. */
final class ClientWindows implements AutoCloseable {
    private final TableReader rows;
    private final CompleteLines histograms;
    private Row row;
    private HistogramLine histogram;
    private long before = -1;

    private record Row(String operation, Window window, String phases) {
        static Row of(CsvRow row) {
            return new Row(row.text("operation"), Window.of(row), row.text("phases"));
        }
    }

    ClientWindows(ClientLines lines) throws IOException {
        rows = lines.open(RunTable.WINDOWS);
        histograms = lines.open(RunFile.HISTOGRAMS);
        row = rows.next(Row::of);
        histogram = ClientLines.histogram(histograms);
    }

    /**
     * The next one; empty after the last. Of a client that was killed, histograms may be there whose window is not in {@code
     * windows.csv}: they are left out.
     */
    Optional<ClientWindow> next() throws IOException {
        if (row == null) {
            return Optional.empty();
        }
        int index = row.window().index();
        inOrder(rows.file(), index, before + 1);
        before = index;
        ClientWindow window = new ClientWindow(row.window(), row.phases());
        while (row != null && row.window().index() == index) {
            if (row.operation().equals(RunFile.TOTAL)) {
                window.skipped = row.window().skipped();
            } else {
                window.counts.put(row.operation(), ClientWindow.counts(row.window()));
            }
            row = rows.next(Row::of);
        }
        while (histogram != null && number(histogram) <= index) {
            inOrder(histograms.file(), number(histogram), before);
            window.histograms.add(histogram);
            histogram = ClientLines.histogram(histograms);
        }
        return Optional.of(window);
    }

    private static long number(HistogramLine line) {
        return line.window() == null ? -1 : line.window();
    }

    private void inOrder(Path file, long index, long least) {
        if (index < least) {
            throw new MergeException(file + ": damaged: window " + index + " comes after window " + before
                    + "; a client writes them in their order");
        }
    }

    @Override
    public void close() throws IOException {
        try (rows;
                histograms) {
            row = null;
        }
    }
}

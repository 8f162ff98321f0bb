package io.ycsbdrill.client.merge;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.HistogramLine;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One window of one client: what {@code windows.csv} says of it, and its histograms. */
final class ClientWindow {
    final long index;
    final long startNanos;
    final long endNanos;
    final String phase;
    long skipped;
    final Map<String, long[]> counts = new LinkedHashMap<>();
    final List<HistogramLine> histograms = new ArrayList<>();

    ClientWindow(long index, long startNanos, long endNanos, String phase) {
        this.index = index;
        this.startNanos = startNanos;
        this.endNanos = endNanos;
        this.phase = phase;
    }

    /**
     * The two files must agree, and every histogram must be readable.
     *
     * @throws MergeException when they do not
     */
    void check(Path directory) {
        Map<String, long[]> found = new HashMap<>();
        for (HistogramLine line : histograms) {
            ClientLines.check(directory.resolve("windows.jsonl"), line);
            if (!line.response()) {
                found.computeIfAbsent(line.operation(), none -> new long[Outcome.values().length])[
                                line.outcome().ordinal()] +=
                        line.count();
            }
        }
        counts.forEach((operation, inRows) -> {
            long[] inHistograms = found.getOrDefault(operation, new long[inRows.length]);
            if (!Arrays.equals(inRows, inHistograms)) {
                throw new MergeException(directory + ": damaged: window " + index + " of " + operation + " has "
                        + Arrays.toString(inRows) + " operations (ok, failed, unknown) in windows.csv, but "
                        + Arrays.toString(inHistograms) + " in windows.jsonl");
            }
        });
    }
}

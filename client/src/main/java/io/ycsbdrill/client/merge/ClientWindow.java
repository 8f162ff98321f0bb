package io.ycsbdrill.client.merge;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.HistogramLine;
import io.ycsbdrill.client.run.Markers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** One window of one client: what {@code windows.csv} says of it, and its histograms. */
final class ClientWindow {
    private static final Pattern PHASES =
            Pattern.compile("[^:;]+:\\d{1,3}(\\.\\d{1,3})?(;[^:;]+:\\d{1,3}(\\.\\d{1,3})?)*");

    final long index;
    final long startNanos;
    final long endNanos;
    final String phase;
    final String phases;
    long skipped;
    final Map<String, long[]> counts = new LinkedHashMap<>();
    final List<HistogramLine> histograms = new ArrayList<>();

    /**
     * Without its rows.
     *
     * @param phase at its end
     * @param phases the seconds of each, in order of time; empty in older runs
     */
    ClientWindow(long index, long startNanos, long endNanos, String phase, String phases) {
        this.index = index;
        this.startNanos = startNanos;
        this.endNanos = endNanos;
        this.phase = phase;
        this.phases = phases;
    }

    /** When phases begin in it, as far as it says so; in older runs the one at its end, just before that. */
    Map<Long, String> phaseStarts() {
        Map<Long, String> starts = new TreeMap<>();
        long at = startNanos;
        String last = "";
        for (String part : PHASES.matcher(phases).matches() ? phases.split(";") : new String[0]) {
            int colon = part.indexOf(':');
            String label = part.substring(0, colon);
            last = label.equals(Markers.NO_PHASE) ? "" : label;
            starts.put(at, last);
            at += Decimals.parse(part.substring(colon + 1), 9);
        }
        if (starts.isEmpty() && phase.isEmpty()) {
            starts.put(startNanos, "");
        } else if (!last.equals(phase)) {
            starts.put(endNanos - 1, phase);
        }
        return starts;
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

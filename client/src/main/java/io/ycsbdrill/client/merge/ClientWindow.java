package io.ycsbdrill.client.merge;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.file.Markers;
import io.ycsbdrill.rundir.HistogramLine;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.Window;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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
     * @param row one of them
     * @param phases the seconds of each phase, in order of time; empty in older runs
     */
    ClientWindow(Window row, String phases) {
        index = row.index();
        startNanos = nanos(row.startSeconds());
        endNanos = nanos(row.endSeconds());
        phase = row.phase();
        this.phases = phases;
    }

    /** By outcome. */
    static long[] counts(Window row) {
        long[] counts = new long[Outcome.values().length];
        counts[Outcome.OK.ordinal()] = row.ok();
        counts[Outcome.FAILED.ordinal()] = row.failed();
        counts[Outcome.UNKNOWN.ordinal()] = row.unknown();
        return counts;
    }

    /** Exact for the decimals of a run of up to a hundred days. */
    private static long nanos(double seconds) {
        return Math.round(seconds * 1e9);
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
            at += nanos(Double.parseDouble(part.substring(colon + 1)));
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
            ClientLines.check(directory.resolve(RunFile.HISTOGRAMS), line);
            if (!line.response()) {
                found.computeIfAbsent(line.operation(), none -> new long[Outcome.values().length])[
                                Outcome.valueOf(line.outcome().toUpperCase(Locale.ROOT))
                                        .ordinal()] +=
                        line.values();
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

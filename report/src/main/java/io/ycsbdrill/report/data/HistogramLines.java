package io.ycsbdrill.report.data;

import io.ycsbdrill.rundir.HistogramLine;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.TextFile;
import io.ycsbdrill.rundir.Window;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/** The histograms of {@code windows.jsonl} and {@code totals.jsonl}, added up; percentiles come from sums only. Stateless. */
public final class HistogramLines {
    private HistogramLines() {}

    /**
     * Looks into every line: the histograms of successful operations have as many values as the rows of {@code windows.csv}. What is
     * wrong first is a problem; the rest of a damaged file is not looked at.
     */
    static void check(TextFile file, Map<String, List<Window>> windows, List<Problem> problems) {
        Map<String, Long> counts = new HashMap<>();
        int number = 0;
        try {
            for (String line : file.lines()) {
                number++;
                HistogramLine read = HistogramLine.of(line);
                if (read.window() == null) {
                    throw new IllegalArgumentException("window is missing");
                }
                long values = read.histogram().getTotalCount();
                if (read.ok() && !read.response()) {
                    counts.merge(read.window() + " of " + read.operation(), values, Long::sum);
                }
            }
            for (Map.Entry<String, List<Window>> operation : windows.entrySet()) {
                for (Window window :
                        operation.getKey().equals(Slices.TOTAL) ? List.<Window>of() : operation.getValue()) {
                    String which = window.index() + " of " + operation.getKey();
                    long found = counts.getOrDefault(which, 0L);
                    if (found != window.ok()) {
                        number = 0;
                        throw new IllegalArgumentException("window " + which + " has " + found
                                + " successful operations, but " + window.ok() + " in windows.csv");
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            problems.add(new Problem(RunFile.HISTOGRAMS, number, Problem.Kind.DAMAGED, "damaged: " + e.getMessage()));
        }
    }

    /**
     * Adds the histograms of successful operations in a file.
     *
     * @param sums in nanoseconds, by {@code "operation measure"}
     * @throws IOException when the file cannot be read or one line is damaged; the sums are then of no use
     */
    public static void add(Path file, Map<String, Histogram> sums) throws IOException {
        forEach(file, line -> {
            Histogram histogram = line.histogram();
            if (line.ok()) {
                add(histogram, line.operation() + " " + line.measure(), sums);
            }
        });
    }

    /**
     * How long the longest operation of each kind took, whatever became of it, in microseconds.
     *
     * @throws IOException when the file cannot be read or one line is damaged
     */
    public static Map<String, Double> longestMicros(Path file) throws IOException {
        Map<String, Double> longest = new TreeMap<>();
        forEach(file, line -> {
            if (!line.response()) {
                Histogram histogram = line.histogram();
                if (histogram.getTotalCount() > 0) {
                    longest.merge(line.operation(), histogram.getMaxValue() / 1000.0, Math::max);
                }
            }
        });
        return longest;
    }

    private static void forEach(Path file, Consumer<HistogramLine> action) throws IOException {
        try {
            for (String line : TextFile.read(file).lines()) {
                action.accept(HistogramLine.of(line));
            }
        } catch (IllegalArgumentException e) {
            throw new IOException(file + " is damaged: " + e.getMessage(), e);
        } catch (RunFormatException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void add(Histogram histogram, String key, Map<String, Histogram> sums) {
        Histogram sum = sums.get(key);
        if (sum == null) {
            histogram.setAutoResize(true);
            sums.put(key, histogram);
        } else {
            sum.add(histogram);
        }
    }
}

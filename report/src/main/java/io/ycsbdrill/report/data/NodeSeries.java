package io.ycsbdrill.report.data;

import io.ycsbdrill.rundir.CsvFile;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TextFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What the servers' processes have used, from {@code nodes.csv}. Lines that cannot be read are left out. Immutable by convention.
 *
 * @param nodes samples by server, in order of time
 * @param times at which there was one of any server
 */
public record NodeSeries(Map<String, List<Sample>> nodes, NavigableSet<Double> times) {
    /** What is not known at either end of a stretch, at most. */
    private static final double LONGEST_UNKNOWN_SECONDS = 2;

    /**
     * One sample.
     *
     * @param process identifies it among those of the server
     * @param cpuSeconds since the process was started
     * @param receivedMb over a network of the server's own, since that was made; empty where it has none
     * @param sentMb the same
     */
    public record Sample(
            double atSeconds,
            String process,
            double cpuSeconds,
            double memoryMb,
            OptionalDouble receivedMb,
            OptionalDouble sentMb) {}

    /**
     * Of a run directory; empty of servers when it has no such file.
     *
     * @throws RunFormatException when the file is damaged as a whole
     */
    public static NodeSeries read(Path directory, List<Problem> problems) {
        Map<String, List<Sample>> nodes = new LinkedHashMap<>();
        NavigableSet<Double> times = new TreeSet<>();
        Path path = directory.resolve(RunTable.NODES.file());
        if (Files.isRegularFile(path)) {
            TextFile file = TextFile.read(path);
            new CsvFile(file, problems, RunTable.NODES.required()).forEach(row -> {
                Sample sample = new Sample(
                        row.required("at_s"),
                        row.text("process"),
                        row.required("cpu_s"),
                        row.required("memory_mb"),
                        row.number("received_mb"),
                        row.number("sent_mb"));
                times.add(sample.atSeconds);
                nodes.computeIfAbsent(row.text("node"), none -> new ArrayList<>())
                        .add(sample);
            });
            file.noteCutOff(problems);
        }
        return new NodeSeries(nodes, times);
    }

    /** Whether there are samples from one end to the other. */
    public boolean covers(double from, double to) {
        return !times.isEmpty()
                && to > from
                && times.first() <= from + LONGEST_UNKNOWN_SECONDS
                && times.last() >= to - LONGEST_UNKNOWN_SECONDS;
    }

    /**
     * Processor time between two times. Within an interval between two samples it counts evenly; what a process used after its last
     * sample is not known.
     */
    public double cpuSeconds(String node, double from, double to) {
        double sum = 0;
        Sample before = null;
        for (Sample sample : nodes.getOrDefault(node, List.of())) {
            boolean same = before != null && before.process.equals(sample.process);
            Double earlier = same ? Double.valueOf(before.atSeconds) : times.lower(sample.atSeconds);
            if (earlier != null) {
                double used = sample.cpuSeconds - (same ? before.cpuSeconds : 0);
                double inside = Math.min(to, sample.atSeconds) - Math.max(from, earlier);
                sum += used * Math.max(0, inside) / (sample.atSeconds - earlier);
            }
            before = sample;
        }
        return sum;
    }

    /**
     * What went over a server's own network between two times, in or out. Within an interval between two samples it counts evenly; after
     * a time without a process only since the sample of other servers before. Empty where that is not known of each sample, or of either
     * end, as when the server is down at the end.
     *
     * @param way {@link Sample#receivedMb} or {@link Sample#sentMb}
     */
    public OptionalDouble megabytes(String node, double from, double to, Function<Sample, OptionalDouble> way) {
        List<Sample> samples = nodes.getOrDefault(node, List.of());
        double sum = 0;
        Sample before = null;
        for (Sample sample : samples) {
            if (way.apply(sample).isEmpty()) {
                return OptionalDouble.empty();
            }
            if (before != null) {
                double more =
                        way.apply(sample).getAsDouble() - way.apply(before).getAsDouble();
                if (more < 0) {
                    return OptionalDouble.empty(); // the network was made anew
                }
                double since = Math.max(before.atSeconds, times.lower(sample.atSeconds));
                double inside = Math.min(to, sample.atSeconds) - Math.max(from, since);
                sum += more * Math.max(0, inside) / (sample.atSeconds - since);
            }
            before = sample;
        }
        boolean whole = before != null
                && samples.get(0).atSeconds <= from + LONGEST_UNKNOWN_SECONDS
                && before.atSeconds >= to - LONGEST_UNKNOWN_SECONDS;
        return whole ? OptionalDouble.of(sum) : OptionalDouble.empty();
    }

    /** The most memory at a sample between two times; empty when the server had no process at any. */
    public OptionalDouble mostMemoryMb(String node, double from, double to) {
        return nodes.getOrDefault(node, List.of()).stream()
                .filter(sample -> sample.atSeconds >= from && sample.atSeconds <= to)
                .mapToDouble(Sample::memoryMb)
                .max();
    }
}

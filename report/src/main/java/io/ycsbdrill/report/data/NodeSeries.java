package io.ycsbdrill.report.data;

import io.ycsbdrill.rundir.CsvFile;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TextFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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
     * @param ageSeconds of the process; empty in a file that does not tell
     * @param network of the server's own; empty where it has none
     * @param receivedMb over a network of the server's own, since that was made; empty where it has none
     * @param sentMb the same
     */
    public record Sample(
            double atSeconds,
            String process,
            double cpuSeconds,
            double memoryMb,
            OptionalDouble ageSeconds,
            String network,
            OptionalDouble receivedMb,
            OptionalDouble sentMb) {
        /** When the process was started; long ago where that is not known. */
        private double start() {
            return ageSeconds.isPresent() ? atSeconds - ageSeconds.getAsDouble() : Double.NEGATIVE_INFINITY;
        }
    }

    /** A stretch of time. */
    public record Stretch(double from, double to) {}

    /**
     * Of a run directory; empty of servers when it has no such file. Where several clients of a merged run have sampled a server, by the first.
     *
     * @throws RunFormatException when the file is damaged as a whole
     */
    public static NodeSeries read(Path directory, List<Problem> problems) {
        Map<String, List<Sample>> nodes = new LinkedHashMap<>();
        NavigableSet<Double> times = new TreeSet<>();
        Map<String, String> clients = new HashMap<>();
        Path path = directory.resolve(RunTable.NODES.file());
        if (Files.isRegularFile(path)) {
            TextFile file = TextFile.read(path);
            new CsvFile(file, problems, RunTable.NODES.required()).forEach(row -> {
                String client = row.text("client");
                if (!clients.computeIfAbsent(row.text("node"), none -> client).equals(client)) {
                    return;
                }
                Sample sample = new Sample(
                        row.required("at_s"),
                        row.text("process"),
                        row.required("cpu_s"),
                        row.required("memory_mb"),
                        row.number("process_s"),
                        row.text("network"),
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

    /** How its samples say what a server used in an interval that ended with one of them. */
    private record Interval(double from, Sample before, Sample sample) {
        boolean overlaps(double start, double end) {
            return from < end && sample.atSeconds > start;
        }

        /** How much of the interval is between two times. */
        double share(double start, double end) {
            double inside = Math.min(end, sample.atSeconds) - Math.max(start, from);
            return Math.max(0, inside) / (sample.atSeconds - from);
        }

        /** Whether a stretch ends inside, and nobody knows how much was used before and how much after that. */
        boolean splits(double start, double end) {
            return sample.atSeconds - from > LONGEST_UNKNOWN_SECONDS
                    && (from < start && start < sample.atSeconds || from < end && end < sample.atSeconds);
        }

        boolean sameProcess() {
            return before != null && before.process.equals(sample.process);
        }
    }

    /**
     * Those of a server. A process counts from its sample before, or from its start where that was seen to be during the run; else, of one
     * that had run for nobody knows how long, from its first sample.
     */
    private List<Interval> intervals(String node) {
        List<Interval> intervals = new ArrayList<>();
        Sample before = null;
        for (Sample sample : nodes.getOrDefault(node, List.of())) {
            if (before != null && before.process.equals(sample.process)) {
                intervals.add(new Interval(before.atSeconds, before, sample));
            } else if (before != null || sample.start() > times.first()) {
                double since = before == null ? sample.start() : Math.max(before.atSeconds, sample.start());
                Double others = times.lower(sample.atSeconds);
                double from = sample.ageSeconds.isPresent() || others == null ? since : Math.max(since, others);
                if (from < sample.atSeconds) {
                    intervals.add(new Interval(from, before, sample));
                }
            }
            before = sample;
        }
        return intervals;
    }

    /** Whether its samples reach from one time to the other, but for times at which it is known to have been down. */
    private boolean covers(String node, double from, double to, List<Stretch> down) {
        double known = Double.NaN;
        Sample before = null;
        for (Sample sample : nodes.getOrDefault(node, List.of())) {
            double since = Math.max(from, before == null ? from : before.atSeconds);
            boolean same = before != null && before.process.equals(sample.process);
            if (!same
                    && sample.atSeconds > from
                    && since < to
                    && unknown(since, Math.min(to, sample.atSeconds), down)) {
                return false;
            }
            before = sample;
            known = sample.atSeconds;
        }
        return before != null && !unknown(Math.max(from, known), to, down);
    }

    /** Whether more than is bearable of a time without samples is outside of those in which the server was down. */
    private static boolean unknown(double from, double to, List<Stretch> down) {
        double inside = 0;
        double end = from;
        for (Stretch each :
                down.stream().sorted(Comparator.comparingDouble(Stretch::from)).toList()) {
            inside += Math.max(0, Math.min(to, each.to) - Math.max(end, each.from));
            end = Math.max(end, each.to);
        }
        return to - from - inside > LONGEST_UNKNOWN_SECONDS;
    }

    /**
     * Processor time between two times. Within an interval between two samples it counts evenly; what a process used after its last
     * sample is not known. Empty where there are no samples near both ends, but for times at which it was down, or where it is not known
     * what was used before an end and what after it.
     *
     * @param down times at which the server was, or may have been, without its process
     */
    public OptionalDouble cpuSeconds(String node, double from, double to, List<Stretch> down) {
        List<Interval> inside = intervals(node).stream()
                .filter(interval -> interval.overlaps(from, to))
                .toList();
        if (!covers(node, from, to, down) || inside.stream().anyMatch(interval -> interval.splits(from, to))) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(inside.stream()
                .mapToDouble(interval -> interval.share(from, to)
                        * (interval.sample.cpuSeconds - (interval.sameProcess() ? interval.before.cpuSeconds : 0)))
                .sum());
    }

    /**
     * What went over a server's own network between two times, in or out. Within an interval between two samples it counts evenly. Empty
     * where that is not known of each sample or of either end, and where the server was started again: what it sent before it ended and
     * what after its start cannot be told apart.
     *
     * @param way {@link Sample#receivedMb} or {@link Sample#sentMb}
     */
    public OptionalDouble megabytes(String node, double from, double to, Function<Sample, OptionalDouble> way) {
        if (!covers(node, from, to, List.of())) {
            return OptionalDouble.empty();
        }
        double sum = 0;
        Sample before = null;
        for (Sample sample : nodes.get(node)) {
            if (before != null) {
                Interval interval = new Interval(before.atSeconds, before, sample);
                if (interval.overlaps(from, to)) {
                    if (!interval.sameProcess()
                            || !before.network.equals(sample.network)
                            || interval.splits(from, to)
                            || way.apply(before).isEmpty()
                            || way.apply(sample).isEmpty()) {
                        return OptionalDouble.empty();
                    }
                    sum += interval.share(from, to)
                            * (way.apply(sample).getAsDouble()
                                    - way.apply(before).getAsDouble());
                }
            }
            before = sample;
        }
        return OptionalDouble.of(sum);
    }

    /** The most memory at a sample between two times; empty when the server had no process at any. */
    public OptionalDouble mostMemoryMb(String node, double from, double to) {
        return nodes.getOrDefault(node, List.of()).stream()
                .filter(sample -> sample.atSeconds >= from && sample.atSeconds <= to)
                .mapToDouble(Sample::memoryMb)
                .max();
    }
}

package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.file.Markers;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.file.RunTotals;
import io.ycsbdrill.client.run.file.StockResult;
import io.ycsbdrill.client.run.file.Summary;
import io.ycsbdrill.client.run.file.WindowFiles;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.Window;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;

/** Completed operations, written as the run directory of a client that did them. */
public record Recording(List<Operation> operations, long endNanos, Instant startedAt) {
    static final long WINDOW = 1_000_000_000L;
    static final long SLICE = 100_000_000L;

    public record Operation(long atNanos, String name, Outcome outcome, long serviceNanos, long responseNanos) {}

    /** With stalls, rare operations, and latencies over five orders of magnitude. */
    public static Recording random(long seed, int count, long endNanos, Instant startedAt) {
        Random random = new Random(seed);
        List<Operation> operations = new ArrayList<>();
        while (operations.size() < count) {
            long at = (long) (random.nextDouble() * endNanos);
            boolean stalled = at / WINDOW % 5 == 3;
            int kind = random.nextInt(100);
            String name = kind == 0 ? "SCAN" : kind < 20 ? "UPDATE" : kind < 25 ? "READ-MODIFY-WRITE" : "READ";
            Outcome outcome = kind % 19 == 7 ? Outcome.FAILED : kind % 23 == 5 ? Outcome.UNKNOWN : Outcome.OK;
            long service = (long) Math.exp(8 + random.nextDouble() * 12);
            if (!stalled) {
                operations.add(new Operation(at, name, outcome, service, service + random.nextInt(1_000_000)));
            }
        }
        return new Recording(operations, endNanos, startedAt);
    }

    /** Those operations, by a client that started and ended at these times of this recording. */
    public Recording part(Predicate<Operation> whose, long fromNanos, long toNanos) {
        return new Recording(
                operations.stream()
                        .filter(whose)
                        .map(o -> new Operation(
                                o.atNanos - fromNanos, o.name, o.outcome, o.serviceNanos, o.responseNanos))
                        .toList(),
                toNanos - fromNanos,
                startedAt.plusNanos(fromNanos));
    }

    public Path write(Path path, Specs specs) throws IOException {
        return write(path, specs, run -> {});
    }

    public interface Change {
        void in(ObjectNode run);
    }

    public Path write(Path path, Specs specs, Change change) throws IOException {
        RunDirectory directory = RunDirectory.create(path);
        Operations names = new Operations();
        TreeMap<Integer, OperationTotals> all = new TreeMap<>();
        try (WindowFiles files = new WindowFiles(directory, names, new Markers(), SLICE)) {
            files.slices(slices(names));
            for (long start = 0; start < endNanos; start += WINDOW) {
                Window window = new Window(start / WINDOW, start, Math.min(endNanos, start + WINDOW));
                add(window, names);
                window.operations().forEach((id, totals) -> all.computeIfAbsent(id, none -> new OperationTotals())
                        .add(totals));
                files.window(window);
            }
            files.complete(WINDOW);
        }
        for (Operation operation : operations) {
            all.get(names.id(operation.name)).returns().merge(operation.outcome.name(), 1L, Long::sum);
        }
        RunTotals totals = RunTotals.of(0, endNanos, 7, OptionalLong.of(operations.size()), all);
        RetryPolicy retry = new RetryPolicy(0, Duration.ZERO);
        directory.write("summary.json", Summary.of(totals, names, endNanos, List.of(), Optional.empty(), retry));
        directory.write("totals.jsonl", totals.lines(names));
        RunSpec spec = specs.in(path);
        directory.write("ycsb.txt", StockResult.merged(totals, names, spec.properties(), retry));
        RunClock clock = new RunClock(System::nanoTime, 0, startedAt);
        ObjectNode run = new RunDocument(spec, SLICE).of(RunResult.State.COMPLETE, List.of(), clock, endNanos);
        change.in(run);
        directory.write("run.json", run);
        return path;
    }

    private void add(Window window, Operations names) {
        Map<String, Map<Outcome, List<Operation>>> completed = operations.stream()
                .filter(o -> o.atNanos >= window.startNanos() && o.atNanos < window.endNanos())
                .collect(Collectors.groupingBy(Operation::name, Collectors.groupingBy(Operation::outcome)));
        completed.forEach((name, outcomes) -> {
            OperationTotals totals = new OperationTotals();
            outcomes.forEach((outcome, all) -> totals.add(
                    outcome,
                    all.size(),
                    histogram(all, Operation::serviceNanos),
                    histogram(all, Operation::responseNanos)));
            window.add(names.id(name), totals);
        });
    }

    private static Histogram histogram(List<Operation> operations, ToLongFunction<Operation> nanos) {
        Histogram histogram = new Histogram(3);
        operations.forEach(operation -> histogram.recordValue(nanos.applyAsLong(operation)));
        return histogram;
    }

    private IntervalTotals slices(Operations names) {
        int count = (int) ((endNanos + SLICE - 1) / SLICE);
        Map<Integer, IntervalTotals.Slices> slices = new HashMap<>();
        for (Operation operation : operations) {
            IntervalTotals.Slices columns = slices.computeIfAbsent(names.id(operation.name), none -> {
                long[] max = new long[count];
                Arrays.fill(max, -1);
                return new IntervalTotals.Slices(new long[Outcome.values().length][count], max);
            });
            int slice = (int) (operation.atNanos / SLICE);
            columns.completed()[operation.outcome.ordinal()][slice]++;
            columns.maxServiceNanos()[slice] = Math.max(columns.maxServiceNanos()[slice], operation.serviceNanos);
        }
        return IntervalTotals.ofSlices(count, SLICE, slices);
    }

    /** Adds markers, as a client that drills has them. */
    public static void markers(Path directory, String... lines) throws IOException {
        try (BufferedWriter out = java.nio.file.Files.newBufferedWriter(directory.resolve("markers.jsonl"))) {
            for (String line : lines) {
                out.write(line + "\n");
            }
        }
    }
}

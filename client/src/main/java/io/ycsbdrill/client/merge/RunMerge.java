package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.RunFigures;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.file.Markers;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.file.RunTotals;
import io.ycsbdrill.client.run.file.StockResult;
import io.ycsbdrill.client.run.file.WindowFiles;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.Window;
import io.ycsbdrill.rundir.HistogramLine;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.RunTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Makes one run directory of those of several clients, exactly: counts are added, and histograms, so that every percentile is the
 * one that a single client would have recorded. Sees files only. For one thread, used once.
 */
public final class RunMerge {
    private final Path out;
    private final List<AlignedClient> clients;
    private final List<AlignedClient> lasting;
    private final Instant origin;
    private final MergedDocument document;
    private final List<String> more;
    private final Operations operations = new Operations();
    private final Markers markers = new Markers();
    private final long windowNanos;
    private Optional<RunFigures> figures = Optional.empty();

    /**
     * What became of it.
     *
     * @param result the merged directory, its state and reasons
     * @param text the stock result; empty when no client ever started
     * @param notes what a reader of the figures must know: clocks, windows beside the grid, clients that ended early
     */
    public record Merged(RunResult result, String text, List<String> notes) {}

    private RunMerge(List<ClientFiles> files, Path out, List<String> more, List<String> command) {
        this.out = out;
        this.more = more;
        boolean any = files.stream().anyMatch(ClientFiles::started);
        origin = any ? AlignedClient.origin(files) : null;
        clients = AlignedClient.align(files, origin);
        lasting = AlignedClient.lasting(clients);
        document = new MergedDocument(clients, command);
        windowNanos = files.get(0).windowNanos();
    }

    /**
     * Merges.
     *
     * @param directories of the clients, at least one
     * @param out new, empty, or with nothing in it but some of the directories
     * @param reasons why the merged run is incomplete, beside what the directories say; usually none
     * @param command for {@code run.json}
     * @throws ConfigException when {@code out} cannot be written to
     * @throws MergeException when the runs are unlike or damaged; nothing was written
     * @throws UncheckedIOException when writing fails
     */
    public static Merged merge(List<Path> directories, Path out, List<String> reasons, List<String> command) {
        String problem = problem(out, directories);
        if (problem != null) {
            throw new ConfigException(problem);
        }
        List<ClientFiles> files = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Path directory : directories) {
            try {
                files.add(ClientFiles.read(directory));
            } catch (MergeException e) {
                problems.addAll(e.problems());
            } catch (RuntimeException e) {
                problems.add(directory + " cannot be read as a run directory: " + e);
            }
        }
        if (!problems.isEmpty()) {
            throw new MergeException(problems);
        }
        MergeCheck.check(files);
        try {
            return new RunMerge(files, out, List.copyOf(reasons), List.copyOf(command)).write();
        } catch (RunFormatException e) {
            throw new MergeException(e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "writing the merged run directory " + out + " failed: " + FileReason.of(e), e);
        }
    }

    private static String problem(Path out, List<Path> directories) {
        if (Files.isDirectory(out) && Files.isWritable(out)) {
            try {
                if (Io.list(out).stream().allMatch(entry -> directories.stream().anyMatch(d -> within(d, entry)))) {
                    return null;
                }
            } catch (IOException e) {
                return "run directory " + out + " cannot be read: " + FileReason.of(e);
            }
        }
        return RunDirectory.problem(out);
    }

    private static boolean within(Path directory, Path entry) {
        return directory
                        .toAbsolutePath()
                        .normalize()
                        .startsWith(entry.toAbsolutePath().normalize())
                && Files.isDirectory(entry);
    }

    private Merged write() throws IOException {
        RunDirectory directory = RunDirectory.create(out);
        RunResult.State state = document.state(more);
        List<String> reasons = document.reasons(more);
        long endNanos = AlignedClient.endNanos(clients);
        directory.write(
                RunFile.RUN,
                document.json(RunResult.State.INCOMPLETE, List.of("the merge has not ended"), origin, endNanos));
        String text = "";
        if (origin != null) {
            markers(directory);
            windows(directory);
            text = results(directory, endNanos);
            copied(directory);
            new MergedSeries(clients).write(directory);
            new MergedOwners(clients)
                    .write(directory, sliceCount(), clients.get(0).files().sliceNanos());
        }
        directory.write(RunFile.RUN, document.json(state, reasons, origin, endNanos));
        return new Merged(new RunResult(out, state, reasons, figures), text, document.notes());
    }

    /** Each line with the client that wrote it; times moved exactly. */
    private void markers(RunDirectory directory) throws IOException {
        List<ObjectNode> lines = new ArrayList<>();
        for (AlignedClient client : clients) {
            for (ObjectNode line : client.files().markers()) {
                long at = line.path("at_ns").asLong() + client.offsetNanos();
                markers.add(at, line.path("label").asText(""));
                ObjectNode moved = line.deepCopy().put("at_ns", at);
                for (String time : List.of("requested_ns", "since_ns")) {
                    if (moved.has(time)) {
                        moved.put(time, Long.toString(moved.path(time).asLong() + client.offsetNanos()));
                    }
                }
                lines.add(moved.put("client", client.number()));
            }
        }
        if (!lines.isEmpty()) {
            try (Writer file = directory.stream(RunFile.MARKERS)) {
                for (ObjectNode line : lines) {
                    file.write(RunDirectory.JSON.writeValueAsString(line) + "\n");
                }
            }
        }
    }

    private void windows(RunDirectory directory) throws IOException {
        long last = lasting.stream()
                .filter(client -> client.files().lastWindow() >= 0)
                .mapToLong(client -> client.files().lastWindow() + client.windowShift())
                .max()
                .orElse(-1);
        // The last one is as long as what is added up in it, also of a client that goes on after the drill.
        long end = clients.stream()
                .filter(client -> client.files().lastWindow() >= 0)
                .mapToLong(client ->
                        client.windowShift() * windowNanos + client.files().windowsEndNanos())
                .map(clientEnd -> Math.min(clientEnd, (last + 1) * windowNanos))
                .max()
                .orElse(0);
        phases();
        long slice = clients.get(0).files().sliceNanos();
        List<WindowQueue> queues = new ArrayList<>();
        try (WindowFiles files = new WindowFiles(directory, operations, markers, slice)) {
            files.slices(slices(slice));
            for (AlignedClient client : clients) {
                if (client.files().started()) {
                    queues.add(new WindowQueue(client));
                }
            }
            for (long index = 0; index <= last; index++) {
                files.window(window(queues, index, index == last ? end : (index + 1) * windowNanos));
            }
            files.complete(windowNanos);
        } finally {
            for (WindowQueue queue : queues) {
                queue.close();
            }
        }
    }

    /** By window, those of the client that drills; else of the one that ended last, so that no phase outlasts its client. */
    private void phases() {
        AlignedClient client = AlignedClient.drill(clients)
                .orElseGet(() -> Collections.max(clients, Comparator.comparingLong(AlignedClient::endNanos)));
        long shift = client.windowShift() * windowNanos;
        client.files().phases().forEach((at, phase) -> markers.phase(shift + at, phase));
    }

    /** The windows of one client, of which the next is at hand. */
    private static final class WindowQueue implements AutoCloseable {
        private final long shift;
        private final ClientWindows windows;
        private Optional<ClientWindow> next;

        WindowQueue(AlignedClient client) throws IOException {
            shift = client.windowShift();
            windows = client.files().windows();
            next = windows.next();
        }

        /** The one with this number in the merged run, if the client has it; asked with rising numbers. */
        Optional<ClientWindow> poll(long index) throws IOException {
            while (next.isPresent() && next.get().index + shift < index) {
                next = windows.next();
            }
            return next.filter(window -> window.index + shift == index);
        }

        @Override
        public void close() throws IOException {
            windows.close();
        }
    }

    private Window window(List<WindowQueue> queues, long index, long end) throws IOException {
        Window sum = new Window(index, index * windowNanos, end);
        for (WindowQueue queue : queues) {
            Optional<ClientWindow> window = queue.poll(index);
            if (window.isPresent()) {
                sum.addSkipped(window.get().skipped);
                for (HistogramLine line : window.get().histograms) {
                    OperationTotals totals = new OperationTotals();
                    totals.add(line);
                    sum.add(operations.id(line.operation()), totals);
                }
            }
        }
        return sum;
    }

    private int sliceCount() {
        return lasting.stream()
                .mapToInt(client -> client.sliceShift() + client.files().sliceCount())
                .max()
                .orElse(0);
    }

    private IntervalTotals slices(long sliceNanos) throws IOException {
        int count = sliceCount();
        Map<Integer, IntervalTotals.Slices> sums = new HashMap<>();
        for (AlignedClient client : clients) {
            if (client.files().started()) {
                client.files()
                        .slices()
                        .addTo(
                                operation -> sums.computeIfAbsent(
                                        operations.id(operation), none -> ClientFiles.emptySlices(count)),
                                client.sliceShift());
            }
        }
        return IntervalTotals.ofSlices(count, sliceNanos, sums);
    }

    private String results(RunDirectory directory, long endNanos) throws IOException {
        MergedSummary merged = new MergedSummary(clients, operations);
        RunTotals totals = merged.totals();
        JsonNode first = clients.get(0).run();
        RetryPolicy retry = new RetryPolicy(first.at("/retry/temporary").asInt(0), Duration.ZERO);
        Properties properties = new Properties();
        first.path("properties")
                .properties()
                .forEach(entry ->
                        properties.setProperty(entry.getKey(), entry.getValue().asText()));
        String text = StockResult.merged(totals, operations, properties, retry);
        ObjectNode summary = merged.json(totals, endNanos, retry);
        figures = Optional.of(RunFigures.of(summary, document.load()));
        directory.write(RunFile.SUMMARY, summary);
        directory.write(RunFile.TOTALS, totals.lines(operations));
        directory.write(RunFile.STOCK_RESULT, text);
        return text;
    }

    /** The drill's stages, moved in time, and the nodes' logs. */
    private void copied(RunDirectory directory) throws IOException {
        Optional<AlignedClient> drill = AlignedClient.drill(clients);
        if (drill.isEmpty()) {
            return;
        }
        Path from = drill.get().files().directory();
        if (Files.exists(from.resolve(RunTable.PHASES.file()))) {
            MergedSeries.add(List.of(drill.get()), RunTable.PHASES, "", directory);
        }
        for (Path log : Io.list(from)) {
            if (log.toString().endsWith(".log") && Files.isRegularFile(log, LinkOption.NOFOLLOW_LINKS)) {
                Files.copy(log, out.resolve(log.getFileName()));
            }
        }
    }
}

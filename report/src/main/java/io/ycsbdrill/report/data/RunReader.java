package io.ycsbdrill.report.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.rundir.CsvFile;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.SliceRow;
import io.ycsbdrill.rundir.TextFile;
import io.ycsbdrill.rundir.Window;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Reads one run directory, its tables and lines here: strict about damage, tolerant of fields and files that it does not know or miss. */
final class RunReader {
    /** What is written so much after the end of a run has not happened in it. */
    private static final double LATEST_SECONDS = Duration.ofHours(1).toSeconds();

    private final Path directory;
    private final List<Problem> problems = new ArrayList<>();
    private JsonNode run = MissingNode.getInstance();

    RunReader(Path directory) {
        this.directory = directory;
    }

    RunData read(boolean withSlices) {
        try {
            return readAll(withSlices);
        } catch (RunFormatException e) {
            // Of a file in it, which does not say of which of several runs it is.
            throw e.getMessage().startsWith(directory.toString())
                    ? e
                    : new RunFormatException(directory + "/" + e.getMessage(), e);
        }
    }

    private RunData readAll(boolean withSlices) {
        RunDocuments documents = new RunDocuments(directory, problems);
        run = documents.run();
        Map<String, List<Window>> windows = readWindows();
        Slices slices = withSlices ? readSlices() : Slices.NONE;
        double end = Stream.concat(
                                Stream.of(
                                        run.path("durationNanos").asDouble(0) / 1e9, slices.count() * slices.seconds()),
                                windows.values().stream().flatMap(List::stream).map(Window::endSeconds))
                        .mapToDouble(Double::doubleValue)
                        .max()
                        .orElse(0)
                + LATEST_SECONDS;
        List<Marker> markers = readMarkers(end);
        List<Stage> stages = readStages(markers, end);
        if (withSlices) {
            checkHistograms(windows);
            noted(RunTable.NODES.file(), Optional.empty(), found -> Optional.of(NodeSeries.read(directory, found)));
        }
        return new RunData(
                directory,
                run,
                windows,
                slices,
                markers,
                stages,
                documents.summary(),
                documents.audit(),
                documents.consistency(),
                withSlices
                        ? noted(
                                RunTable.OWNERS.file(),
                                OwnerSeries.unknown("owners.csv is damaged"),
                                found -> OwnerSeries.read(directory, run, slices, found))
                        : OwnerSeries.unknown("not read"),
                withSlices
                        ? noted(RunTable.THREADS.file(), Optional.empty(), found -> ThreadGaps.read(directory, found))
                        : Optional.empty(),
                withSlices
                        ? noted(
                                RunTable.CLIENT.file(),
                                List.of(),
                                found -> ClientSeries.read(directory, slices.seconds(), found))
                        : List.of(),
                problems);
    }

    private void damaged(String file, int line, String text) {
        problems.add(new Problem(file, line, Problem.Kind.DAMAGED, text));
    }

    private void note(String file, String text) {
        problems.add(new Problem(file, 0, Problem.Kind.NOTE, text));
    }

    /**
     * Reads a file whose damage costs the figures from it, and not the run.
     *
     * @param without what is read when its header is damaged
     */
    private <T> T noted(String name, T without, Function<List<Problem>, T> file) {
        List<Problem> found = new ArrayList<>();
        T read;
        try {
            read = file.apply(found);
        } catch (RunFormatException e) {
            read = without;
            String text = e.getMessage().replace(name + " line 1: ", "");
            found.add(new Problem(name, 1, Problem.Kind.DAMAGED, text));
        }
        found.stream()
                .findFirst()
                .ifPresent(first -> problems.add(new Problem(
                        first.file(),
                        first.line(),
                        Problem.Kind.NOTE,
                        first.text() + "; figures from this file are incomplete or missing")));
        return read;
    }

    /** Reads the lines of a file; empty when the file does not exist. A cut-off last line is reported: damage, unless the run was never closed. */
    private Optional<TextFile> open(String name) {
        Path path = directory.resolve(name);
        if (!InputFile.isThere(path)) {
            return Optional.empty();
        }
        TextFile file;
        try {
            file = TextFile.read(path);
        } catch (RunFormatException e) {
            String text = e.getMessage().replaceFirst("^\\Q" + name + "\\E: ", "");
            damaged(name, 0, text);
            return Optional.of(new TextFile(name, List.of(), false));
        }
        boolean closed = !run.path("endedAt").asText("").isEmpty();
        if (closed && name.endsWith(".csv") && file.lines().isEmpty() && !file.cutOff()) {
            damaged(name, 0, "the file is empty; even its header is missing");
        }
        if (file.cutOff()) {
            problems.add(
                    new Problem(
                            name,
                            file.lines().size() + 1,
                            closed ? Problem.Kind.DAMAGED : Problem.Kind.CUT_OFF,
                            closed
                                    ? "the last line has no line end although the run was closed"
                                    : "the last line ends in the middle; the client was killed while writing it; it is ignored"));
        }
        return Optional.of(file);
    }

    private Map<String, List<Window>> readWindows() {
        Map<String, List<Window>> windows = new LinkedHashMap<>();
        Optional<TextFile> file = open(RunTable.WINDOWS.file());
        if (file.isEmpty()) {
            note(RunTable.WINDOWS.file(), "missing; figures by window are not shown");
            return windows;
        }
        new CsvFile(file.get(), problems, RunTable.WINDOWS.required()).forEach(row -> {
            String operation = row.text("operation");
            if (operation.isEmpty()) {
                throw new IllegalArgumentException("operation is empty");
            }
            Window window = Window.of(row.numbered("window", file.get().lines().size()));
            requirePlace(window);
            windows.computeIfAbsent(operation, name -> new ArrayList<>()).add(window);
        });
        windows.values().forEach(rows -> rows.sort(Comparator.comparingInt(Window::index)));
        windows.forEach(this::checkWindows);
        double end = windows.getOrDefault(Slices.TOTAL, List.of()).stream()
                .mapToDouble(Window::endSeconds)
                .max()
                .orElse(0);
        checkEnd(RunTable.WINDOWS.file(), end, run.path("windowNanos").asDouble(0) / 1e9);
        return windows;
    }

    private static void requireWithin(String name, double seconds, double end) {
        if (seconds < -LATEST_SECONDS || seconds > end) {
            throw new IllegalArgumentException(
                    Formatted.of("%s is at %.1f s, which is not within the run", name, seconds));
        }
    }

    /** A window is where its number says, but for what several clients' clocks differ. */
    private void requirePlace(Window window) {
        double length = run.path("windowNanos").asDouble(10e9) / 1e9;
        if (window.startSeconds() < 0 || window.endSeconds() > (window.index() + 2) * length + LATEST_SECONDS) {
            throw new IllegalArgumentException("start_s " + window.startSeconds() + " and end_s " + window.endSeconds()
                    + " do not belong to window " + window.index());
        }
    }

    /** Whether {@code windows.jsonl} has the operations that {@code windows.csv} has. */
    private void checkHistograms(Map<String, List<Window>> windows) {
        String name = RunFile.HISTOGRAMS;
        Optional<TextFile> file = open(name);
        if (file.isEmpty()) {
            note(name, "missing; the run cannot be merged with those of other clients");
            return;
        }
        if (!windows.isEmpty()) {
            HistogramLines.check(file.get(), windows, problems);
        }
    }

    private void checkWindows(String operation, List<Window> rows) {
        for (int i = 1; i < rows.size(); i++) {
            int expected = rows.get(i - 1).index() + 1;
            if (rows.get(i).index() != expected) {
                damaged(
                        RunTable.WINDOWS.file(),
                        0,
                        "window " + expected + " of " + operation + " is missing or duplicated");
            }
        }
    }

    /** A file that was cut at the end of a line looks whole. */
    private void checkEnd(String name, double end, double interval) {
        double until = Math.min(
                        run.path("durationNanos").asDouble(0),
                        run.path("stoppedNanos").asDouble(Double.MAX_VALUE))
                / 1e9;
        if (end + interval < until - 1e-6) {
            damaged(name, 0, Formatted.of("it ends at %.1f s, and the run at %.1f s", end, until));
        }
    }

    private Slices readSlices() {
        double seconds = run.path("sliceNanos").asDouble(100_000_000) / 1e9;
        Map<String, List<SliceRow>> rows = new LinkedHashMap<>();
        Optional<TextFile> file = open(RunTable.SLICES.file());
        if (file.isEmpty()) {
            note(RunTable.SLICES.file(), "missing; gaps and dips cannot be measured");
            return new Slices(seconds, 0, 0, Map.of(), false);
        }
        int before = problems.size();
        new CsvFile(file.get(), problems, RunTable.SLICES.required()).forEach(row -> rows.computeIfAbsent(
                        row.text("operation"), name -> new ArrayList<>())
                .add(SliceRow.of(row.numbered("slice", file.get().lines().size()))));
        int count = rows.getOrDefault(Slices.TOTAL, List.of()).stream()
                        .mapToInt(SliceRow::slice)
                        .max()
                        .orElse(-1)
                + 1;
        Map<String, Slices.Columns> columns = new LinkedHashMap<>();
        rows.forEach((operation, list) -> columns.put(operation, columns(operation, list, count)));
        checkEnd(RunTable.SLICES.file(), count * seconds, seconds);
        // Calls under way after the stop are no load any more, so what is missing then is no outage.
        double duration =
                run.path("stoppedNanos").asDouble(run.path("durationNanos").asDouble(0)) / 1e9;
        int whole = duration > 0 ? Math.min(count, (int) Math.floor(duration / seconds + 1e-9)) : count;
        return new Slices(seconds, count, whole, columns, problems.size() == before && count > 0);
    }

    /** An operation has no rows before it was first seen, which means zero; after that a missing row is damage. */
    private Slices.Columns columns(String operation, List<SliceRow> rows, int count) {
        int first = operation.equals(Slices.TOTAL)
                ? 0
                : rows.stream().mapToInt(SliceRow::slice).min().orElse(0);
        Slices.Columns columns = Slices.Columns.of(rows, 0, count, Math.min(first, count));
        for (int i = 0; i < count; i++) {
            if (Double.isNaN(columns.ok()[i])) {
                damaged(RunTable.SLICES.file(), 0, "slice " + i + " of " + operation + " is missing");
                break;
            }
        }
        return columns;
    }

    private List<Marker> readMarkers(double end) {
        List<Marker> markers = new ArrayList<>();
        Optional<TextFile> file = open(RunFile.MARKERS);
        if (file.isEmpty()) {
            return markers;
        }
        List<String> lines = file.get().lines();
        for (int i = 0; i < lines.size(); i++) {
            try {
                TextFile.requireText(lines.get(i));
                Marker marker = Marker.of(lines.get(i));
                requireWithin("at_ns", marker.atSeconds(), end);
                markers.add(marker);
            } catch (JsonProcessingException e) {
                damaged(RunFile.MARKERS, i + 1, "damaged line: " + e.getOriginalMessage());
            } catch (IllegalArgumentException e) {
                damaged(RunFile.MARKERS, i + 1, "damaged line: " + e.getMessage());
            }
        }
        markers.sort(Comparator.comparingDouble(Marker::atSeconds));
        return markers;
    }

    /** Reads the stages from {@code phases.csv}, or from the markers when the run was killed before it was written. */
    private List<Stage> readStages(List<Marker> markers, double end) {
        Optional<TextFile> file = open(RunTable.PHASES.file());
        if (file.isEmpty()) {
            return StagesFromMarkers.of(markers);
        }
        List<Stage> stages = new ArrayList<>();
        new CsvFile(file.get(), problems, RunTable.PHASES.required()).forEach(row -> {
            Stage stage = new Stage(
                    row.text("step"),
                    row.text("occurrence"),
                    row.text("fault"),
                    row.text("node"),
                    row.text("phase"),
                    row.required("start_s"),
                    row.number("end_s"));
            requireWithin("start_s", stage.startSeconds(), end);
            requireWithin("end_s", stage.endSeconds().orElse(0), end);
            if (Stage.isStage(stage.phase())) {
                stages.add(stage);
            }
        });
        return stages;
    }
}

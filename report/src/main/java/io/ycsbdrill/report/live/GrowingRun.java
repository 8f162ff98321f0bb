package io.ycsbdrill.report.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.data.Marker;
import io.ycsbdrill.report.data.OwnerSeries;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Slices;
import io.ycsbdrill.report.data.StagesFromMarkers;
import io.ycsbdrill.rundir.CsvHeader;
import io.ycsbdrill.rundir.CsvRow;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.SliceRow;
import io.ycsbdrill.rundir.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * A run directory while its run goes on: reads what is added to its files, and keeps the newest of it. A damaged line is left out;
 * the report, made from the same files later, names it. Owned by one thread at a time.
 */
final class GrowingRun {
    /** An hour. */
    static final int MOST_SLICES = 36_000;

    static final int MOST_WINDOWS = 10_000;

    private static final int MOST_MARKERS = 100_000;

    private final Path directory;
    private final Path figures;
    private final GrowingTable windowFile;
    private final GrowingTable sliceFile;
    private final GrowingFile markerFile;
    private final Map<String, List<Window>> windows = new LinkedHashMap<>();
    private final Map<String, List<SliceRow>> slices = new LinkedHashMap<>();
    private final List<Marker> markers = new ArrayList<>();
    private final long[] totals = new long[3];
    private JsonNode run = MissingNode.getInstance();
    private FileTime runWritten;

    /**
     * @param directory with {@code run.json} and {@code markers.jsonl}
     * @param figures with {@code windows.csv} and {@code slices.csv}: the same, or a folder of their own when the run is of several clients
     */
    GrowingRun(Path directory, Path figures) {
        this.directory = directory;
        this.figures = figures;
        windowFile = new GrowingTable(RunTable.WINDOWS);
        sliceFile = new GrowingTable(RunTable.SLICES);
        markerFile = new GrowingFile(directory.resolve(RunFile.MARKERS));
    }

    /** A growing file of comma-separated values. */
    private final class GrowingTable {
        private final GrowingFile file;
        private final RunTable table;
        private CsvHeader header;

        GrowingTable(RunTable table) {
            file = new GrowingFile(figures.resolve(table.file()));
            this.table = table;
        }

        void more(Consumer<CsvRow> reader) throws IOException {
            for (String line : file.more()) {
                try {
                    if (header == null) {
                        header = new CsvHeader(table.file(), line, table.required());
                    } else {
                        reader.accept(header.row(line));
                    }
                } catch (IllegalArgumentException e) {
                    continue; // left out, as this class says
                }
            }
        }
    }

    /** Reads the new lines of all files; files that do not exist yet are skipped. */
    void poll() throws IOException {
        readRun();
        windowFile.more(this::window);
        sliceFile.more(this::slice);
        windows.values().forEach(rows -> shorten(rows, MOST_WINDOWS));
        slices.values().forEach(rows -> shorten(rows, MOST_SLICES));
        for (String line : markerFile.more()) {
            try {
                if (markers.size() >= MOST_MARKERS) {
                    break;
                }
                markers.add(Marker.of(line));
            } catch (JsonProcessingException | IllegalArgumentException e) {
                continue; // left out, as this class says
            }
        }
    }

    private void window(CsvRow row) {
        Window window = Window.of(row);
        requireNear(window.index(), nextWindow(), MOST_WINDOWS);
        windows.computeIfAbsent(row.text("operation"), name -> new ArrayList<>())
                .add(window);
    }

    /** Room is made for all that come before it. */
    private static void requireNear(int index, int next, int most) {
        if (index - next >= most) {
            throw new IllegalArgumentException("number " + index + " after " + next);
        }
    }

    private void slice(CsvRow row) {
        String operation = row.text("operation");
        SliceRow slice = SliceRow.of(row);
        requireNear(slice.slice(), nextSlice(), MOST_SLICES);
        slices.computeIfAbsent(operation, name -> new ArrayList<>()).add(slice);
        if (operation.equals(Slices.TOTAL)) {
            totals[0] += slice.ok();
            totals[1] += slice.failed();
            totals[2] += slice.unknown();
        }
    }

    /** In large steps, as each moves what is left. */
    private static void shorten(List<?> rows, int most) {
        if (rows.size() > most + most / 10) {
            rows.subList(0, rows.size() - most).clear();
        }
    }

    private void readRun() throws IOException {
        Path file = directory.resolve(RunFile.RUN);
        if (Files.exists(file)) {
            FileTime written = Files.getLastModifiedTime(file);
            if (!written.equals(runWritten)) {
                run = Json.read(file);
                runWritten = written;
            }
        }
    }

    /** {@code run.json}; missing while it is not there. */
    JsonNode run() {
        return run;
    }

    Path directory() {
        return directory;
    }

    /** Whether the figures are those of several clients, and only the first one has a {@code run.json} here. */
    boolean ofSeveralClients() {
        return !figures.equals(directory);
    }

    /** Whether the client has closed the run. One of several clients is closed when it is merged, which makes another directory. */
    boolean closed() {
        return !ofSeveralClients() && !run.path("endedAt").asText("").isEmpty();
    }

    /** The markers so far, in the order of the file. */
    List<Marker> markers() {
        return markers;
    }

    /** The counts of ok, failed and unknown operations so far. */
    long[] totals() {
        return totals;
    }

    /** Windows are complete when their last row, the total, is there; this is the number of the next one. */
    int nextWindow() {
        return next(windows.get(Slices.TOTAL), Window::index);
    }

    int nextSlice() {
        return next(slices.get(Slices.TOTAL), SliceRow::slice);
    }

    private static <T> int next(List<T> rows, ToIntFunction<T> index) {
        return rows == null ? 0 : index.applyAsInt(rows.get(rows.size() - 1)) + 1;
    }

    double sliceSeconds() {
        return run.path("sliceNanos").asDouble(100_000_000) / 1e9;
    }

    /** The run from these windows and slices on; all of its markers. */
    RunData from(int window, int slice) {
        Map<String, List<Window>> newWindows = new LinkedHashMap<>();
        windows.forEach(
                (operation, rows) -> newWindows.put(operation, part(rows, Window::index, window, nextWindow())));
        int count = nextSlice() - slice;
        Map<String, Slices.Columns> columns = new LinkedHashMap<>();
        slices.forEach((operation, rows) -> columns.put(
                operation, Slices.Columns.of(part(rows, SliceRow::slice, slice, nextSlice()), slice, count, count)));
        List<Marker> ordered = new ArrayList<>(markers);
        ordered.sort(Comparator.comparingDouble(Marker::atSeconds));
        double latest = ordered.isEmpty() ? 0 : ordered.get(ordered.size() - 1).atSeconds();
        double seconds = Math.max(latest, nextSlice() * sliceSeconds());
        // Open phases end there, and not with the new windows and slices, which are numbered from their own start.
        JsonNode soFar = run instanceof ObjectNode known
                ? known.deepCopy().put("durationNanos", Math.round(seconds * 1e9))
                : run;
        return new RunData(
                directory,
                soFar,
                newWindows,
                new Slices(sliceSeconds(), count, count, columns, true),
                ordered,
                StagesFromMarkers.of(ordered),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                OwnerSeries.unknown("not read"),
                Optional.empty(),
                List.of(),
                List.of());
    }

    /** The oldest slice that is still kept. */
    int oldestSlice() {
        List<SliceRow> rows = slices.get(Slices.TOTAL);
        return rows == null ? 0 : rows.get(0).slice();
    }

    private static <T> List<T> part(List<T> rows, ToIntFunction<T> index, int from, int to) {
        int first = rows.size();
        while (first > 0 && index.applyAsInt(rows.get(first - 1)) >= from) {
            first--;
        }
        int last = rows.size();
        while (last > first && index.applyAsInt(rows.get(last - 1)) >= to) {
            last--;
        }
        return rows.subList(first, last);
    }
}

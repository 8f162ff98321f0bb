package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.rundir.HistogramLine;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.SliceRow;
import io.ycsbdrill.rundir.TableReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import site.ycsb.Client;
import site.ycsb.workloads.CoreWorkload;

/**
 * The run directory of one client, read for a merge: nothing that is damaged gets past it. What grows with the length of the run is
 * checked, but not kept; it is read again when it is added up, so that memory does not grow with the number of clients.
 */
final class ClientFiles {
    private final Path directory;
    private final JsonNode run;
    private final ClientLines lines;
    private final TreeMap<Long, String> phases = new TreeMap<>();
    private final List<HistogramLine> totals = new ArrayList<>();
    private final List<ObjectNode> markers = new ArrayList<>();
    private long lastWindow = -1;
    private long windowsEndNanos;
    private int sliceCount;
    private JsonNode summary;
    private Optional<ClientClock> clock = Optional.empty();

    private ClientFiles(Path directory, JsonNode run) {
        this.directory = directory;
        this.run = run;
        lines = new ClientLines(directory, !run.path("endedAt").asText("").isEmpty());
    }

    /** @throws MergeException when it is no run directory, or damaged */
    static ClientFiles read(Path directory) {
        try {
            RunData data = RunData.readWithoutSlices(directory);
            List<String> damage = data.problems().stream()
                    .filter(problem -> problem.kind() == Problem.Kind.DAMAGED)
                    .map(problem -> directory + ": damaged: " + problem
                            + "; nothing is merged from a damaged run directory: copy it again or leave it out")
                    .toList();
            if (!damage.isEmpty()) {
                throw new MergeException(damage);
            }
            ClientFiles files = new ClientFiles(directory, data.run());
            files.summary = data.summary().orElse(null);
            files.clock = ClientClock.read(directory);
            files.readAll();
            return files;
        } catch (RunFormatException e) {
            throw new MergeException(e.getMessage());
        } catch (IOException e) {
            throw new MergeException(directory + " cannot be read: " + FileReason.of(e));
        }
    }

    private void readAll() throws IOException {
        for (String name : List.of("windowNanos", "sliceNanos")) {
            if (run.path(name).asLong(0) <= 0) {
                throw new MergeException(directory.resolve(RunFile.RUN) + ": " + name + " is missing or not positive");
            }
        }
        try {
            Instant.parse(run.path("startedAt").asText("1970-01-01T00:00:00Z"));
        } catch (RuntimeException e) {
            throw new MergeException(directory.resolve(RunFile.RUN) + ": startedAt = "
                    + run.path("startedAt").asText() + " is not an instant like 2026-11-21T12:00:00Z");
        }
        if (!started()) {
            return;
        }
        for (String name : List.of(RunTable.WINDOWS.file(), RunFile.HISTOGRAMS, RunTable.SLICES.file())) {
            if (!Files.isRegularFile(directory.resolve(name))) {
                throw new MergeException(
                        directory + ": " + name + " is missing; without it the run cannot be merged exactly");
            }
        }
        String phase = "";
        try (ClientWindows all = windows()) {
            for (Optional<ClientWindow> next = all.next(); next.isPresent(); next = all.next()) {
                ClientWindow window = next.get();
                window.check(directory);
                lastWindow = window.index;
                windowsEndNanos = window.endNanos;
                for (Map.Entry<Long, String> start : window.phaseStarts().entrySet()) {
                    if (!start.getValue().equals(phase)) {
                        phase = start.getValue();
                        phases.put(start.getKey(), phase);
                    }
                }
            }
        }
        sliceCount = slices().check();
        totals.addAll(lines.histograms(RunFile.TOTALS));
        lines.json(RunFile.MARKERS).forEach(line -> markers.add((ObjectNode) line));
        lines.rows(RunTable.OWNERS, SliceRow::of);
        MergedSeries.check(this);
    }

    /** So many slices of one operation in which nothing completed. */
    static IntervalTotals.Slices emptySlices(int count) {
        long[] none = new long[count];
        Arrays.fill(none, -1);
        return new IntervalTotals.Slices(new long[Outcome.values().length][count], none);
    }

    /** Opens one of its other tables; to be closed. */
    TableReader open(RunTable table) throws IOException {
        return lines.open(table);
    }

    Path directory() {
        return directory;
    }

    JsonNode run() {
        return run;
    }

    long windowNanos() {
        return run.path("windowNanos").asLong();
    }

    long sliceNanos() {
        return run.path("sliceNanos").asLong();
    }

    /** Whether its clock was ever started. */
    boolean started() {
        return !run.path("startedAt").asText("").isEmpty();
    }

    /** By the first client's clock, where that was compared with its own; else by its own. */
    Instant startedAt() {
        return Instant.parse(run.path("startedAt").asText())
                .minusNanos(clock.map(ClientClock::offsetNanos).orElse(0L));
    }

    /** How its clock differs from the first client's; empty when that was not measured. */
    Optional<ClientClock> clock() {
        return clock;
    }

    /** How long it ran; of a client that was killed, as far as its windows and slices tell. */
    long endNanos() {
        if (run.path("durationNanos").asLong(0) > 0) {
            return run.path("durationNanos").asLong();
        }
        return Math.max(windowsEndNanos, sliceCount * sliceNanos());
    }

    /** Its windows from the first on, read anew; to be closed. */
    ClientWindows windows() throws IOException {
        return new ClientWindows(lines);
    }

    /** The number of its last window; -1 without any. */
    long lastWindow() {
        return lastWindow;
    }

    /** The end of its last window; 0 without any. */
    long windowsEndNanos() {
        return windowsEndNanos;
    }

    /** Each change of the phase in {@code windows.csv}, by its time; empty texts for none. */
    SortedMap<Long, String> phases() {
        return phases;
    }

    ClientSlices slices() {
        return slices(RunTable.SLICES, "operation");
    }

    /** The slices in a table of this form that are of other things than operations. */
    ClientSlices slices(RunTable table, String column) {
        return new ClientSlices(lines, table, column);
    }

    int sliceCount() {
        return sliceCount;
    }

    /** Histograms of the trimmed run; empty in directories of earlier versions and of clients that were killed. */
    List<HistogramLine> totals() {
        return totals;
    }

    boolean hasTotals() {
        return Files.isRegularFile(directory.resolve(RunFile.TOTALS));
    }

    /** Whether its own writes were read back. */
    boolean isAudited() {
        return Files.isRegularFile(directory.resolve(RunFile.AUDIT));
    }

    List<ObjectNode> markers() {
        return markers;
    }

    Optional<JsonNode> summary() {
        return Optional.ofNullable(summary);
    }

    /**
     * Whether its calls tell how many transactions there were. CoreWorkload makes one for each, and a second one for a read-modify-write,
     * which it reports; but each attempt of an insert is a call, and a read-modify-write that a deadline has cut off is not reported.
     */
    boolean callsTellTransactions() {
        String core = CoreWorkload.class.getName();
        JsonNode properties = run.path("properties");
        JsonNode modified = properties.path(CoreWorkload.READMODIFYWRITE_PROPORTION_PROPERTY);
        return properties.path(Client.WORKLOAD_PROPERTY).asText(core).equals(core)
                && run.path("insertRetries").asInt() == 0
                && properties.path(CoreWorkload.INSERTION_RETRY_LIMIT).asInt() == 0
                && (modified.asDouble() == 0 || !run.path("opTimeout").isObject());
    }

    /** Whether it injected faults. */
    boolean drills() {
        return run.path("drill").isObject()
                || markers.stream().anyMatch(line -> line.path("kind").asText().equals("fault-started"));
    }

    /** Its share of a run of several clients, as it was given. */
    ClientShare part() {
        JsonNode part = run.path("part");
        return part.isObject()
                ? new ClientShare(part.path("number").asInt(), part.path("of").asInt())
                : ClientShare.WHOLE;
    }
}

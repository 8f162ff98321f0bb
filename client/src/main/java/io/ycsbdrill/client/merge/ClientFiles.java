package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.ClientShare;
import io.ycsbdrill.client.run.HistogramLine;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.report.data.Problem;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.RunFormatException;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The run directory of one client, read for a merge: nothing that is damaged gets past it. Read once, then only asked. */
final class ClientFiles {
    private static final String TOTAL = "TOTAL";

    private final Path directory;
    private final JsonNode run;
    private final ClientLines lines;
    private final TreeMap<Long, ClientWindow> windows = new TreeMap<>();
    private final Map<String, IntervalTotals.Slices> slices = new LinkedHashMap<>();
    private final List<HistogramLine> totals = new ArrayList<>();
    private final List<ObjectNode> markers = new ArrayList<>();
    private int sliceCount;
    private JsonNode summary;
    private Optional<ClientClock> clock = Optional.empty();

    /** One window: what {@code windows.csv} says of it, and its histograms. */
    static final class ClientWindow {
        final long startNanos;
        final long endNanos;
        final String phase;
        long skipped;
        final Map<String, long[]> counts = new LinkedHashMap<>();
        final List<HistogramLine> histograms = new ArrayList<>();

        private ClientWindow(long startNanos, long endNanos, String phase) {
            this.startNanos = startNanos;
            this.endNanos = endNanos;
            this.phase = phase;
        }
    }

    private ClientFiles(Path directory, JsonNode run) {
        this.directory = directory;
        this.run = run;
        lines = new ClientLines(directory, !run.path("endedAt").asText("").isEmpty());
    }

    /** @throws MergeException when it is no run directory, or damaged */
    static ClientFiles read(Path directory) {
        try {
            RunData data = RunData.read(directory);
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
                throw new MergeException(directory.resolve("run.json") + ": " + name + " is missing or not positive");
            }
        }
        try {
            Instant.parse(run.path("startedAt").asText("1970-01-01T00:00:00Z"));
        } catch (RuntimeException e) {
            throw new MergeException(directory.resolve("run.json") + ": startedAt = "
                    + run.path("startedAt").asText() + " is not an instant like 2026-11-21T12:00:00Z");
        }
        if (!started()) {
            return;
        }
        for (String name : List.of("windows.csv", "windows.jsonl", "slices.csv")) {
            if (!Files.isRegularFile(directory.resolve(name))) {
                throw new MergeException(
                        directory + ": " + name + " is missing; without it the run cannot be merged exactly");
            }
        }
        lines.rows("windows.csv").forEach(this::windowRow);
        lines.histograms("windows.jsonl").forEach(this::histogram);
        windows.forEach(this::checkWindow);
        List<Map<String, String>> sliceRows = lines.rows("slices.csv");
        sliceCount = 1
                + sliceRows.stream()
                        .mapToInt(row -> Integer.parseInt(row.get("slice")))
                        .max()
                        .orElse(-1);
        sliceRows.forEach(this::sliceRow);
        totals.addAll(lines.histograms("totals.jsonl"));
        lines.json("markers.jsonl").forEach(line -> markers.add((ObjectNode) line));
    }

    private void windowRow(Map<String, String> row) {
        ClientWindow window = windows.computeIfAbsent(
                Long.parseLong(row.get("window")),
                index -> new ClientWindow(
                        nanos(row.get("start_s"), 9), nanos(row.get("end_s"), 9), row.getOrDefault("phase", "")));
        if (row.get("operation").equals(TOTAL)) {
            window.skipped = row.getOrDefault("skipped", "").isEmpty() ? 0 : Long.parseLong(row.get("skipped"));
        } else {
            window.counts.put(row.get("operation"), counts(row));
        }
    }

    private static long[] counts(Map<String, String> row) {
        return Arrays.stream(Outcome.values())
                .mapToLong(outcome -> Long.parseLong(row.get(outcome.name().toLowerCase(Locale.ROOT))))
                .toArray();
    }

    private static long nanos(String number, int decimals) {
        return new BigDecimal(number).movePointRight(decimals).longValue();
    }

    /** Of a client that was killed, histograms may be there whose window is not in {@code windows.csv}: they are left out. */
    private void histogram(HistogramLine line) {
        ClientWindow window = windows.get(line.window());
        if (window != null) {
            window.histograms.add(line);
        }
    }

    /** The two files must agree. */
    private void checkWindow(long index, ClientWindow window) {
        Map<String, long[]> found = new HashMap<>();
        for (HistogramLine line : window.histograms) {
            if (!line.response()) {
                found.computeIfAbsent(line.operation(), none -> new long[Outcome.values().length])[
                                line.outcome().ordinal()] +=
                        line.count();
            }
        }
        window.counts.forEach((operation, counts) -> {
            long[] inHistograms = found.getOrDefault(operation, new long[counts.length]);
            if (!Arrays.equals(counts, inHistograms)) {
                throw new MergeException(directory + ": damaged: window " + index + " of " + operation + " has "
                        + Arrays.toString(counts) + " operations (ok, failed, unknown) in windows.csv, but "
                        + Arrays.toString(inHistograms) + " in windows.jsonl");
            }
        });
    }

    private void sliceRow(Map<String, String> row) {
        if (row.get("operation").equals(TOTAL)) {
            return;
        }
        IntervalTotals.Slices columns = slices.computeIfAbsent(row.get("operation"), none -> emptySlices(sliceCount));
        int slice = Integer.parseInt(row.get("slice"));
        long[] counts = counts(row);
        for (int o = 0; o < counts.length; o++) {
            columns.completed()[o][slice] = counts[o];
        }
        String max = row.getOrDefault("max_service_us", "");
        columns.maxServiceNanos()[slice] = max.isEmpty() ? -1 : nanos(max, 3);
    }

    /** So many slices of one operation in which nothing completed. */
    static IntervalTotals.Slices emptySlices(int count) {
        long[] none = new long[count];
        Arrays.fill(none, -1);
        return new IntervalTotals.Slices(new long[Outcome.values().length][count], none);
    }

    /** Of one of its other comma-separated files, each line by column name. */
    List<Map<String, String>> rows(String name) throws IOException {
        return lines.rows(name);
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
        long end = windows.isEmpty() ? 0 : windows.lastEntry().getValue().endNanos;
        return Math.max(end, sliceCount * sliceNanos());
    }

    /** By number. */
    TreeMap<Long, ClientWindow> windows() {
        return windows;
    }

    /** By operation, without the total. */
    Map<String, IntervalTotals.Slices> slices() {
        return slices;
    }

    int sliceCount() {
        return sliceCount;
    }

    /** Histograms of the trimmed run; empty in directories of earlier versions and of clients that were killed. */
    List<HistogramLine> totals() {
        return totals;
    }

    boolean hasTotals() {
        return Files.isRegularFile(directory.resolve("totals.jsonl"));
    }

    /** Whether its own writes were read back. */
    boolean isAudited() {
        return Files.isRegularFile(directory.resolve("audit.json"));
    }

    List<ObjectNode> markers() {
        return markers;
    }

    Optional<JsonNode> summary() {
        return Optional.ofNullable(summary);
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

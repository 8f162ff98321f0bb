package io.ycsbdrill.client.audit.journal;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.client.audit.journal.WriteHistory.KeyWrites;
import io.ycsbdrill.rundir.CompleteLines;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * All data was lost and came back as of a backup. What was acknowledged in between may be in the backup or not: after the restore it is as a write
 * of unknown outcome that takes effect no more. Immutable.
 *
 * @param pointNanos what was acknowledged before is in the backup
 * @param lossNanos when the loss began
 * @param restoredNanos when the backup was in the place of the data, and no client could use it: nothing of before is acknowledged later, as a client that was
 *     slow to see its answer has seen it by then, and nothing new earlier
 */
public record Rollback(long pointNanos, long lossNanos, long restoredNanos) {

    /** The only markers that are looked at. */
    private record Told(String what, long at, long requested) {
        static Told of(JsonNode marker) {
            return new Told(
                    marker.path("kind").asText() + " "
                            + marker.path("fault").asText(marker.path("label").asText()),
                    marker.path("at_ns").asLong(),
                    marker.path("requested_ns").asLong());
        }
    }

    /**
     * What the markers of a run say: only the removal of the data itself counts, and only where a backup and the loss are known; else everything
     * is judged as without a restore.
     *
     * @param problem told why what they say of a restore is not used
     * @return since run start; empty when nothing was restored, or too little is known of it
     */
    public static Optional<Rollback> of(Path runDirectory, Consumer<String> problem) {
        List<Told> markers;
        try {
            markers = read(runDirectory.resolve(RunFile.MARKERS));
        } catch (IOException | UncheckedIOException | RunFormatException e) {
            problem.accept(
                    "markers.jsonl cannot be read, so a restore from a backup would not be known: " + e.getMessage());
            return Optional.empty();
        }
        List<Told> restored = markers.stream()
                .filter(each -> each.what.equals("event restored"))
                .toList();
        if (restored.isEmpty()) {
            return Optional.empty();
        }
        long end = restored.get(0).at;
        Optional<Long> loss = markers.stream()
                .filter(each -> each.what.equals("fault-injected restore") && each.at <= end)
                .map(Told::requested)
                .min(Long::compare);
        Optional<Long> point = loss.flatMap(begin -> markers.stream()
                .filter(each -> each.what.equals("fault-injected backup") && each.at <= begin)
                .map(Told::requested)
                .max(Long::compare));
        if (point.isEmpty() || restored.size() > 1) {
            problem.accept("markers.jsonl tells of "
                    + (restored.size() > 1
                            ? restored.size() + " restores"
                            : "a restore without a loss and a backup before")
                    + ", so nothing is excused by it: what is missing counts as lost");
            return Optional.empty();
        }
        return Optional.of(new Rollback(point.get(), loss.get(), end));
    }

    private static List<Told> read(Path file) throws IOException {
        List<Told> markers = new ArrayList<>();
        try (CompleteLines lines = new CompleteLines(file, false)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (line.contains("\"fault-injected\"") || line.contains("\"restored\"")) {
                    markers.add(Told.of(Json.READER.readTree(line)));
                }
            }
        }
        return markers;
    }

    /** The same on another clock. */
    public Rollback since(long originNanos) {
        return new Rollback(pointNanos + originNanos, lossNanos + originNanos, restoredNanos + originNanos);
    }

    /** Whether a write that was acknowledged then may be lost with the rest. */
    boolean takes(long acknowledgedNanos) {
        return acknowledgedNanos > pointNanos && acknowledgedNanos < restoredNanos;
    }

    /** As it was until the loss. */
    public KeyWrites before(KeyWrites key) {
        return new KeyWrites(
                key.key(),
                key.all().stream()
                        .filter(write -> write.startNanos() < restoredNanos)
                        .map(Write::asAcknowledged)
                        .toList(),
                key.reads().stream().filter(this::isBefore).toList());
    }

    /** As it is since then: of the reads before it, only those show what is there that ended before the backup. */
    public KeyWrites after(KeyWrites key) {
        List<Read> reads = key.reads().stream()
                .filter(read -> read.endNanos() < pointNanos || isAfter(read))
                .toList();
        return new KeyWrites(key.key(), key.all(), reads);
    }

    /** Whether the read ended before the data were replaced. */
    private boolean isBefore(Read read) {
        return read.endNanos() < restoredNanos;
    }

    /** Whether the read began after that. */
    public boolean isAfter(Read read) {
        return read.startNanos() > restoredNanos;
    }

    /** Whether it is known what the read could show: not of one that was under way. */
    public boolean judges(Read read) {
        return isBefore(read) || isAfter(read);
    }
}

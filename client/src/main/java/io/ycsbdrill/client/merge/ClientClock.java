package io.ycsbdrill.client.merge;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.RunFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How far a client's clock was ahead of the first client's. Each exchange of four timestamps has the true offset within half of its
 * time on the way of the one that it finds; the median of several is taken, and the bound follows from the quickest one.
 *
 * @param offsetNanos what the client's clock showed more
 * @param uncertaintyNanos how far the true offset may be from it, at any time of the run that was looked at; not negative
 * @param exchanges how many it was made from
 */
public record ClientClock(long offsetNanos, long uncertaintyNanos, int exchanges) {
    /**
     * One exchange, in nanoseconds since the epoch.
     *
     * @param sent the question, by this clock
     * @param received it, by the other one
     * @param answered it, by the other one
     * @param heard the answer, by this clock
     */
    public record Exchange(long sent, long received, long answered, long heard) {
        long offset() {
            return ((received - sent) + (answered - heard)) / 2;
        }

        /** Time on the way, there and back. */
        long travel() {
            return Math.max(0, (heard - sent) - (answered - received));
        }
    }

    /**
     * Of several exchanges before the run, and perhaps some at its end; the offset before the run counts, and the drift since then is
     * part of the uncertainty.
     *
     * @param before at least one
     * @param after may be empty
     */
    public static ClientClock of(List<Exchange> before, List<Exchange> after) {
        long offset = median(before);
        long bound = bound(before, offset);
        if (!after.isEmpty()) {
            bound = Math.max(bound, bound(after, offset));
        }
        return new ClientClock(offset, bound, before.size() + after.size());
    }

    private static long median(List<Exchange> exchanges) {
        List<Long> offsets =
                new ArrayList<>(exchanges.stream().map(Exchange::offset).toList());
        offsets.sort(Comparator.naturalOrder());
        int middle = offsets.size() / 2;
        return offsets.size() % 2 == 1 ? offsets.get(middle) : (offsets.get(middle - 1) + offsets.get(middle)) / 2;
    }

    /** The true offset is within half of its travel of the quickest exchange's, wherever the two ways differ. */
    private static long bound(List<Exchange> exchanges, long offset) {
        Exchange quickest = exchanges.stream()
                .min(Comparator.comparingLong(Exchange::travel))
                .orElseThrow();
        return Math.abs(quickest.offset() - offset) + (quickest.travel() + 1) / 2;
    }

    /** Puts it into a client's run directory. */
    public void write(Path directory) throws IOException {
        Files.write(directory.resolve(RunFile.CLOCK), RunDirectory.JSON.writeValueAsBytes(json().put("schema", 1)));
    }

    /**
     * That of a client's run directory; empty when none was measured.
     *
     * @throws MergeException when it cannot be read
     */
    static Optional<ClientClock> read(Path directory) {
        Path file = directory.resolve(RunFile.CLOCK);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            JsonNode clock = Json.read(file);
            if (!clock.path("offsetNanos").isIntegralNumber()
                    || clock.path("uncertaintyNanos").asLong(-1) < 0) {
                throw new MergeException(file + ": offsetNanos or uncertaintyNanos is missing");
            }
            return Optional.of(Json.READER.treeToValue(clock, ClientClock.class));
        } catch (IOException e) {
            throw new MergeException(file + " cannot be read: " + FileReason.of(e));
        }
    }

    ObjectNode json() {
        return Json.READER.valueToTree(this);
    }
}

package io.ycsbdrill.experiment.run;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How a cell ended; its file {@code cell.json} is what makes the cell complete.
 *
 * @param counts whether its figures count
 * @param reason why they do not; empty when they do
 * @param startedAt when its command was started, or it was decided not to run it
 * @param seconds how long the command took; 0 when it was not run
 * @param exitCode of the command; -1 when it was not run
 * @param position how many cells of the experiment had ended before it
 * @param deviceReadMegabytes what the machine read from its disks meanwhile; empty when that is not known
 */
record CellResult(
        boolean counts,
        String reason,
        Instant startedAt,
        double seconds,
        int exitCode,
        int position,
        OptionalDouble deviceReadMegabytes) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String FILE = "cell.json";

    static CellResult notRun(String reason, int position) {
        return new CellResult(false, "not run: " + reason, Instant.now(), 0, -1, position, OptionalDouble.empty());
    }

    void write(Path cell) throws IOException {
        ObjectNode node = JSON.createObjectNode();
        node.put("state", counts ? "ok" : "NA");
        node.put("reason", reason);
        node.put("startedAt", startedAt.toString());
        node.put("seconds", seconds);
        node.put("exitCode", exitCode);
        node.put("position", position);
        deviceReadMegabytes.ifPresent(value -> node.put("deviceReadMegabytes", value));
        AtomicFile.write(cell.resolve(FILE), node.toPrettyString() + "\n");
    }

    /** The result of a complete cell: one that counts has its run directory. Empty for one that must be run. */
    static Optional<CellResult> read(Path cell) {
        Path file = cell.resolve(FILE);
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        try {
            var node = Json.read(file);
            boolean counts = node.path("state").asText().equals("ok");
            if (counts && !Files.isRegularFile(cell.resolve("run/summary.json"))) {
                return Optional.empty();
            }
            return Optional.of(new CellResult(
                    counts,
                    node.path("reason").asText(),
                    Instant.parse(node.path("startedAt").asText()),
                    node.path("seconds").asDouble(),
                    node.path("exitCode").asInt(),
                    node.path("position").asInt(),
                    node.has("deviceReadMegabytes")
                            ? OptionalDouble.of(node.path("deviceReadMegabytes").asDouble())
                            : OptionalDouble.empty()));
        } catch (IOException | DateTimeParseException e) {
            return Optional.empty(); // damaged, so it is run again
        }
    }
}

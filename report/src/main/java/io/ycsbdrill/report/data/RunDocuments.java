package io.ycsbdrill.report.data;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Io;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.NotARunException;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The JSON documents of one run directory. Damage to any but {@code run.json} costs what it says, and not the run. */
final class RunDocuments {
    private static final Duration LONGEST = Duration.ofDays(366);
    /** Fields of {@code run.json} in nanoseconds, and the least that each can be. */
    private static final Map<String, Long> TIMES =
            Map.of("durationNanos", 0L, "stoppedNanos", 0L, "warmupNanos", 0L, "windowNanos", 1L, "sliceNanos", 1L);

    private final Path directory;
    private final List<Problem> problems;
    private final JsonNode run;

    /**
     * Reads {@code run.json}.
     *
     * @param problems are added to it as they are found
     * @throws RunFormatException when it is missing, damaged or of a later version
     */
    RunDocuments(Path directory, List<Problem> problems) {
        this.directory = directory;
        this.problems = problems;
        run = readRun();
    }

    /** The content of {@code run.json}, without times that no run has. */
    JsonNode run() {
        return run;
    }

    private JsonNode readRun() {
        Path file = directory.resolve(RunFile.RUN);
        if (!Files.isRegularFile(file)) {
            throw NotARunException.of(directory);
        }
        JsonNode node = parse(file);
        requireKnown(file, node.path("schema"));
        TIMES.forEach((name, least) -> checkTime((ObjectNode) node, name, least));
        return node;
    }

    /** A length of time that no run has is left out, so that nothing is computed from it. */
    private void checkTime(ObjectNode node, String name, long least) {
        JsonNode time = node.path(name);
        boolean right = time.isIntegralNumber()
                && time.canConvertToLong()
                && time.asLong() >= least
                && time.asLong() <= LONGEST.toNanos();
        if (!time.isMissingNode() && !time.isNull() && !right) {
            damaged(
                    RunFile.RUN,
                    name + " = " + PlainText.shortened(time.toString(), 40) + "; expected a whole number from " + least
                            + " to " + LONGEST.toNanos() + " (" + LONGEST.toDays() + " days)");
            node.remove(name);
        }
    }

    /** Compared as it is written: a number that is too large for an int must not become a small one. */
    private static void requireKnown(Path file, JsonNode schema) {
        if (!schema.isIntegralNumber() || schema.bigIntegerValue().signum() < 1) {
            throw new RunFormatException(
                    file + ": field schema is missing; a version from 1 to " + RunFile.SCHEMA + " is expected");
        }
        if (schema.bigIntegerValue().compareTo(BigInteger.valueOf(RunFile.SCHEMA)) > 0) {
            throw new RunFormatException(file + ": schema " + PlainText.shortened(schema.asText(), 40)
                    + " is newer than this program, which knows up to "
                    + RunFile.SCHEMA + "; use the version that wrote the run, or a later one");
        }
    }

    /** Reads another document of the run; old ones may lack a schema. */
    private static JsonNode part(Path file) {
        JsonNode node = parse(file);
        if (!node.isObject()) {
            throw new RunFormatException(file + " is not a JSON object");
        }
        if (node.has("schema")) {
            requireKnown(file, node.path("schema"));
        }
        return node;
    }

    /** Empty when it is missing or damaged. */
    Optional<JsonNode> summary() {
        Path file = directory.resolve(RunFile.SUMMARY);
        if (!Files.exists(file)) {
            if (run.path("state").asText().equals("complete")) {
                note(RunFile.SUMMARY, "missing; totals are computed from windows.jsonl");
            }
            return Optional.empty();
        }
        return readable(RunFile.SUMMARY, () -> Optional.of(part(file)));
    }

    private <T> Optional<T> readable(String file, Supplier<Optional<T>> reading) {
        try {
            return reading.get();
        } catch (RunFormatException e) {
            damaged(file, e.getMessage());
            return Optional.empty();
        }
    }

    /** The same. */
    Optional<AuditData> audit() {
        // Of several clients the audit is that of all together.
        boolean whole = run.path("part").path("of").asInt(1) == 1;
        boolean missing = !Files.exists(directory.resolve(RunFile.AUDIT));
        if (missing && whole && run.path("state").asText().equals("complete") && hasJournal()) {
            damaged(
                    RunFile.AUDIT,
                    "missing, although the run has recorded its writes (journal/): they were never judged; `ycsb audit"
                            + " DIR` does it");
        }
        return readable(RunFile.AUDIT, () -> audit(directory));
    }

    /** Its own, or those of its clients. */
    private boolean hasJournal() {
        return Io.get(directory + " cannot be listed", () -> Io.list(directory)).stream()
                .anyMatch(file -> file.endsWith(RunFile.JOURNAL)
                        || file.getFileName().toString().startsWith("client-")
                                && Files.isDirectory(file.resolve(RunFile.JOURNAL)));
    }

    /** The same. */
    Optional<ConsistencyData> consistency() {
        Path file = directory.resolve(RunFile.CONSISTENCY);
        return readable(
                RunFile.CONSISTENCY,
                () -> Files.exists(file) ? Optional.of(new ConsistencyData(part(file))) : Optional.empty());
    }

    /** Reads the findings of the run's audit; empty without one. */
    static Optional<AuditData> audit(Path directory) {
        Path file = directory.resolve(RunFile.AUDIT);
        return Files.exists(file) ? Optional.of(new AuditData(part(file))) : Optional.empty();
    }

    private static JsonNode parse(Path file) {
        try {
            return Json.read(file);
        } catch (JsonProcessingException e) {
            throw new RunFormatException(
                    file + " line "
                            + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()) + " is not JSON: "
                            + e.getOriginalMessage(),
                    e);
        } catch (IOException e) {
            throw new RunFormatException(file + ": " + FileReason.of(e), e);
        }
    }

    private void damaged(String file, String text) {
        problems.add(new Problem(file, 0, Problem.Kind.DAMAGED, text));
    }

    private void note(String file, String text) {
        problems.add(new Problem(file, 0, Problem.Kind.NOTE, text));
    }
}

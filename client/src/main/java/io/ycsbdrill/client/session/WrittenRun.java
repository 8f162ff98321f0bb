package io.ycsbdrill.client.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.audit.Audit;
import io.ycsbdrill.client.audit.journal.Write;
import io.ycsbdrill.client.run.RunAudit;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.NotARunException;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A run whose client threads are gone and that recorded its writes ({@code --audit}), as its directory describes it. What it wrote can be
 * read back at any time, as often as asked, until somebody else writes to the table.
 */
public final class WrittenRun {
    private final RunSpec spec;
    private final Instant start;
    private final boolean justEnded;

    private WrittenRun(RunSpec spec, Instant start, boolean justEnded) {
        this.spec = spec;
        this.start = start;
        this.justEnded = justEnded;
    }

    /**
     * Of a run directory, of one client or of several merged.
     *
     * @param changed properties in place of recorded ones, such as passwords, which are not recorded
     * @throws ConfigException when it is none, has never started, or a property that it needs is not recorded
     */
    public static WrittenRun of(Path directory, Map<String, String> changed) {
        if (!Files.isRegularFile(directory.resolve(RunFile.RUN))) {
            throw new ConfigException(NotARunException.of(directory).getMessage());
        }
        JsonNode run = json(directory);
        if (Audit.journals(directory).isEmpty()) {
            throw new ConfigException(directory + " has no write journal and cannot be audited: only a run"
                    + " with --audit can be audited");
        }
        Properties properties = new Properties();
        run.path("properties")
                .properties()
                .forEach(entry ->
                        properties.setProperty(entry.getKey(), entry.getValue().asText()));
        properties.putAll(changed);
        properties.forEach((key, value) -> {
            // Whatever stands there for one is not what this program has written: a file to be sent to a server,
            // perhaps.
            boolean secret = Secrets.isSecret(key.toString()) && !changed.containsKey(key);
            if (secret || value.toString().contains(Secrets.MASK)) {
                throw new ConfigException("the value of " + key
                        + " was not recorded, as it is a secret; give it with -p " + key + "=...");
            }
        });
        return new WrittenRun(
                RunSpec.builder()
                        .binding(
                                run.path("binding").asText(),
                                run.path("bindingClass").asText())
                        .properties(properties)
                        .mode(run.path("mode").asText().equals("load") ? RunSpec.Mode.LOAD : RunSpec.Mode.RUN)
                        .threads(Math.max(1, run.path("threads").asInt()))
                        .out(directory)
                        .build(),
                start(run),
                false);
    }

    /** The run that this specification was of, and whose processes have just ended. */
    static WrittenRun of(RunSpec spec) {
        return new WrittenRun(spec, start(json(spec.out())), true);
    }

    private static JsonNode json(Path directory) {
        Path file = directory.resolve(RunFile.RUN);
        try {
            return Json.read(file);
        } catch (IOException e) {
            throw new ConfigException(file + " cannot be read: " + FileReason.of(e) + "; name the directory of a run");
        }
    }

    /**
     * Marks a run as incomplete that was thought to be complete.
     *
     * @throws java.io.UncheckedIOException when its {@code run.json} cannot be written
     */
    static RunResult incomplete(RunResult result, String reason) {
        ObjectNode run = (ObjectNode) json(result.directory());
        List<String> reasons = new ArrayList<>(result.reasons());
        reasons.add(reason);
        run.put("state", RunResult.State.INCOMPLETE.label());
        reasons.forEach(run.putArray("reasons")::add);
        RunDirectory.create(result.directory()).write(RunFile.RUN, run);
        return new RunResult(result.directory(), RunResult.State.INCOMPLETE, reasons, result.figures());
    }

    private static Instant start(JsonNode run) {
        try {
            return Instant.parse(run.path("startedAt").asText());
        } catch (DateTimeParseException e) {
            throw new ConfigException("the run never started (run.json has no startedAt), so it has written nothing");
        }
    }

    /**
     * Writes what its clients did into its directory, for other checkers; the database is not asked.
     *
     * @return how many operations that is
     * @throws ConfigException when it is not known which fields a row has
     */
    public int history() {
        return Audit.history(spec.properties(), spec.out());
    }

    /** The writes that were counted; those of a run that was killed may lack the last ones. */
    private long counted() {
        RunData run = RunData.readWithoutSlices(spec.out());
        return Stream.of(Write.Kind.values())
                .flatMap(kind -> run.windows(kind.name()).stream())
                .mapToLong(Window::ok)
                .sum();
    }

    /**
     * Reads every key back and writes {@code audit.json}.
     *
     * @param cancelled ends it early; what was not read is then unreadable
     * @param say notified of the progress
     * @throws java.io.UncheckedIOException when a journal cannot be read
     */
    public void readBack(BooleanSupplier cancelled, Consumer<String> say) {
        try {
            RunAudit.readBack(spec, start, justEnded, counted(), cancelled, say);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

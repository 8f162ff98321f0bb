package io.ycsbdrill.client.explore;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.fault.explore.Coverage;
import io.ycsbdrill.fault.explore.Coverage.Pair;
import io.ycsbdrill.fault.explore.DrawnDrill;
import io.ycsbdrill.fault.explore.Reducer.Rate;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.DrillFileException;
import io.ycsbdrill.report.explore.ExploreReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Writes the directory of an exploration: each drill's file, {@code explore.json} after each drill, its page, and the finding. Used by one thread. */
public final class ExploreFiles {
    private static final String FINDING = "finding.yaml";

    private final Path directory;
    private final ObjectNode json;
    private Set<Pair> pairs = Set.of();

    /**
     * Makes the directory.
     *
     * @param facts what does not change: seed, versions, cluster, command
     */
    public ExploreFiles(Path directory, ObjectNode facts) {
        this.directory = directory;
        json = facts.put("state", "running");
        json.putArray("drills");
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw failed(e);
        }
    }

    Path directory() {
        return directory;
    }

    /** The file of the smallest drill so far that shows what was found. */
    Path finding() {
        return directory.resolve(FINDING);
    }

    private static UncheckedIOException failed(IOException e) {
        return new UncheckedIOException("the directory of the exploration cannot be written: " + FileReason.of(e), e);
    }

    void pairs(Set<Pair> all) {
        pairs = Set.copyOf(all);
        json.putObject("pairs").put("hit", 0).put("of", pairs.size());
    }

    /** Writes a drill's file, and reads it as any other. */
    DrillFile write(String name, DrawnDrill drill) {
        Path file = directory.resolve(name + ".yaml");
        try {
            AtomicFile.write(file, drill.text());
            return DrillFile.read(file);
        } catch (IOException e) {
            throw failed(e);
        } catch (DrillFileException e) {
            throw new IllegalStateException("a drill that was drawn is none: " + e.getMessage(), e);
        }
    }

    void ran(String name, DrawnDrill drill, Explored outcome, Coverage coverage) {
        ObjectNode row = json.withArray("/drills").addObject();
        row.put("name", name)
                .put("faults", drill.brief())
                .put("seconds", Math.round(outcome.seconds() * 10) / 10.0)
                .put("result", outcome.text());
        ArrayNode troubles = row.putArray("found");
        outcome.troubles().forEach(trouble -> troubles.add(trouble.kind().label()));
        save(coverage);
    }

    /** What was found, before it is made smaller: a session that ends early has it, too. */
    void found(Trouble trouble, DrawnDrill drill, Explored outcome, Coverage coverage) {
        json.put("state", "reducing")
                .putObject("finding")
                .put("kind", trouble.kind().label())
                .put("text", trouble.text())
                .put("drawn", drill.brief())
                .put("steps", drill.steps().size())
                .put("drill", FINDING);
        finding(drill, outcome.directory(), "As it was drawn");
        save(coverage);
    }

    /** How often the drill as it was drawn shows it. */
    void shown(Rate rate) {
        ((ObjectNode) json.path("finding")).put("shown", rate.shown()).put("runs", rate.runs());
    }

    /** It stays as it was drawn. */
    void kept(DrawnDrill drawn, Path directory, String why, Coverage coverage) {
        ((ObjectNode) json.path("finding")).put("kept", why);
        finding(drawn, directory, drawnRate() + "not made smaller: " + why);
        ended("found", "", coverage);
    }

    /**
     * It was made smaller.
     *
     * @param again of the smallest one, in runs after it was chosen
     */
    void reduced(DrawnDrill smallest, Rate again, Path directory, Coverage coverage) {
        ObjectNode finding = (ObjectNode) json.path("finding");
        finding.put("reduced", smallest.brief());
        finding.putObject("again").put("shown", again.shown()).put("runs", again.runs());
        finding(
                smallest,
                directory,
                (again.runs() == 0
                                ? "Not run again since it was chosen; "
                                : "In " + again.shown() + " of " + again.runs() + " further runs; ")
                        + drawnRate() + "made smaller from "
                        + finding.path("steps").asInt() + " to "
                        + smallest.steps().size() + " steps");
        ended("found", "", coverage);
    }

    private String drawnRate() {
        JsonNode finding = json.path("finding");
        return finding.path("runs").isMissingNode()
                ? ""
                : "in " + finding.path("shown").asInt() + " of "
                        + finding.path("runs").asInt() + " runs as it was drawn; ";
    }

    /** It was not seen again, and may be noise: the drill is one of those that have found nothing. */
    void seenOnce(String name, Rate rate, Coverage coverage) {
        json.put("state", "running").remove("finding");
        for (JsonNode row : json.path("drills")) {
            if (row.path("name").asText().equals(name)) {
                ((ObjectNode) row)
                        .put(
                                "result",
                                "seen once in " + rate.runs() + " runs: "
                                        + row.path("result").asText());
            }
        }
        try {
            Files.deleteIfExists(finding());
        } catch (IOException e) {
            throw failed(e);
        }
        save(coverage);
    }

    private void finding(DrawnDrill drill, Path run, String how) {
        ObjectNode finding = (ObjectNode) json.path("finding");
        finding.put("directory", directory.relativize(run).toString());
        List<String> header = List.of(
                "Found by ycsb explore: " + finding.path("kind").asText() + ": "
                        + finding.path("text").asText(),
                how.substring(0, 1).toUpperCase(Locale.ROOT) + how.substring(1) + "; a run that shows it is "
                        + finding.path("directory").asText(),
                "Seed " + json.path("seed").asLong() + ", " + json.path("tool").asText() + ", "
                        + json.path("engine").asText(),
                "Of: " + json.path("command").asText());
        String comment = header.stream()
                .map(line -> "# " + line.replaceAll("\\s+", " ") + "\n")
                .collect(Collectors.joining());
        try {
            AtomicFile.write(finding(), comment + drill.text());
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** @param text what there is to say of it; may be empty */
    void ended(String state, String text, Coverage coverage) {
        json.put("state", state).put("text", text);
        save(coverage);
    }

    private void save(Coverage coverage) {
        ArrayNode cells = JsonNodeFactory.instance.arrayNode();
        coverage.counts().forEach((cell, count) -> cells.addObject()
                .put("first", cell.first())
                .put("second", cell.second())
                .put("phase", cell.phase().label())
                .put("count", count));
        json.set("coverage", cells);
        ((ObjectNode) json.path("pairs")).put("hit", coverage.hit(pairs));
        try {
            AtomicFile.write(directory.resolve(ExploreReport.FILE), json.toPrettyString() + "\n");
            ExploreReport.write(directory);
        } catch (IOException e) {
            throw failed(e);
        }
    }
}

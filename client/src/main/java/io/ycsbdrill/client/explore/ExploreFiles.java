package io.ycsbdrill.client.explore;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.fault.explore.Coverage;
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
import java.util.stream.Collectors;

/** Writes the directory of an exploration: each drill's file, {@code explore.json} after each drill, its page, and the finding. Used by one thread. */
public final class ExploreFiles {
    private static final String FINDING = "finding.yaml";

    private final Path directory;
    private final ObjectNode json;

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

    /** The file of the smallest drill that shows what was found. */
    Path finding() {
        return directory.resolve(FINDING);
    }

    private static UncheckedIOException failed(IOException e) {
        return new UncheckedIOException("the directory of the exploration cannot be written: " + FileReason.of(e), e);
    }

    void pairs(int all) {
        json.putObject("pairs").put("hit", 0).put("of", all);
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

    void found(Trouble trouble, DrawnDrill drill) {
        json.put("state", "reducing")
                .putObject("finding")
                .put("kind", trouble.kind().label())
                .put("text", trouble.text())
                .put("drawn", drill.brief())
                .put("steps", drill.steps().size());
    }

    void reduced(DrawnDrill smallest, Rate shown, Path shortest, Coverage coverage) {
        ObjectNode finding = (ObjectNode) json.path("finding");
        finding.put("shown", shown.shown())
                .put("runs", shown.runs())
                .put("reduced", smallest.brief())
                .put("drill", FINDING)
                .put("directory", directory.relativize(shortest).toString());
        List<String> header = List.of(
                "Found by ycsb explore: " + finding.path("kind").asText() + ": "
                        + finding.path("text").asText(),
                "In " + shown.shown() + " of " + shown.runs() + " runs as it was drawn; made smaller from "
                        + finding.path("steps").asInt() + " to "
                        + smallest.steps().size()
                        + " steps; the shortest run that shows it is "
                        + finding.path("directory").asText(),
                "Seed " + json.path("seed").asLong() + ", " + json.path("tool").asText() + ", "
                        + json.path("engine").asText(),
                "Of: " + json.path("command").asText());
        String comment = header.stream()
                .map(line -> "# " + line.replaceAll("\\s+", " ") + "\n")
                .collect(Collectors.joining());
        try {
            AtomicFile.write(finding(), comment + smallest.text());
        } catch (IOException e) {
            throw failed(e);
        }
        ended("found", coverage);
    }

    void ended(String state, Coverage coverage) {
        json.put("state", state);
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
        ((ObjectNode) json.path("pairs")).put("hit", coverage.pairs());
        try {
            AtomicFile.write(directory.resolve(ExploreReport.FILE), json.toPrettyString() + "\n");
            ExploreReport.write(directory);
        } catch (IOException e) {
            throw failed(e);
        }
    }
}

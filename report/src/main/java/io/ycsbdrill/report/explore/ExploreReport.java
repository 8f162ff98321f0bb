package io.ycsbdrill.report.explore;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.page.Pages;
import io.ycsbdrill.report.page.RunWords;
import io.ycsbdrill.report.page.Table;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * {@code explore.html}, made of {@code explore.json}.
 *
 * @param json the file as it is
 */
public record ExploreReport(JsonNode json) {
    /** Progress, finding and coverage of an exploration. */
    public static final String FILE = "explore.json";

    /**
     * Writes the page beside its file.
     *
     * @throws IOException when the file cannot be read or the page cannot be written
     */
    public static void write(Path directory) throws IOException {
        JsonNode json = Json.READER.readTree(Files.readString(directory.resolve(FILE)));
        AtomicFile.write(
                directory.resolve("explore.html"), Pages.render("explore/explore.jte", new ExploreReport(json)));
    }

    /** Seed, versions and time. */
    public String subtitle() {
        return "Seed " + json.path("seed").asLong() + " \u00b7 "
                + json.path("tool").asText() + " \u00b7 "
                + RunWords.product(json.path("engine").asText()) + " \u00b7 "
                + Counted.of(json.path("drills").size(), "drill");
    }

    /** What it came to. */
    public String verdict() {
        JsonNode finding = json.path("finding");
        return finding.isMissingNode()
                ? json.path("state").asText().replaceFirst("^n", "N")
                        + (json.path("text").asText().isEmpty()
                                ? ""
                                : ": " + json.path("text").asText())
                : "Found: " + finding.path("kind").asText() + ": "
                        + finding.path("text").asText();
    }

    /** How the finding was made smaller; empty without one. */
    public List<String> finding() {
        JsonNode finding = json.path("finding");
        List<String> lines = new ArrayList<>();
        add(lines, "drawn as: ", finding.path("drawn"), "");
        add(
                lines,
                "shown in ",
                finding.path("shown"),
                " of " + Counted.of(finding.path("runs").asInt(), "run") + " of that drill");
        add(lines, "not made smaller: ", finding.path("kept"), "");
        JsonNode again = finding.path("again");
        add(
                lines,
                "made smaller: ",
                finding.path("reduced"),
                ", which has shown it in " + again.path("shown").asInt() + " of "
                        + Counted.of(again.path("runs").asInt(), "further run"));
        add(lines, "the drill: ", finding.path("drill"), "");
        add(lines, "a run that shows it: ", finding.path("directory"), "");
        return lines;
    }

    private static void add(List<String> lines, String before, JsonNode value, String after) {
        if (!value.isMissingNode()) {
            lines.add(before + value.asText() + after);
        }
    }

    /** Every drill, in order of time. */
    public Table drills() {
        List<List<String>> rows = new ArrayList<>();
        json.path("drills")
                .forEach(drill -> rows.add(List.of(
                        drill.path("name").asText(),
                        drill.path("faults").asText(),
                        drill.path("seconds").asText() + " s",
                        drill.path("result").asText())));
        return new Table("Drills", List.of("Drill", "Faults", "Took", "Result"), rows);
    }

    /** How often each second fault hit in each phase of the first one's node. */
    public Table coverage() {
        Map<String, Map<String, Long>> pairs = new LinkedHashMap<>();
        json.path("coverage").forEach(cell -> pairs.computeIfAbsent(
                        cell.path("first").asText() + ", then "
                                + cell.path("second").asText(),
                        unknown -> new LinkedHashMap<>())
                .put(cell.path("phase").asText(), cell.path("count").asLong()));
        List<Phase> phases = new ArrayList<>(Phase.unhealthy());
        phases.add(Phase.RECOVERED);
        List<String> headers = new ArrayList<>(List.of("Faults"));
        phases.forEach(phase -> headers.add(phase.label()));
        List<List<String>> rows = new ArrayList<>();
        pairs.forEach((pair, counts) -> {
            List<String> row = new ArrayList<>(List.of(pair));
            phases.forEach(phase -> row.add("" + counts.getOrDefault(phase.label(), 0L)));
            rows.add(row);
        });
        JsonNode hit = json.path("pairs");
        return new Table(
                "Coverage: the phase of the first fault's node in which the second one hit; "
                        + hit.path("hit").asInt() + " of " + hit.path("of").asInt()
                        + " pairs of phase and second fault",
                headers,
                rows);
    }
}

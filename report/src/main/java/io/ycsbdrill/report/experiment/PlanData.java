package io.ycsbdrill.report.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.report.claim.Claim;
import io.ycsbdrill.report.claim.ClaimJson;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code plan.json}: what an experiment was to run. Immutable.
 *
 * @param kind {@code experiment}, {@code sweep} or {@code ab}
 * @param name of the experiment
 * @param command {@code run}, {@code load} or {@code drill}
 * @param tool what made it, with its version
 * @param createdAt when it was begun
 * @param order of the cells, in words
 * @param repeats of each variant
 * @param seed of a random order
 * @param okShare least share of successful operations, 0 to 1
 * @param rateHeld least share of an offered rate, 0 to 1
 * @param ascend the axis whose ascent was stopped when its levels no longer counted; empty for none
 * @param gain the axis whose later levels are compared with its first one; empty for none
 * @param axes the labels of each axis, in their order
 * @param variants all combinations, the reference first
 * @param charts asked for; empty for the usual ones
 * @param claims of the source that it checks
 * @param cautions for the reader, each a sentence
 * @param setting which engine, scale and machine, for every table; empty of an experiment that is not one of a suite
 * @param cells in their planned order
 */
public record PlanData(
        String kind,
        String name,
        String command,
        String tool,
        String createdAt,
        String order,
        int repeats,
        long seed,
        double okShare,
        double rateHeld,
        Optional<String> ascend,
        Optional<String> gain,
        Map<String, List<String>> axes,
        List<Variant> variants,
        List<Chart> charts,
        List<Claim> claims,
        List<String> cautions,
        Optional<String> setting,
        List<Cell> cells) {
    private static final String FILE = "plan.json";

    /** A combination of levels, by axis; {@code command} is a command line of it, secrets masked. */
    public record Variant(int number, Map<String, String> levels, String command) {

        /** {@code threads=4, rate=1000}. */
        public String title() {
            List<String> parts = new ArrayList<>();
            levels.forEach((axis, label) -> parts.add(axis + "=" + label));
            return String.join(", ", parts);
        }
    }

    /** {@code random (seed 5)}; the seed only where it decides. */
    String orderText() {
        return order.equals("random") ? order + " (seed " + seed + ")" : order;
    }

    /** A planned run; {@code twin} is the second run of the reference in its repeat. */
    public record Cell(String id, int variant, int repeat, boolean twin) {}

    /** A chart that the file asks for. */
    public record Chart(String x, String y, Optional<String> by) {}

    public PlanData {
        variants = List.copyOf(variants);
        charts = List.copyOf(charts);
        claims = List.copyOf(claims);
        cautions = List.copyOf(cautions);
        cells = List.copyOf(cells);
    }

    /** Whether a directory is one of an experiment. */
    public static boolean isIn(Path directory) {
        return Files.isRegularFile(directory.resolve(FILE));
    }

    /**
     * Reads the plan of an experiment's directory.
     *
     * @throws IOException when it is not there or damaged
     */
    public static PlanData read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        JsonNode json;
        try {
            json = Json.read(file);
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is damaged: " + e.getOriginalMessage(), e);
        }
        if (!json.path("schema").asText().equals("1")) {
            throw new IOException(
                    file + " has schema " + json.path("schema").asText("none") + "; this version reads 1");
        }
        Map<String, List<String>> axes = new LinkedHashMap<>();
        json.path("axes").forEach(axis -> axes.put(axis.path("name").asText(), texts(axis.path("levels"))));
        List<Variant> variants = new ArrayList<>();
        json.path("variants").forEach(node -> {
            Map<String, String> levels = new LinkedHashMap<>();
            node.path("levels")
                    .properties()
                    .forEach(
                            level -> levels.put(level.getKey(), level.getValue().asText()));
            variants.add(new Variant(
                    node.path("number").asInt(), levels, node.path("command").asText()));
        });
        List<Chart> charts = new ArrayList<>();
        json.path("charts")
                .forEach(node -> charts.add(
                        new Chart(node.path("x").asText(), node.path("y").asText(), text(node.path("by")))));
        List<Cell> cells = new ArrayList<>();
        for (JsonNode node : json.path("cells")) {
            Cell cell = new Cell(
                    simpleName(file, node.path("id")),
                    node.path("variant").asInt(),
                    node.path("repeat").asInt(),
                    node.path("twin").asBoolean());
            if (cell.variant() < 1 || cell.variant() > variants.size()) {
                throw new IOException(file + " is damaged: cell " + cell.id() + " is of variant " + cell.variant()
                        + ", but there are " + variants.size());
            }
            cells.add(cell);
        }
        if (variants.isEmpty()) {
            throw new IOException(file + " is damaged: it has no variants");
        }
        return new PlanData(
                json.path("kind").asText("experiment"),
                json.path("name").asText(),
                json.path("command").asText(),
                json.path("tool").asText(),
                json.path("createdAt").asText(),
                json.path("order").asText(),
                json.path("repeats").asInt(),
                json.path("seed").asLong(),
                json.path("success").path("okShare").asDouble(),
                json.path("success").path("rateHeld").asDouble(),
                text(json.path("ascend")),
                text(json.path("gain")),
                axes,
                variants,
                charts,
                ClaimJson.read(json.path("claims")),
                texts(json.path("cautions")),
                text(json.path("setting")),
                cells);
    }

    private static Optional<String> text(JsonNode node) {
        return node.isTextual() ? Optional.of(node.asText()) : Optional.empty();
    }

    /** A name that a file gives to a directory beside it: nothing that leads elsewhere. */
    public static String simpleName(Path file, JsonNode id) throws IOException {
        String name = id.asText();
        if (!name.matches("[\\w.=,+@-]{1,200}") || name.matches("\\.+")) {
            throw new IOException(
                    file + " is damaged: \"" + PlainText.shortened(name, 100) + "\" is no name of a directory in it");
        }
        return name;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(node -> texts.add(node.asText()));
        return texts;
    }

    /** The variant that others are compared with. */
    public Variant reference() {
        return variants.get(0);
    }
}

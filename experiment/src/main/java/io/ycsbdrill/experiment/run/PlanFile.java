package io.ycsbdrill.experiment.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.experiment.spec.Experiment;
import io.ycsbdrill.report.claim.ClaimJson;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code plan.json}: everything that reports and {@code --resume} need of an experiment; written once, at its start.
 *
 * @param seed of the order
 * @param order in words
 * @param cells their ids, in order
 * @param workingDirectory in which relative paths of its settings start
 */
public record PlanFile(long seed, String order, List<String> cells, Path workingDirectory) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Reads what {@code --resume} needs.
     *
     * @throws IOException when it is not there or damaged
     */
    public static PlanFile read(Path file) throws IOException {
        JsonNode node = Json.read(file);
        List<String> cells = new ArrayList<>();
        node.path("cells").forEach(cell -> cells.add(cell.path("id").asText()));
        return new PlanFile(
                node.path("seed").asLong(),
                node.path("order").asText(),
                cells,
                Path.of(node.path("workingDirectory").asText(".")));
    }

    /**
     * Writes it.
     *
     * @param kind what made it: {@code experiment}, {@code sweep} or {@code ab}
     * @param tool name and version, for readers
     * @param commands of the variants, in their order, as they may be shown
     * @param cautions for whoever reads the result, each a sentence
     * @param setting which engine, scale and machine, for every table of a suite; empty for none
     */
    public static void write(
            Path file,
            Experiment experiment,
            Plan plan,
            String kind,
            Path workingDirectory,
            String tool,
            List<String> commands,
            List<String> cautions,
            Optional<String> setting)
            throws IOException {
        ObjectNode node = JSON.createObjectNode();
        node.put("schema", 1);
        node.put("kind", kind);
        node.put("name", experiment.name());
        node.put("command", experiment.command().word());
        node.put("tool", tool);
        node.put("createdAt", Instant.now().toString());
        node.put("workingDirectory", workingDirectory.toString());
        node.put("seed", plan.seed());
        node.put(
                "order",
                experiment.ascend().isPresent()
                        ? "ascending"
                        : experiment.order().word());
        node.put("repeats", experiment.repeats());
        node.put("settleSeconds", experiment.settle().toNanos() / 1e9);
        ObjectNode success = node.putObject("success");
        success.put("okShare", experiment.success().okShare());
        success.put("rateHeld", experiment.success().rateHeld());
        experiment.ascend().ifPresent(axis -> node.put("ascend", axis));
        experiment.gain().ifPresent(axis -> node.put("gain", axis));
        ArrayNode axes = node.putArray("axes");
        experiment.axes().forEach(axis -> {
            ObjectNode one = axes.addObject().put("name", axis.name());
            ArrayNode levels = one.putArray("levels");
            axis.levels().forEach(level -> levels.add(level.label()));
        });
        ArrayNode variants = node.putArray("variants");
        experiment.variants().forEach(variant -> {
            ObjectNode one = variants.addObject().put("number", variant.number());
            ObjectNode levels = one.putObject("levels");
            variant.levels().forEach(levels::put);
            one.put("command", commands.get(variant.number() - 1));
        });
        ArrayNode charts = node.putArray("charts");
        experiment.charts().forEach(chart -> {
            ObjectNode one = charts.addObject().put("x", chart.x()).put("y", chart.y());
            chart.by().ifPresent(axis -> one.put("by", axis));
        });
        if (!experiment.claims().isEmpty()) {
            ClaimJson.write(experiment.claims(), node.putArray("claims"));
        }
        ArrayNode noted = node.putArray("cautions");
        cautions.forEach(noted::add);
        setting.ifPresent(text -> node.put("setting", text));
        ArrayNode cells = node.putArray("cells");
        plan.cells().forEach(cell -> cells.addObject()
                .put("id", cell.id())
                .put("variant", cell.variant().number())
                .put("repeat", cell.repeat())
                .put("twin", cell.twin()));
        AtomicFile.write(file, node.toPrettyString() + "\n");
    }
}

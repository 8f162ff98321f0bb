package io.ycsbdrill.experiment.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.report.claim.ClaimJson;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** {@code suite-plan.json}: everything that reports and {@code --resume} need of a suite; written once, at its start. Stateless. */
public final class SuitePlanFile {
    /** Its name. */
    public static final String NAME = "suite-plan.json";

    private static final ObjectMapper JSON = new ObjectMapper();

    private SuitePlanFile() {}

    /**
     * For what the suite was begun.
     *
     * @throws IOException when it is not there or damaged
     */
    public static SuiteChoice read(Path directory) throws IOException {
        JsonNode node = Json.read(directory.resolve(NAME));
        Map<String, String> properties = new LinkedHashMap<>();
        node.path("properties")
                .properties()
                .forEach(each -> properties.put(each.getKey(), each.getValue().asText()));
        return new SuiteChoice(
                node.has("engine") ? Optional.of(node.path("engine").asText()) : Optional.empty(),
                node.path("scale").asText(),
                properties);
    }

    /**
     * Writes it.
     *
     * @param tool name and version, for readers
     * @param machine on which it is run, for readers
     */
    public static void write(
            Path directory, SuiteFile file, Map<String, String> properties, String tool, String machine)
            throws IOException {
        Suite suite = file.suite();
        ObjectNode node = JSON.createObjectNode();
        node.put("schema", 1).put("name", suite.name()).put("title", suite.title());
        node.put("source", suite.source()).put("url", suite.url());
        suite.engine().ifPresent(engine -> node.put("engine", engine));
        node.put("scale", suite.scale()).put("machine", machine).put("tool", tool);
        node.put("file", file.hash());
        node.put("createdAt", Instant.now().toString());
        properties.forEach(node.putObject("properties")::put);
        ArrayNode notes = node.putArray("notes");
        suite.notes().forEach(notes::add);
        ArrayNode experiments = node.putArray("experiments");
        suite.experiments().forEach((id, one) -> {
            ObjectNode part = experiments.addObject().put("id", id);
            ClaimJson.write(one.experiment().claims(), part.putArray("claims"));
        });
        AtomicFile.write(directory.resolve(NAME), node.toPrettyString() + "\n");
    }
}

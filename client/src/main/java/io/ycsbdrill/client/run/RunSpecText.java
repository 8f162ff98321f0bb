package io.ycsbdrill.client.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** A {@link RunSpec} as one line of JSON, for another process; whole, with its passwords. */
public final class RunSpecText {
    private RunSpecText() {}

    /** The line. */
    public static String write(RunSpec spec) {
        ObjectNode json = RunDirectory.JSON
                .createObjectNode()
                .put("mode", spec.mode().name())
                .put("binding", spec.binding())
                .put("bindingClass", spec.bindingClass())
                .put("workloadName", spec.workloadName())
                .put("threads", spec.threads())
                .put("operations", spec.operations())
                .put("window", spec.window().toNanos())
                .put("warmup", spec.warmup().toNanos())
                .put("cooldown", spec.cooldown().toNanos())
                .put("insertRetries", spec.insertRetries())
                .put("seed", spec.seed())
                .put("out", spec.out().toString())
                .put("part", spec.part().toString());
        ObjectNode properties = json.putObject("properties");
        spec.properties()
                .stringPropertyNames()
                .forEach(name -> properties.put(name, spec.properties().getProperty(name)));
        spec.duration().ifPresent(duration -> json.put("duration", duration.toNanos()));
        spec.rate().ifPresent(rate -> json.set("rate", RunDirectory.JSON.valueToTree(rate)));
        spec.startAt().ifPresent(start -> json.put("startAt", start.toString()));
        spec.command().forEach(json.putArray("command")::add);
        json.set("engine", spec.engine());
        json.putObject("extra").setAll(spec.extra());
        try {
            return RunDirectory.JSON.writeValueAsString(json);
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException("a run cannot be written as text: " + e.getOriginalMessage(), e);
        }
    }

    /**
     * The run that {@link #write} has made this line of.
     *
     * @throws IllegalArgumentException when it has not
     */
    public static RunSpec read(String line) {
        try {
            JsonNode json = RunDirectory.JSON.readTree(line);
            Properties properties = new Properties();
            json.path("properties")
                    .properties()
                    .forEach(entry -> properties.setProperty(
                            entry.getKey(), entry.getValue().asText()));
            List<String> command = new ArrayList<>();
            json.path("command").forEach(word -> command.add(word.asText()));
            Map<String, JsonNode> extra = new HashMap<>();
            json.path("extra").properties().forEach(entry -> extra.put(entry.getKey(), entry.getValue()));
            return new RunSpec(
                    RunSpec.Mode.valueOf(json.path("mode").asText()),
                    json.path("binding").asText(),
                    json.path("bindingClass").asText(),
                    json.path("workloadName").asText(),
                    properties,
                    json.path("threads").asInt(),
                    json.path("operations").asLong(),
                    json.has("duration") ? Optional.of(nanos(json, "duration")) : Optional.empty(),
                    json.has("rate")
                            ? Optional.of(RunDirectory.JSON.treeToValue(json.path("rate"), RatePlan.class))
                            : Optional.empty(),
                    nanos(json, "window"),
                    nanos(json, "warmup"),
                    nanos(json, "cooldown"),
                    json.path("insertRetries").asInt(),
                    json.path("seed").asLong(),
                    Path.of(json.path("out").asText()),
                    command,
                    json.path("engine"),
                    ClientShare.parse(json.path("part").asText()),
                    json.has("startAt")
                            ? Optional.of(Instant.parse(json.path("startAt").asText()))
                            : Optional.empty(),
                    extra);
        } catch (JsonProcessingException | RuntimeException e) {
            throw new IllegalArgumentException("this is not a run that was written down for another process", e);
        }
    }

    private static Duration nanos(JsonNode json, String name) {
        return Duration.ofNanos(json.path(name).asLong());
    }
}

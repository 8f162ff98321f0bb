package io.ycsbdrill.report.suite;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.report.claim.Claim;
import io.ycsbdrill.report.claim.ClaimJson;
import io.ycsbdrill.report.experiment.PlanData;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code suite-plan.json}: what a suite was to run. Immutable.
 *
 * @param engine whose cluster was started; empty when properties said where the database was
 * @param machine on which it was run
 * @param file the hash of the suite's file; empty when it was made by a version that did not keep it
 * @param notes what the source leaves open and what was chosen
 */
record SuiteData(
        String name,
        String title,
        String source,
        String url,
        Optional<String> engine,
        String scale,
        String machine,
        String tool,
        Optional<String> file,
        String createdAt,
        List<String> notes,
        List<Part> parts) {
    static final String FILE = "suite-plan.json";

    /** One experiment, in the directory of that name. */
    record Part(String id, List<Claim> claims) {}

    static SuiteData read(Path directory) throws IOException {
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
        List<String> notes = new ArrayList<>();
        json.path("notes").forEach(note -> notes.add(note.asText()));
        List<Part> parts = new ArrayList<>();
        for (JsonNode part : json.path("experiments")) {
            parts.add(
                    new Part(PlanData.simpleName(file, part.path("id").asText()), ClaimJson.read(part.path("claims"))));
        }
        return new SuiteData(
                json.path("name").asText(),
                json.path("title").asText(),
                json.path("source").asText(),
                json.path("url").asText(),
                json.has("engine") ? Optional.of(json.path("engine").asText()) : Optional.empty(),
                json.path("scale").asText(),
                json.path("machine").asText(),
                json.path("tool").asText(),
                json.has("file") ? Optional.of(json.path("file").asText()) : Optional.empty(),
                json.path("createdAt").asText(),
                notes,
                parts);
    }

    /** Which engine, scale and machine; on every table, so that no figure is taken for one of the source's system. */
    String banner() {
        return SuiteReport.banner(engine, scale, machine);
    }
}

package io.ycsbdrill.report.suite;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.ycsbdrill.report.claim.Claim;
import io.ycsbdrill.report.experiment.PlanData;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * {@code suite-plan.json}: everything that reports and {@code --resume} need of a suite; written once, at its start. Immutable.
 *
 * @param engine whose cluster was started; empty when properties said where the database was
 * @param machine on which it was run
 * @param tool name and version of what made it
 * @param file the hash of the suite's file; empty when it was made by a version that did not keep it
 * @param properties of all cells
 * @param notes what the source leaves open and what was chosen
 */
@JsonInclude(JsonInclude.Include.NON_ABSENT)
public record SuiteData(
        int schema,
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
        Map<String, String> properties,
        List<String> notes,
        @JsonProperty("experiments") List<Part> parts) {
    public static final int SCHEMA = 1;

    public static final String FILE = "suite-plan.json";

    /** One experiment, in the directory of that name. */
    public record Part(String id, List<Claim> claims) {
        public Part {
            claims = claims == null ? List.of() : List.copyOf(claims);
        }
    }

    public SuiteData {
        properties = properties == null ? Map.of() : properties;
        notes = notes == null ? List.of() : List.copyOf(notes);
        parts = parts == null ? List.of() : List.copyOf(parts);
    }

    /** Writes it into the directory of its suite. */
    public void write(Path directory) throws IOException {
        Json.write(directory.resolve(FILE), this);
    }

    /** @throws IOException when it is not there or damaged */
    public static SuiteData read(Path directory) throws IOException {
        Path file = directory.resolve(FILE);
        SuiteData data = Json.read(file, SCHEMA, SuiteData.class);
        for (Part part : data.parts) {
            PlanData.simpleName(file, part.id);
        }
        return data;
    }

    /** Which engine, scale and machine; on every table, so that no figure is taken for one of the source's system. */
    String banner() {
        return SuiteReport.banner(engine, scale, machine);
    }
}

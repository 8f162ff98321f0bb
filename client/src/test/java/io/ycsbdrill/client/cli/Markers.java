package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The markers of a run directory. */
final class Markers {
    private Markers() {}

    static List<JsonNode> of(Path run) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        List<JsonNode> markers = new ArrayList<>();
        for (String line : Files.readAllLines(run.resolve("markers.jsonl"))) {
            markers.add(mapper.readTree(line));
        }
        return markers;
    }

    /** No fault, no phase, no node that went down; every drill tells when the throughput was steady. */
    static void assertNothingWasFound(Path run) throws IOException {
        assertThat(of(run))
                .extracting(marker -> marker.path("kind").asText())
                .contains("steady")
                .noneMatch(kind -> kind.startsWith("fault-"));
        assertThat(of(run))
                .filteredOn(marker -> marker.path("kind").asText().equals("phase") && marker.has("node")
                        || marker.path("label").asText().equals("node-down"))
                .isEmpty();
        assertThat(Files.readAllLines(run.resolve("phases.csv")))
                .as("its header")
                .hasSize(1);
    }

    /** Each fault that began has proven its effect, and not before it began. */
    static void assertEveryFaultWasEffective(Path run) throws IOException {
        List<JsonNode> begun = kind(run, "fault-started");
        assertThat(begun).isNotEmpty().allSatisfy(start -> assertThat(kind(run, "fault-effective"))
                .filteredOn(effect -> effect.path("node").equals(start.path("node"))
                        && effect.path("step").equals(start.path("step"))
                        && effect.path("occurrence").equals(start.path("occurrence")))
                .singleElement()
                .satisfies(effect -> {
                    assertThat(effect.path("at_ns").asLong())
                            .isGreaterThanOrEqualTo(start.path("at_ns").asLong());
                    assertThat(effect.path("text").asText()).isNotEmpty();
                }));
    }

    /** What the engine and the drill have said, a line each: why phases are not as expected. */
    static String story(Path run) throws IOException {
        return of(run).stream()
                .map(marker -> marker.path("at_ns").asLong() / 1_000_000 + " ms "
                        + marker.path("kind").asText() + " "
                        + marker.path("label").asText() + " "
                        + marker.path("node").asText() + " "
                        + marker.path("source").asText() + " "
                        + marker.path("text").asText())
                .collect(Collectors.joining("\n"));
    }

    private static List<JsonNode> kind(Path run, String kind) throws IOException {
        return of(run).stream()
                .filter(marker -> marker.path("kind").asText().equals(kind))
                .toList();
    }
}

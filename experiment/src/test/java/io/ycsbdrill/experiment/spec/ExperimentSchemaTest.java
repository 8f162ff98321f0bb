package io.ycsbdrill.experiment.spec;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema accepts what the parser accepts and nothing else, apart from the names of settings, which only the program knows. */
class ExperimentSchemaTest {
    private static final JsonNode JSON = json();
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(JSON);

    private static JsonNode json() {
        try {
            return new ObjectMapper()
                    .readTree(Path.of("../workloads/experiments/experiment.schema.json")
                            .toFile());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean schemaAccepts(String text) throws IOException {
        return SCHEMA.validate(new YAMLMapper().readTree(text)).isEmpty();
    }

    private static boolean parserAccepts(String text) {
        try {
            ExperimentFile.parse("e.yaml", text, Words.ALL);
            return true;
        } catch (ExperimentFileException e) {
            return false;
        }
    }

    private static String with(String more) {
        return "{axes: {threads: [1, 2]}, fixed: {binding: b}" + (more.isEmpty() ? "" : ", " + more) + "}";
    }

    @Test
    void bothKnowTheSameKeysAtTheTop() {
        Set<String> schema = new TreeSet<>();
        JSON.path("properties").fieldNames().forEachRemaining(schema::add);
        try {
            ExperimentFile.parse("e.yaml", with("zzzzzzzz: 1"), Words.ALL);
            throw new AssertionError("an unknown key was accepted");
        } catch (ExperimentFileException e) {
            Matcher allowed = Pattern.compile("; allowed: (.*)").matcher(e.getMessage());
            assertThat(allowed.find()).isTrue();
            assertThat(new TreeSet<>(List.of(allowed.group(1).split(", ")))).isEqualTo(schema);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "name: a b",
                "command: run",
                "command: drill",
                "repeats: 3",
                "order: random, seed: -5",
                "order: sequential",
                "renew_after_drill: false",
                "share_cluster: true, cluster: {engine: embedded}",
                "settle: 1.5s",
                "timeout: 2h",
                "estimate: 90s",
                "ascend: threads",
                "success: {ok_share: 99.9%, rate_held: 90%}",
                "success: {rows_mb: 192}",
                "gain: threads",
                "charts: [{x: threads, y: copies_equal_s}, {x: threads, y: acked_lost_ops}, {x: threads, y: wire_sent_bytes_op}, {x: threads, y: run_s}]",
                "charts: [{x: threads, y: aborts_op}, {x: threads, y: inconsistent}, {x: threads, y: service_mean_us}]",
                "cluster: {engine: embedded, backups: 1}",
                "cluster: {engine: embedded}, load: native",
                "charts: [{x: threads, y: throughput_ops_s}]",
                "charts: [{x: threads, y: READ_response_p99_us, by: threads}]",
                "charts: [{x: threads, y: drill_outSeconds}]",
                "claims: {}",
                "claims: {c: {quote: q, kind: absolute, figure: ok_share, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: absolute, claimed: 5, not_measured: why}}",
                "claims: {c: {quote: q, kind: ratio, claimed: [1, 2], tolerance: 5%, figure: throughput_ops_s, of: {threads: 1}, to: {threads: 2}}}",
                "claims: {c: {quote: q, kind: ratio, recomputed: 3 / 4 to 4 / 3, tolerance: 5%, figure: wire_received_mb_s / wire_sent_mb_s, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: ratio, recomputed: 4 / 3, tolerance: 5%, figure: ok_share, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: shape, expect: '> 1', figure: 'drill_a / max(drill_b, drill_c)', of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: absolute, figure: 'max(drill_b, ok_share)', of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: shape, expect: '> 1.5', figure: drill_a / drill_b, of: {threads: 1}, not_comparable: why}}"
            })
    void bothAccept(String more) throws IOException {
        assertThat(parserAccepts(with(more))).as("parser: %s", more).isTrue();
        assertThat(schemaAccepts(with(more))).as("schema: %s", more).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "name: a/b",
                "command: runn",
                "repeats: 0",
                "repeats: 1001",
                "repeats: many",
                "order: ordered",
                "seed: x",
                "renew_after_drill: sometimes",
                "share_cluster: sometimes",
                "settle: 5",
                "timeout: soon",
                "estimate: soon",
                "success: {ok: 1%}",
                "success: {ok_share: 1}",
                "success: 100%",
                "success: {rows_mb: 0}",
                "success: {rows_mb: 5M}",
                "claims: {c: {quote: q, kind: absolute, recomputed: 1 to 2 to 3, not_measured: why}}",
                "cluster: {backups: 1}",
                "cluster: embedded",
                "charts: {x: threads}",
                "charts: [{x: threads}]",
                "charts: [{x: threads, y: speed}]",
                "charts: [{x: threads, y: ok_share, z: 1}]",
                "claims: {c: {quote: q, kind: absolute, figure: 'max(drill_b)', of: {threads: 1}}}",
                "claims: []",
                "claims: {c: {kind: absolute, not_measured: why}}",
                "claims: {c: {quote: q, kind: absolut, not_measured: why}}",
                "claims: {c: {quote: q, kind: absolute, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: absolute, figure: speed, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: absolute, figure: ok_share, of: {threads: 1}, to: {threads: 2}}}",
                "claims: {c: {quote: q, kind: ratio, claimed: 1, figure: ok_share, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: ratio, tolerance: 5%, figure: ok_share, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: ratio, claimed: [1], tolerance: 5%, figure: ok_share, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: shape, figure: ok_share, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: shape, expect: more, figure: ok_share, of: {threads: 1}}}",
                "claims: {c: {quote: q, kind: absolute, recomputed: two, not_measured: why}}",
                "claims: {c: {quote: q, kind: absolute, unknown: 1, not_measured: why}}",
                "claims: {a b: {quote: q, kind: absolute, not_measured: why}}"
            })
    void bothRefuse(String more) throws IOException {
        assertThat(parserAccepts(with(more))).as("parser: %s", more).isFalse();
        assertThat(schemaAccepts(with(more))).as("schema: %s", more).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{axes: {x: {a: {command: run b}, b: {command: [run, b]}}}}",
                "{axes: {x: {a: {threads: 1, workload: [v, w]}}}, fixed: {binding: b}}"
            })
    void bothAcceptAxes(String text) throws IOException {
        assertThat(parserAccepts(text)).isTrue();
        assertThat(schemaAccepts(text)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{axes: {}}",
                "{axes: [], fixed: {binding: b}}",
                "{axes: {threads: []}, fixed: {binding: b}}",
                "{axes: {threads: [1, 1]}, fixed: {binding: b}}",
                "{axes: {x: {a: {command: run b, threads: 1}}}}",
                "{axes: {x: {a: {command: []}}}}",
                "{axes: {x: {a: 1}}, fixed: {binding: b}}",
                "{axes: {threads: [1]}, fixed: [b]}",
                "{axes: {threads: [1]}, fixed: {binding: [a, b]}}"
            })
    void bothRefuseAxes(String text) throws IOException {
        assertThat(parserAccepts(text)).isFalse();
        assertThat(schemaAccepts(text)).isFalse();
    }
}

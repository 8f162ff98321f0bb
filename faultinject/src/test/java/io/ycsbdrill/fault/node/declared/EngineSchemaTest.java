package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.ycsbdrill.fault.schedule.DrillFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema accepts what the reader accepts, and nothing else. */
class EngineSchemaTest {
    private static final Path FOLDER = Path.of("../examples/engines");
    private static final JsonNode JSON = json();
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(JSON);

    private static JsonNode json() {
        try {
            return new ObjectMapper()
                    .readTree(FOLDER.resolve("engine.schema.json").toFile());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd.yaml", "redis.yaml"})
    void samplesAreValid(String name) throws IOException {
        String sample = Files.readString(FOLDER.resolve(name));

        assertThat(EngineFileReader.read(name, sample).source()).isEqualTo(sample);
        assertThat(accepts(sample)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"etcd-primary-kill", "redis-primary-kill"})
    void theirDrillsAreAccepted(String name) throws Exception {
        DrillFile drill = DrillFile.read(FOLDER.resolve(name + ".yaml"));

        assertThat(drill.schedule().name()).isEqualTo(name);
        assertThat(drill.text()).contains("# Question: ");
    }

    @Test
    void wordsAndBoundsAreThoseOfTheProgram() {
        assertThat(JSON.at("/$defs/log/properties/lines/items/properties/means/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(EngineFileReader.meanings());
        assertThat(JSON.at("/$defs/count/maximum").asInt()).isEqualTo(EngineFileReader.MOST);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "title: A Server",
                "title: 5",
                "texts: {port: {each: x}}",
                "texts: {other: {each: x}}",
                "engine: all",
                "colour: red",
                "primary: node1",
                "primary: node2",
                "initialise: 'true'",
                "initialise: [a]",
                "version: [server, -v]",
                "version: server",
                "texts: {peers: {each: 'x'}}",
                "texts: {peers: {first: 'x'}}",
                "texts: {peers: {first: 'x', others: y}}",
                "texts: {peers: {create: 'x', others: y}}",
                "texts: {peers: {create: x, later: y}}",
                "texts: {peers: {create: x, later: y, each: z}}",
                "texts: {Peers: {each: 'x'}}",
                "helpers: {name: aide, ports: [p], command: [server], probe: {tcp: 'a:1', recovered: x}}",
                "helpers: {name: home, ports: [p], command: [server], probe: {tcp: 'a:1', recovered: x}}",
                "helpers: {name: aide, ports: [all], command: [server], probe: {tcp: 'a:1', recovered: x}}",
                "helpers: {name: aide, ports: [p, p], command: [server], probe: {tcp: 'a:1', recovered: x}}",
                "helpers: {name: node, ports: [p], command: [server], probe: {tcp: 'a:1', recovered: x}}",
                "helpers: {ports: [p], command: [server], probe: {tcp: 'a:1', recovered: x}}"
            })
    void keysOfTheFileAreAllowedByBothOrByNeither(String entry) throws IOException {
        same(EngineFileTest.whole(entry, ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "count: 9",
                "count: 10",
                "count: 0",
                "count: '3'",
                "count: '10'",
                "stop: QUIT",
                "files: {a.conf: text}",
                "files: {../a: text}",
                "files: {data: text}",
                "files: {}",
                "log: {time: '(x)', format: 'yyyy-MM-dd HH:mm:ss', lines: [{has: x, means: primary}]}",
                "log: {time: 'x', format: 'yyyy-MM-dd HH:mm:ss', lines: [{has: x, means: primary}]}",
                "log: {time: '(x)', format: 'yyyy-MM-dd HH:mm:ss', lines: [{has: x, means: king}]}",
                "log: {time: '(x)', format: 'yyyy-MM-dd HH:mm:ss', lines: []}",
                "log: {time: '(x)', lines: [{has: x, means: step}]}",
                "colour: red"
            })
    void keysOfNodesAreAllowedByBothOrByNeither(String entry) throws IOException {
        same(EngineFileTest.whole("", entry));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{http: 'http://{address}:{port.p}/', recovered: x}",
                "{http: 'ftp://{address}', recovered: x}",
                "{tcp: '{address}:{port.p}', send: x, recovered: x, primary: y, position: '(\\d+)'}",
                "{tcp: '{address}', recovered: x}",
                "{tcp: 'a:1', recovered: x, position: x}",
                "{tcp: 'a:1', recovered: x, position: 'at (.*)'}",
                "{command: [server, ping], recovered: x}",
                "{command: [server, ping], send: a, recovered: x}",
                "{command: [server, ping], tcp: 'a:1', recovered: x}",
                "{tcp: 'a:1'}",
                "{recovered: x}"
            })
    void probesAreAllowedByBothOrByNeither(String probe) throws IOException {
        same(EngineFileTest.whole("", "").replace(EngineFileTest.PROBE, probe));
    }

    private static void same(String text) throws IOException {
        String problem = "";
        try {
            EngineFileReader.read("e.yaml", text);
        } catch (IllegalArgumentException e) {
            problem = e.getMessage();
        }
        assertThat(accepts(text)).as("%s%n%s", text, problem).isEqualTo(problem.isEmpty());
    }

    private static boolean accepts(String text) throws IOException {
        return SCHEMA.validate(new YAMLMapper().readTree(text)).isEmpty();
    }
}

package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.node.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema accepts what the parser accepts, and nothing else. */
class InventorySchemaTest {
    private static final Path FOLDER = Path.of("../examples/inventory");
    private static final JsonNode JSON = json();
    private static final JsonSchema SCHEMA =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012).getSchema(JSON);
    private static final String NODE = "engine: ndb\ndata_nodes:\n- {id: 1, host: a, transport: ssh, %s}\n";
    private static final String CLIENT = "engine: ndb\nclients:\n- {id: 1, host: a, transport: ssh, %s}\n";

    private static JsonNode json() {
        try {
            return new ObjectMapper()
                    .readTree(FOLDER.resolve("inventory.schema.json").toFile());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void sampleIsValid() throws IOException {
        String sample = Files.readString(FOLDER.resolve("inventory.yaml"));

        assertThatCode(() -> Inventory.parse("inventory.yaml", sample, Engine.installed(), new Properties()))
                .doesNotThrowAnyException();
        assertThat(accepts(sample)).isTrue();
    }

    @Test
    void wordsAreThoseOfTheProgram() {
        assertThat(JSON.at("/properties/defaults/properties/transport/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyElementsOf(
                        Stream.of(Transport.values()).map(Transport::label).toList());
        assertThat(JSON.at("/properties/engine/anyOf/0/enum"))
                .extracting(JsonNode::asText)
                .containsExactlyInAnyOrderElementsOf(Engine.installed().stream()
                        .filter(HostedEngine.class::isInstance)
                        .map(Engine::name)
                        .toList());
        assertThat(names("/$defs/commands/properties"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(NodeAction.values()).map(NodeAction::word).toList());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "user: ops",
                "user: 'a b'",
                "port: 22",
                "port: 0",
                "addresses: [10.0.0.1, db1.internal]",
                "addresses: ['10.0.0.1; reboot']",
                "addresses: []",
                "addresses: 10.0.0.1",
                "ssh_config: /etc/x",
                "ssh_config: x",
                "namespace: n",
                "context: c",
                "container: c",
                "pid_file: '/run/{node}.pid'",
                "pid_file: run",
                "data_directory: /var/x",
                "data_directory: /var/lib/x",
                "data_directory: '/srv/{node}'",
                "data_directory: '/home/db/{node}'",
                "data_directory: /srv/..data/.x",
                "data_directory: /srv",
                "data_directory: /",
                "data_directory: /srv/",
                "data_directory: /srv//x",
                "data_directory: /srv/../x",
                "data_directory: /srv/./x",
                "data_directory: /srv/x/..",
                "data_directory: /home/db",
                "data_directory: /etc/x/y",
                "data_directory: /libs/x",
                "data_directory: '/var x'",
                "program: mysqld",
                "program: 'a b'",
                "labels: {zone: a}",
                "labels: zone",
                "zone: b",
                "zone: 1",
                "zone: 'a b'",
                "zone: []",
                "commands: {kill: [a]}",
                "commands: {kill: a}",
                "commands: {kill: {here: [a]}}",
                "commands: {kill: {there: [a]}}",
                "commands: {pause: a}",
                "commands: {pause: a, resume: b, paused: c}",
                "commands: {kill: []}",
                "commands: {boot: a}",
                "colour: red",
                "directory: /x"
            })
    void keysOfANodeAreAllowedByBothOrByNeither(String entry) throws IOException {
        same(NODE.formatted(entry));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "directory: /var/x",
                "directory: x",
                "addresses: [10.0.0.1]",
                "addresses: [-x]",
                "java: /opt/jdk/bin/java",
                "java: 'a b'",
                "installed: /opt/ycsb",
                "installed: ycsb",
                "jvm_args: [-Xmx1g]",
                "jvm_args: -Xmx1g",
                "properties: {ndb.home: /opt}",
                "properties: [a]",
                "labels: {a: b}",
                "pid_file: /a",
                "commands: {kill: [a]}"
            })
    void keysOfAClientAreAllowedByBothOrByNeither(String entry) throws IOException {
        same(CLIENT.formatted(entry));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "engine: ndb",
                "clients: [{id: 1, host: a, transport: ssh}]",
                "{engine: ndb, clients: []}",
                "{engine: ndb, journal: /x, timeout: 5s, clients: [{id: 1, host: a, transport: ssh}]}",
                "{engine: ndb, journal: x, clients: [{id: 1, host: a, transport: ssh}]}",
                "{engine: ndb, timeout: 5, clients: [{id: 1, host: a, transport: ssh}]}",
                "{engine: ndb, defaults: {transport: ssh}, data_nodes: [{host: a}]}",
                "{engine: ndb, defaults: {transport: ssh, user: a, pid_file: /x}, data_nodes: [{id: 1, host: a}]}",
                "{engine: ndb, defaults: {transport: ssh}, data_nodes: [{id: 1, host: a}], sql_nodes: [{id: 2, host: a}]}",
                "{engine: ndb, defaults: {transport: ssh}, data_nodes: [{id: 1, host: a}], sql_nodes: [{id: 2, host: a, zone: b}]}",
                "{engine: ndb, defaults: {transport: carrier}, data_nodes: [{id: 1, host: a, transport: ssh}]}",
                "{engine: ndb, nodes: [], data_nodes: [{id: 1, host: a, transport: ssh}]}"
            })
    void fileIsAcceptedByBothOrByNeither(String text) throws IOException {
        same(text);
    }

    private static void same(String text) throws IOException {
        boolean parsed;
        String problem = "";
        try {
            Inventory.parse("i.yaml", text, Engine.installed(), new Properties());
            parsed = true;
        } catch (IllegalArgumentException e) {
            parsed = false;
            problem = e.getMessage();
        }
        assertThat(accepts(text)).as("%s%n%s", text, problem).isEqualTo(parsed);
    }

    private static List<String> names(String pointer) {
        return JSON.at(pointer).properties().stream().map(Map.Entry::getKey).toList();
    }

    private static boolean accepts(String text) throws IOException {
        return SCHEMA.validate(new YAMLMapper().readTree(text)).isEmpty();
    }
}

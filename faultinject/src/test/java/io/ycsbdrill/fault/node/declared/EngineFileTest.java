package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file may say, what it is told of its mistakes, and what its templates become. */
class EngineFileTest {
    static final String PROBE = "{tcp: '{address}:{port.p}', recovered: PONG}";

    @TempDir
    private Path folder;

    /** A small file with further keys. */
    static String whole(String top, String nodes) {
        return (top.startsWith("engine:") ? "" : "engine: mine\n") + """
                programs: [server]
                %s
                nodes:
                  ports: [p]
                  command: [server, '--port={port.p}']
                  probe: %s
                  %s
                bindings: {rest: {a: b}}
                """.formatted(top, PROBE, nodes);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "porst: [p]                          |                         | `porst: unknown key`",
                "                                    | `count: 10`             | `nodes.count: \"10\" is out of range; allowed: 1 to 9`",
                "`primary: node2`                    |                         | `primary: \"node2\"; expected node1`",
                "`initialise: 'rm -rf {dta}'`        |                         | `initialise: {dta} is nothing that can be filled in; expected {node}`",
                "`texts: {x: {each: '{port.q}'}}`    |                         | `texts: {port.q} is nothing that can be filled in`",
                "`texts: {node: {each: a}}`          |                         | `texts.node: expected a name`",
                "                                    | `files: {../x: a}`      | `nodes.files: \"../x\"; expected the name of a file, without a folder`",
                "`engine: a/b`                       |                         | `engine: \"a/b\"; expected a name of small letters`",
                "                                    | `log: {time: x, format: 'yyyy-MM-dd HH:mm:ss', lines: [{has: x, means: step}]}` | `nodes.log.time: \"x\"; expected a regular expression with one group`",
                "                                    | `log: {time: (x), format: 'HH:mm:ss', lines: [{has: x, means: step}]}` | `nodes.log.format: \"HH:mm:ss\"; expected letters of Java's DateTimeFormatter`",
                "                                    | `log: {time: (x), format: 'MMM dd HH:mm:ss', lines: [{has: x, means: step}]}` | `it does not tell year, month, day, hour, minute and second`",
                "                                    | `log: {time: (x), format: 'yyyy-MM-dd HH:mm', lines: [{has: x, means: step}]}` | `it does not tell year, month, day, hour, minute and second`",
                "`texts: {x: {each: '{x}'}}`         |                         | `texts: {x} is one of texts, which cannot be in one of them`",
                "`texts: {x: {each: 'a'}, y: {first: '', others: '{x.others}'}}` | | `texts: {x.others} is one of texts, which cannot be in one of them`",
                "                                    | `log: {time: (x), format: bbb, lines: [{has: x, means: step}]}` | `nodes.log.format: \"bbb\"; expected letters of Java's DateTimeFormatter`",
                "                                    | `log: {time: (x), format: 'yyyy-MM-dd HH:mm:ss', lines: [{has: '(', means: step}]}` | `nodes.log.lines[1].has: \"(\"; expected a regular expression`"
            })
    void whatIsWrongIsSaidInOneLineWithFileLineKeyValueAndWhatIsExpected(String top, String nodes, String message) {
        String text = whole(top == null ? "" : top, nodes == null ? "" : nodes);

        assertThatThrownBy(() -> EngineFileReader.read("mine.yaml", text))
                .isInstanceOf(IllegalArgumentException.class)
                .satisfies(e -> assertThat(e.getMessage().lines())
                        .singleElement(org.assertj.core.api.InstanceOfAssertFactories.STRING)
                        .matches("mine\\.yaml:\\d+: .*")
                        .contains(message));
    }

    @Test
    void aCommandThatIsNoneOfTheProgramsIsRefused() {
        assertThatThrownBy(() -> EngineFileReader.read("m", whole("", "").replace("[server, ", "[sevrer, ")))
                .hasMessageContaining("command: \"sevrer\" is not one of programs: server");
    }

    @Test
    void theNameOfAnEngineOfThisBuildIsRefused() throws IOException {
        Path file = Files.writeString(folder.resolve("m.yaml"), whole("engine: ndb", ""));

        assertThatThrownBy(() -> DeclaredEngine.read(file, Engine.installed()))
                .hasMessageContaining("\"ndb\" is the name of an engine of this build; choose another one");
    }

    @Test
    void templatesAreFilledWithWhereTheServersAre() throws IOException {
        EngineFile file = EngineFileReader.read("m", whole("""
                texts:
                  peers: {each: '{node}={address}:{port.p}'}
                  role: {first: lead, others: 'follow {node1.port.p}'}
                  state: {create: new, later: existing}
                """, ""));
        DeclaredFiles files = new DeclaredFiles(folder);
        Places places = Places.here(
                file,
                files,
                Path.of("/mine"),
                List.of("node1", "node2", "node3"),
                IntStream.rangeClosed(1, 3).boxed().toList());

        assertThat(places.fill("{peers} {peers.others}", "node2"))
                .isEqualTo("node1=127.0.0.1:1,node2=127.0.0.1:2,node3=127.0.0.1:3 node1=127.0.0.1:1,node3=127.0.0.1:3");
        assertThat(places.fill("{role}", "node1")).isEqualTo("lead");
        assertThat(places.fill("{role} {number}", "node3")).isEqualTo("follow 1 3");
        assertThat(places.fill("{data} {folder} ${data} { data }", "node1"))
                .isEqualTo(folder.resolve("node1/data") + " /mine ${data} { data }");
        assertThat(places.fill("{state}", "node1")).isEqualTo("new");
        Files.createFile(files.complete());
        assertThat(places.fill("{state}", "node1")).isEqualTo("existing");
        assertThat(file.bindings(places)).isEqualTo(Map.of("rest", Map.of("a", "b")));
    }

    @Test
    void aFolderThatAShellTakesForSomethingElseIsRefusedBeforeAnythingStarts() throws IOException {
        Path own = Files.createDirectories(folder.resolve("a b"));
        Path path = Files.writeString(own.resolve("m.yaml"), whole("initialise: 'rm -rf {folder}/x'", ""));
        DeclaredEngine engine = DeclaredEngine.read(path, List.of());

        assertThatThrownBy(() -> engine.require(3))
                .hasMessageContaining("a b\": the character ' ' is not supported")
                .hasMessageContaining("move the engine's file, whose templates have {folder}");
        Places places = Places.here(
                EngineFileReader.read("m", whole("", "")),
                new DeclaredFiles(folder),
                Path.of("/a$(x)"),
                List.of("node1"),
                List.of(1));
        assertThatThrownBy(() -> places.fill("{folder}", "node1")).hasMessageContaining("the character '$'");
    }

    @Test
    void nothingIsInheritedThatIsASecretOrBelongsToOtherServersOfTheEngineOrOfItsPrograms() {
        EngineFile file = EngineFileReader.read("m", whole("", "").replace("[server]", "[server, my-tool]"));
        Map<String, String> environment = new HashMap<>(Map.of(
                "MINE_HOME", "a", "SERVER_WAL_DIR", "b", "MY_TOOL_ENDPOINTS", "c", "DB_PASSWORD", "d", "SERVERS", "e"));

        Programs.of(file, Map.of("PATH", "/opt/x")).environment(environment);

        assertThat(environment).containsOnlyKeys("SERVERS", "PATH", "TZ", "LC_ALL");
        assertThat(environment.get("PATH")).startsWith("/opt/x:");
    }

    @Test
    void aNumberThatMayBeCutOffIsNone() {
        Probe probe = EngineFileReader.read(
                        "m", whole("", "").replace("recovered: PONG", "recovered: PONG, position: 'at:(\\d+)'"))
                .nodes()
                .probe();

        assertThat(probe.position("at:12\r\n")).isEqualTo(12);
        assertThat(probe.position("at:12")).isEqualTo(-1);
        assertThat(probe.position("at:99999999999999999999\n")).isEqualTo(-1);
        assertThat(probe.position("nothing")).isEqualTo(-1);
    }

    @Test
    void aPrimaryOfRedisThatStillLoadsItsFileHasNotRecovered() {
        Probe probe = EngineFile.read(Path.of("../examples/engines/redis.yaml"))
                .nodes()
                .probe();

        assertThat(probe.recovered("# Persistence\r\nloading:1\r\n# Replication\r\nrole:master\r\n", true))
                .isFalse();
        assertThat(probe.recovered("# Persistence\r\nloading:0\r\n# Replication\r\nrole:master\r\n", true))
                .isTrue();
    }
}

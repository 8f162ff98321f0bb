package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.host.Host;
import io.ycsbdrill.fault.host.Transport;
import io.ycsbdrill.fault.inventory.DrillRehearsal;
import io.ycsbdrill.fault.inventory.HostedCluster;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.UnwatchedNodes;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import io.ycsbdrill.fault.schedule.DrillFile;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an inventory of an engine of a file has to say, and what is refused. */
class HostedEngineTest {
    private static final String NODE =
            "{id: a, host: db1, addresses: ['fe80::1'], pid_file: /run/a.pid, data_directory: /var/lib/a, commands: {start: [x]}}";

    private static final String HELPERS =
            "helpers: {name: aide, count: 1, ports: [q], command: [sentinel], probe: {tcp: 'a:1', recovered: x}}";

    @TempDir
    private Path folder;

    private Inventory inventory(String file, String node) throws IOException {
        Files.writeString(folder.resolve("mine.yaml"), file);
        return Inventory.parse(
                folder.resolve("i.yaml").toString(),
                "engine: ./mine.yaml\nproperties: {mine.port.p: \"7\"}\ndefaults: {transport: ssh}\ndata_nodes:\n- "
                        + node + "\n",
                Engine.installed(),
                (word, from) -> Optional.of(DeclaredEngine.read(from.resolve(word), List.of())),
                new Properties());
    }

    private static Properties properties(Inventory inventory, Map<String, String> more) {
        Properties properties = new Properties();
        properties.putAll(inventory.properties());
        properties.putAll(more);
        return properties;
    }

    private RemoteCluster cluster(Inventory inventory) {
        return cluster(inventory, Map.of());
    }

    private RemoteCluster cluster(Inventory inventory, Map<String, String> more) {
        return inventory
                .engine()
                .cluster(
                        inventory,
                        new EngineContext(
                                properties(inventory, more),
                                Map.of("PATH", folder.toString()),
                                folder,
                                ClusterDirectory.of(Map.of("YCSB_DRILL_STATE", folder.toString())),
                                kind -> Optional.<HttpServers>empty()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "pid_file: /run/a.pid,              | i.yaml:5: data_nodes[1].pid_file",
                "data_directory: /var/lib/a,        | i.yaml:5: data_nodes[1].data_directory",
                "commands: {start: [x]}             | i.yaml:5: data_nodes[1].commands"
            })
    void whatNobodyElseCanKnowIsRequired(String missing, String message) {
        String node = NODE.replace(missing, "");

        assertThatThrownBy(() -> inventory(EngineFileTest.whole("", ""), node))
                .hasMessageContaining(message)
                .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
    }

    @ParameterizedTest
    @CsvSource({"docker", "podman", "kubectl"})
    void containersAreNotSupported(String transport) {
        assertThatThrownBy(() -> inventory(
                        EngineFileTest.whole("", ""), NODE.replace("{id: a", "{id: a, transport: " + transport)))
                .hasMessageContaining("transport: " + transport + "; expected ssh or local for an engine of a file");
    }

    /** Also where the user names the server's program; a script that becomes another program has both. */
    @Test
    void whatHelpersAreCalledByAreNoNodes() throws IOException {
        String file = EngineFileTest.whole(HELPERS, "")
                .replace(EngineFileTest.PROBE, "{command: [tool], recovered: up}")
                .replace("[server]", "[server, sentinel, java, tool]");

        assertThat(programs(file, NODE)).containsExactly("server", "java", "!sentinel");
        assertThat(programs(file, NODE.replace("{id: a", "{id: a, program: org.Main")))
                .containsExactly("org.Main", "!sentinel");
        assertThat(programs(file, NODE.replace("{id: a", "{id: a, program: sentinel")))
                .containsExactly("sentinel");
    }

    private List<String> programs(String file, String node) throws IOException {
        return inventory(file, node).nodes().get(0).programs();
    }

    /** Both would be down when it is killed. */
    @Test
    void twoNodesWithOneProcessAreRefused() throws IOException {
        String file = EngineFileTest.whole("", "");
        String other = NODE.replace("{id: a", "{id: b").replace("/run/a.pid", "/run/b.pid");

        assertThatThrownBy(() -> inventory(file, NODE + "\n- " + other))
                .hasMessageContaining("data_nodes: /var/lib/a is of node b and of another one on db1 (ssh)");
        assertThat(inventory(file, NODE + "\n- " + other.replace("db1", "db2")).nodes())
                .hasSize(2);
        assertThat(inventory(file, NODE + "\n- " + other.replace("/var/lib/a", "'/var/lib/{node}'"))
                        .nodes())
                .hasSize(2);
    }

    /** In the words of the cluster itself. */
    @Test
    void withoutAProbeForThePrimaryStepsAroundItAreRefusedBeforeTheStart() throws Exception {
        FaultSchedule schedule = DrillFile.parse("d.yaml", "steps: [{step: s, fault: kill, node: primary, at: 1s}]")
                .schedule();
        String file = EngineFileTest.whole("", "");

        assertThat(DrillRehearsal.refusals(schedule, inventory(file, NODE)))
                .containsExactly("step s: node primary: " + HostedDeclared.unknownPrimary("mine"));
        assertThat(DrillRehearsal.refusals(
                        schedule, inventory(file.replace("recovered: PONG", "recovered: PONG, primary: P"), NODE)))
                .isEmpty();
    }

    /** A host that is silent may run it: two servers on one data directory, or the files of one that runs removed. */
    @Test
    void aNodeOfWhichItsHostSaysNothingIsNeitherStartedNorEmptied() throws IOException {
        String commands =
                "start: [touch, %1$s/started], initialise: [touch, %1$s/emptied], kill: [y]".formatted(folder);
        Inventory inventory =
                inventory(EngineFileTest.whole("", ""), here("").replace("start: [x], kill: [y]", commands));
        NodeController silent = new UnwatchedNodes() {
            @Override
            public String engine() {
                return "mine";
            }

            @Override
            public List<NodeInfo> nodes() {
                return List.of(new NodeInfo("a", "localhost", 0));
            }

            @Override
            public List<NodeStatus> status() {
                return List.of(new NodeStatus("a", State.UNKNOWN, "", OptionalLong.empty()));
            }
        };
        try (HostedCluster cluster = new HostedCluster(inventory, true, silent)) {
            assertThatThrownBy(() -> cluster.start("a"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessage("whether node a has a process its host does not say, so it is not started");
            assertThatThrownBy(() -> cluster.startInitial("a"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessage("node a is UNKNOWN; its files can be removed only when it is down");
        }

        assertThat(folder.resolve("started")).doesNotExist();
        assertThat(folder.resolve("emptied")).doesNotExist();
    }

    private String here(String more) {
        return NODE.replace("{id: a, host: db1", "{id: a, transport: local" + more)
                .replace("/var/lib/a", folder + "/data")
                .replace("/run/a.pid", folder + "/pid")
                .replace("start: [x]", "start: [x], kill: [y]");
    }

    /** Whatever kills it: what is down may be emptied by a command of the user's, and its server may have been given another program. */
    @Test
    void thatANodeIsDownItsHostProves() throws IOException {
        Files.createDirectory(folder.resolve("data"));
        Inventory named = inventory(EngineFileTest.whole("", ""), here(", program: sleep"));
        Inventory unnamed = inventory(EngineFileTest.whole("", ""), here(""));
        assertThat(unnamed.inUse("a")).isEmpty();
        Process server = new ProcessBuilder("sleep", "300")
                .directory(folder.resolve("data").toFile())
                .start();
        try {
            Files.writeString(folder.resolve("pid"), server.pid() + "\n");

            assertThat(named.isProvenDown("a")).contains(false);
            assertThat(unnamed.isProvenDown("a")).contains(true);
            assertThat(unnamed.inUse("a"))
                    .get()
                    .asString()
                    .contains("process " + server.pid() + ", which pid file " + folder);
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void aDataDirectoryThatIsNotThereIsRefused() throws IOException {
        Inventory inventory = inventory(EngineFileTest.whole("", ""), here(""));

        assertThatThrownBy(() -> cluster(inventory).connect())
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("node a: there is no directory " + folder + "/data on localhost (local)");
    }

    @ParameterizedTest
    @CsvSource({"0", "65536", "7x", "'7,8'"})
    void whatIsNoPortIsRefused(String port) throws IOException {
        Inventory inventory = inventory(EngineFileTest.whole("", ""), NODE);

        assertThatThrownBy(() -> cluster(inventory, Map.of("mine.port.p", port)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("mine.port.p=" + port + " is not a port, or one for each of a;");
    }

    /** Locks and records of open faults go by that. */
    @Test
    void twoClustersOfTheSameHostsHaveDifferentAddresses() throws IOException {
        Inventory inventory = inventory(EngineFileTest.whole("", ""), NODE);

        assertThat(cluster(inventory, Map.of()).address()).isEqualTo("db1:7");
        assertThat(cluster(inventory, Map.of("mine.port.p", "8")).address()).isEqualTo("db1:8");
    }

    @Test
    void helpersThatTemplatesNeedAreRequiredAndTheirPortsHaveNamesOfTheirOwn() throws IOException {
        String file = EngineFileTest.whole(HELPERS + "\ntexts: {every: {each-helper: '{address}:{port.q}'}}", "")
                .replace("[server]", "[server, sentinel]");
        Inventory inventory = inventory(file.replace("{a: b}", "{a: '{every}'}"), NODE);
        assertThatThrownBy(() -> inventory.engine().reaching("rest", inventory, properties(inventory, Map.of())))
                .hasMessageContaining("{every} needs the helpers of engine mine: list them as management");

        Inventory same = inventory(file.replace("[q]", "[p]").replace("port.q", "port.p"), NODE);
        assertThatThrownBy(() -> cluster(same, Map.of()))
                .hasMessageContaining("port p of engine mine is one of nodes and of helpers");
    }

    /** As of sshd, which says it before all. */
    @Test
    void aVersionIsWhatACommandPrintsThatEndsWell() throws IOException {
        Host here = Host.of(Transport.LOCAL, "here");

        assertThat(HostedDeclared.version(here, List.of("echo", "server 3.4.23 of 2020")))
                .isEqualTo("3.4.23");
        assertThat(HostedDeclared.version(here, List.of("sh", "-c", "echo 3.4.23 >&2")))
                .isEqualTo("3.4.23");
        assertThat(HostedDeclared.version(here, List.of("sh", "-c", "echo 10.0.0.1 refuses; exit 1")))
                .isEqualTo("unknown");
        assertThat(HostedDeclared.version(here, List.of("echo", "none"))).isEqualTo("unknown");
        assertThat(HostedDeclared.version(new ProgramOutput(0, "Ubuntu 22.04.3\nycsb-drill-version\netcd 3.5.9\n")))
                .isEqualTo("3.5.9");
    }

    @Test
    void anAddressWithColonsIsInBracketsBeforeAPort() throws IOException {
        Inventory inventory = inventory(EngineFileTest.whole("", ""), NODE);
        EngineFile file =
                EngineFileReader.read("m", EngineFileTest.whole("texts: {every: {each: '{address}:{port.p}'}}", ""));

        Places places = HostedSite.places(file, folder, inventory, properties(inventory, Map.of()));

        assertThat(places.fill(
                        "http://{address}:{port.p}/ {node1.address}:{node1.port.p} {address} {every} {data}", "a"))
                .isEqualTo("http://[fe80::1]:7/ [fe80::1]:7 fe80::1 [fe80::1]:7 /var/lib/a");
    }

    /** Nobody else's position counts, and logs are not read. */
    @Test
    void aPositionWithoutAPrimaryIsRefused() throws IOException {
        String probe = "{tcp: '{address}:{port.p}', recovered: up, position: 'at:(\\d+)'}";
        Inventory inventory =
                inventory(EngineFileTest.whole("primary: node1", "").replace(EngineFileTest.PROBE, probe), NODE);

        assertThatThrownBy(() -> cluster(inventory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("add primary, a regular expression for the primary's answer");
    }

    @Test
    void onlyTheProgramOfTheProbeIsNeededHere() throws IOException {
        String probe = "{command: [tool, '{address}'], recovered: up}";
        Inventory inventory = inventory(
                EngineFileTest.whole("", "")
                        .replace("[server]", "[server, tool]")
                        .replace(EngineFileTest.PROBE, probe),
                NODE);
        assertThatThrownBy(() -> cluster(inventory))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs the program tool on this machine");

        assertThat(Files.writeString(folder.resolve("tool"), "").toFile().setExecutable(true))
                .isTrue();
        cluster(inventory);
    }

    @Test
    void whatIsSentIsFilledInBeforehand() throws IOException {
        String probe = "{tcp: '{address}:{port.p}', send: '{home}', recovered: up}";
        Inventory inventory = inventory(EngineFileTest.whole("", "").replace(EngineFileTest.PROBE, probe), NODE);

        assertThatThrownBy(() -> cluster(inventory))
                .hasMessageContaining("{home} of node a is not known on other hosts");
    }
}

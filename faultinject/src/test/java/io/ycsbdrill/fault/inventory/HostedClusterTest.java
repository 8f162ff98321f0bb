package io.ycsbdrill.fault.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inject.Healer;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.UnwatchedNodes;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Two processes of this machine that play the servers. */
@EnabledOnOs(OS.LINUX)
@Timeout(120)
class HostedClusterTest {
    private static final List<String> ALL = List.of("a", "b");

    @TempDir
    Path folder;

    private Inventory inventory;
    private boolean answering = true;
    /** Whether a server that is alone serves. */
    private boolean enough;
    /** Whether servers that serve say that one without a process is down. */
    private boolean lost;
    /** Whether a server that has a process does not serve yet. */
    private boolean starting;
    /** What its peers take for down. */
    private String takenForDown = "";
    /** What its peers do not know, though its process is there. */
    private String unknown = "";

    @BeforeEach
    void start() throws IOException {
        inventory = inventory("sleep");
        for (String node : ALL) {
            Path data = Files.createDirectories(folder.resolve(node));
            Files.createFile(data.resolve("nodes"));
            Files.writeString(
                    folder.resolve(node + ".pid"),
                    new ProcessBuilder("sleep", "300")
                                    .directory(data.toFile())
                                    .start()
                                    .pid() + "\n");
        }
    }

    private Inventory inventory(String program) {
        return Inventory.parse("i.yaml", """
                engine: cratedb
                defaults: {transport: local}
                journal: %1$s/heal
                timeout: 20s
                commands: {start: "cd %1$s/$NODE; echo $$ >%1$s/$NODE.pid; exec sleep 300"}
                data_nodes:
                  - {id: a, program: %2$s, pid_file: %1$s/a.pid, data_directory: %1$s/a}
                  - {id: b, program: %2$s, pid_file: %1$s/b.pid, data_directory: %1$s/b}
                """.formatted(folder, program), Engine.installed(), new Properties());
    }

    @AfterEach
    void end() {
        ALL.forEach(node -> process(node).ifPresent(ProcessHandle::destroyForcibly));
    }

    private Optional<ProcessHandle> process(String node) {
        try {
            return ProcessHandle.of(Long.parseLong(
                            Files.readString(folder.resolve(node + ".pid")).strip()))
                    .filter(process -> new OsProcess(process.pid()).alive());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private void end(String node) {
        process(node).ifPresent(process -> {
            process.destroyForcibly();
            new OsProcess(process.pid()).awaitEnd(10_000);
        });
    }

    @Test
    void whenNoServerIsLeftToAnswerTheHostsSayThatTheyAreDown() {
        HostedCluster cluster = new HostedCluster(inventory, false, new Servers());
        assertThat(states(cluster)).containsExactly(State.STARTED, State.STARTED);

        ALL.forEach(cluster::kill);

        assertThat(states(cluster)).containsExactly(State.DOWN, State.DOWN);
        assertThat(new Healer(cluster, HealRecord.inMemory(), Duration.ofSeconds(30), line -> {}).heal())
                .isEmpty();
        assertThat(states(cluster)).containsExactly(State.STARTED, State.STARTED);
        List<String> problems = new ArrayList<>();
        assertThat(inventory.journal().open(problems::add)).isEmpty();
        assertThat(problems).isEmpty();
    }

    @Test
    void theKernelsOfTheHostsSayWhatServersHaveUsed() throws IOException {
        try (HostedCluster cluster = new HostedCluster(inventory, false, new Servers())) {
            awaitUse(cluster, "a", "b");
            NodeUse said = cluster.use().get("b");
            NodeUse known = ProcFs.use(process("b").orElseThrow().pid()).orElseThrow();
            assertThat(said.process()).isEqualTo(known.process());
            assertThat(said.memoryBytes()).isEqualTo(known.memoryBytes());
            assertThat(said.cpuSeconds()).isBetween(0.0, known.cpuSeconds());
            assertThat(said.ageSeconds()).isBetween(0.0, known.ageSeconds());
            assertThat(cluster.metered()).containsExactly("a", "b");

            end("a");

            awaitUse(cluster, "b");
        }
        // A pid file may name a process that somebody else has started since.
        Inventory another = inventory("another");
        HostedNode node = another.nodes(HostedNode.Role.DATA).get(1);
        try (HostedProcess process = new HostedProcess(node)) {
            assertThat(process.look(Duration.ofSeconds(60)).orElseThrow().none())
                    .as("the host has answered")
                    .isTrue();
        }
    }

    /** A host that does not answer within a second has no sample in it. */
    private static void awaitUse(HostedCluster cluster, String... servers) {
        NodeLocks.await(
                Duration.ofSeconds(60),
                () -> cluster.use().keySet().equals(Set.of(servers)),
                () -> "used: " + cluster.use());
    }

    @Test
    void serversThatOnlyDoNotAnswerAreNotDown() {
        HostedCluster cluster = new HostedCluster(inventory, false, new Servers());
        answering = false;

        assertThatThrownBy(cluster::status)
                .isInstanceOf(NodeControlException.class)
                .hasMessage("no server of scripted answers");

        end("a");
        assertThat(states(cluster)).containsExactly(State.DOWN, State.UNKNOWN);
    }

    /** It may be one that joins, or of which an answer was lost; of one that is lost they will say so. */
    @Test
    void aNodeOfWhichServersThatServeDoNotKnowIsNotDown() {
        enough = true;
        HostedCluster cluster = new HostedCluster(inventory, false, new Servers());

        end("b");

        assertThat(states(cluster)).containsExactly(State.STARTED, State.UNKNOWN);
    }

    /** As of a server of Galera that gets all data: it writes the file only then. */
    @Test
    void withoutAPidFileAnyProcessOfTheProgramMayBeTheServer() throws Exception {
        Inventory joining = inventory("joiningdbd");
        end("a");
        Files.delete(folder.resolve("a.pid"));
        Path program = Files.createSymbolicLink(
                folder.resolve("joiningdbd"), Path.of("/bin/sh").toRealPath());
        // It waits for its input, so that it has no children.
        Process server = new ProcessBuilder(program.toString(), "-c", "read -r line").start();
        try {
            assertThat(joining.withoutProcess(List.of("a"))).isEmpty();
        } finally {
            server.destroyForcibly().waitFor();
        }
        assertThat(joining.withoutProcess(List.of("a"))).containsExactly("a");
    }

    /** Such as an exporter of its figures, a look at its log, or the ssh session of a user of that name. */
    @Test
    void aProcessThatOnlyNamesTheProgramIsNotTheServer() throws Exception {
        Inventory gone = inventory("joiningdbd");
        end("a");
        Files.delete(folder.resolve("a.pid"));
        Process other = new ProcessBuilder("sh", "-c", "read -r line", "joiningdbd_exporter", "joiningdbd").start();
        try {
            assertThat(gone.withoutProcess(List.of("a"))).containsExactly("a");
        } finally {
            other.destroyForcibly().waitFor();
        }
    }

    /** As of one that is cut off, or hangs: its host knows better. */
    @Test
    void aNodeThatItsPeersTakeForDownIsKilledAllTheSame() {
        HostedCluster cluster = new HostedCluster(inventory, false, new Servers());
        takenForDown = "b";
        assertThat(states(cluster)).containsExactly(State.STARTED, State.DOWN);

        cluster.kill("b");

        assertThat(process("b")).isEmpty();
        assertThat(process("a")).isPresent();
        cluster.kill("b"); // down already
    }

    @Test
    void aNodeThatItsPeersTakeForDownIsNotEmptiedWhileItRuns() {
        HostedCluster cluster = new HostedCluster(inventory, false, new Servers());
        takenForDown = "b";

        assertThatThrownBy(() -> cluster.startInitial("b"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("still runs; its directory " + folder.resolve("b") + " stays as it is");

        assertThat(process("b")).isPresent();
        assertThat(folder.resolve("b/nodes")).exists();
    }

    /** Somebody else's, who does not get it back: neither the command of one node nor a drill that takes all of them removes it. */
    @Test
    void theLastCopyOfTheDataIsNotRemoved() {
        enough = true;
        lost = true;
        HostedCluster cluster = new HostedCluster(inventory, false, new Servers());
        InitialiseNode initialise = new InitialiseNode(StopMode.KILL, Duration.ZERO);
        NodeInfo b = cluster.nodes().get(1);
        end("a");

        assertThatThrownBy(() -> initialise.inject(cluster, b, null))
                .as("nor is the node brought down for that")
                .isInstanceOf(NodeControlException.class)
                .hasMessage("no other node serves from which b could copy the data; its files are kept. Start the"
                        + " others first");
        assertThat(process("b")).isPresent();
        cluster.kill("b");
        assertThatThrownBy(() -> initialise.end(cluster, b, null)).hasMessageContaining("its files are kept");
        assertThat(folder.resolve("b/nodes")).exists();

        cluster.start("a");
        initialise.end(cluster, b, null);

        assertThat(folder.resolve("b/nodes")).doesNotExist();
        assertThat(states(cluster)).containsOnly(State.STARTED);
    }

    /** Servers that serve do not know a node whose host says that it runs: it may be one that joins. */
    @Test
    void aNodeOfWhichNobodyKnowsIsNeitherEmptiedNorStarted() {
        enough = true;
        unknown = "b";
        HostedCluster cluster = new HostedCluster(inventory, false, new Servers());
        assertThat(states(cluster)).containsExactly(State.STARTED, State.UNKNOWN);
        long before = process("b").orElseThrow().pid();

        assertThatThrownBy(() -> cluster.startInitial("b"))
                .isInstanceOf(NodeControlException.class)
                .hasMessage("node b is UNKNOWN; its files can be removed only when it is down");
        cluster.start("b");

        assertThat(process("b").orElseThrow().pid()).isEqualTo(before);
        assertThat(folder.resolve("b/nodes")).exists();
    }

    @Test
    void aKillThatFindsNoProcessFailsWhileOneMayBeTheServer() throws IOException {
        HostedCluster cluster = new HostedCluster(inventory, false, new Servers());
        Path pidFile = folder.resolve("b.pid");
        String pid = Files.readString(pidFile);
        Files.writeString(pidFile, "1\n");
        try {
            assertThatThrownBy(() -> cluster.kill("b"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("process " + pid.strip() + " runs sleep and uses " + folder.resolve("b"));
        } finally {
            Files.writeString(pidFile, pid);
        }
        assertThat(process("b")).isPresent();
    }

    @Test
    void whoCannotConnectIsToldWhatIsDown() {
        answering = false;
        assertThatThrownBy(this::connect)
                .isInstanceOf(NodeControlException.class)
                .hasMessage("no server of scripted answers");

        end("a");

        assertThatThrownBy(this::connect)
                .isInstanceOf(NodeControlException.class)
                .hasMessageStartingWith("no server of scripted answers; on their hosts there is no process of a: ");
    }

    /** On one machine, and with the same ids: healing them would close the record of what is in force on the others. */
    @Test
    void containersOfAnotherClusterHaveARecordOfTheirOwn() {
        HealJournal one = containers("one").journal();
        HealJournal other = containers("other").journal();

        one.opened("a", "cut");

        assertThat(other.open(problem -> {})).isEmpty();
        other.closed("a", Set.of("cut"));
        assertThat(one.open(problem -> {})).containsOnlyKeys("a");
    }

    private Inventory containers(String cluster) {
        return Inventory.parse("i.yaml", """
                engine: galera
                defaults: {transport: docker}
                journal: %1$s/heal
                data_nodes:
                  - {id: a, host: %2$s-a}
                  - {id: b, host: %2$s-b}
                """.formatted(folder, cluster), Engine.installed(), new Properties());
    }

    private void restartsByWith(String start, String more) throws IOException {
        inventory = Inventory.parse("i.yaml", """
                engine: cratedb
                defaults: {transport: local%3$s}
                journal: %1$s/heal
                timeout: 20s
                commands: {start: "%2$s"}
                data_nodes:
                  - {id: a, program: sleep, pid_file: %1$s/a.pid, data_directory: %1$s/a}
                  - {id: b, program: sleep, pid_file: %1$s/b.pid, data_directory: %1$s/b}
                """.formatted(folder, start, more), Engine.installed(), new Properties());
        Files.writeString(folder.resolve("b.log"), "started\n[ERROR] no space left\n");
        enough = true;
        lost = true;
    }

    @Test
    void aCommandThatTakesTooLongSaysWhatAllowsLonger() {
        Inventory hasty = Inventory.parse("i.yaml", """
                engine: cratedb
                timeout: 200ms
                data_nodes: [{id: a, transport: local, commands: {start: [sleep, "60"]}}]
                """, Engine.installed(), new Properties());
        NodeInfo node = hasty.nodes(HostedNode.Role.DATA).get(0).info();

        assertThatThrownBy(() -> hasty.act(NodeAction.START, node, step -> {}))
                .isInstanceOf(NodeControlException.class)
                .hasMessageEndingWith(" did not end within 200 ms; where it needs longer, give timeout: in the"
                        + " inventory (docs/inventory.md)");
    }

    /** Whoever starts it, as systemd or a script of the user's, need not know that it has ended. */
    @Test
    void aStartThatEndsWellWithoutAProcessHasFailed() throws IOException {
        restartsByWith("true", ", log: \"" + folder + "/{node}.log\"");
        HostedCluster cluster = impatient();
        cluster.kill("b");

        assertThatThrownBy(() -> cluster.start("b"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining(
                        "ended well, but there is no process of it on localhost (local); the last lines of " + folder
                                + "/b.log: \"started\n[ERROR] no space left\"");

        List<String> problems = new Healer(cluster, HealRecord.inMemory(), Duration.ofMinutes(5), line -> {}).heal();
        assertThat(problems).isNotEmpty().allMatch(problem -> problem.contains("no process"));
    }

    @Test
    void aServerThatEndsAfterItsStartIsNotAwaited() throws IOException {
        restartsByWith("sleep 1 & echo $! >" + folder + "/$NODE.pid", "");
        HostedCluster cluster = impatient();
        cluster.kill("b");
        starting = true;
        cluster.start("b");

        assertThatThrownBy(() -> cluster.awaitStarted("b", Duration.ofMinutes(5)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("node b is down and will not recover: there is no process")
                .hasMessageContaining("give log: in the inventory");
    }

    /** One that gives a process that is not there up after half a second of questions, not after ten. */
    private HostedCluster impatient() {
        return new HostedCluster(inventory, false, new Servers(), Duration.ofMillis(50));
    }

    private HostedCluster connect() {
        return HostedCluster.connect(inventory, false, () -> {
            Servers servers = new Servers();
            servers.status();
            return servers;
        });
    }

    private static List<State> states(HostedCluster cluster) {
        return cluster.status().stream().map(NodeStatus::state).toList();
    }

    /** Those that have a process answer; of the others they do not know, and one that is alone need not serve. */
    private final class Servers implements UnwatchedNodes {
        @Override
        public String engine() {
            return "scripted";
        }

        @Override
        public List<NodeInfo> nodes() {
            return ALL.stream().map(id -> new NodeInfo(id, "localhost", 0)).toList();
        }

        @Override
        public List<NodeStatus> status() {
            if (!answering || ALL.stream().noneMatch(id -> process(id).isPresent())) {
                throw new NodeControlException("no server of scripted answers");
            }
            boolean serving = enough || ALL.stream().allMatch(id -> process(id).isPresent());
            State up = serving ? State.STARTED : State.STARTING;
            if (!takenForDown.isEmpty()) {
                return ALL.stream()
                        .map(id -> new NodeStatus(
                                id, id.equals(takenForDown) ? State.DOWN : State.STARTED, "", OptionalLong.empty()))
                        .toList();
            }
            return ALL.stream()
                    .map(id -> new NodeStatus(
                            id,
                            process(id).isEmpty() || id.equals(unknown)
                                    ? lost ? State.DOWN : State.UNKNOWN
                                    : starting && id.equals("b") ? State.STARTING : up,
                            "",
                            OptionalLong.empty()))
                    .toList();
        }
    }
}

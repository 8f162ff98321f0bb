package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.host.SmallDisk;
import io.ycsbdrill.fault.host.SshHosts;
import io.ycsbdrill.fault.inventory.HealJournal;
import io.ycsbdrill.fault.inventory.HostedCluster;
import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.inventory.TestedInventory;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.galera.hosted.GaleraNodes;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import io.ycsbdrill.fault.node.trouble.DiskTrouble;
import io.ycsbdrill.fault.node.trouble.DiskTrouble.Kind;
import io.ycsbdrill.fault.node.trouble.Impairable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real servers that are watched and controlled by ssh alone; set {@code GALERA_HOME} to run it. */
@Tag("engine")
@Timeout(300)
class HostedGaleraIT {
    private static final Duration BOUND = Duration.ofMinutes(2);

    @TempDir
    static Path folder;

    @TempDir
    static Path keys;

    private static GaleraHome home;
    private static LocalCluster local;
    private static SshHosts hosts;

    @BeforeAll
    static void up() throws Exception {
        home = TestedGalera.home();
        local = new GaleraEngine()
                .up(
                        folder.resolve("c"),
                        Map.of("buffer-pool", "32M", "galera-home", home.root().toString()),
                        Lifetime.OWNED,
                        line -> {});
        hosts = SshHosts.start(
                keys.resolve("ssh"), local.nodes().stream().map(NodeInfo::id).toList(), Map.of());
    }

    @AfterAll
    static void down() {
        if (hosts != null) {
            hosts.close();
        }
        if (local != null) {
            local.down();
        }
    }

    private static GaleraFiles files() {
        return new GaleraFiles(local.descriptor().directory());
    }

    /** What a shell at the other end does not have, and our own starts of these servers do. */
    private static List<String> environment() {
        Map<String, String> variables = home.environment(System.getenv());
        return List.of(
                "PATH=" + files().programs() + ":" + variables.get("PATH"),
                "LD_LIBRARY_PATH=" + variables.getOrDefault("LD_LIBRARY_PATH", ""));
    }

    private static String client() {
        return "env " + environment().get(1) + " " + home.required("mariadb") + " --no-defaults --user=root --socket="
                + files().home("{node}").resolve("s.sock");
    }

    /** As of the local cluster, so that it can be ended like any other. */
    private static final String RECORD = "echo $$ $(cut -d ' ' -f 22 /proc/$$/stat) mariadbd >\"$1\"; ";

    private static Inventory inventory() throws Exception {
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (NodeInfo node : local.nodes()) {
            String pid = files().pid(node.id()).toString();
            List<String> start = new ArrayList<>(List.of("sh", "-c", RECORD + "shift; exec env \"$@\"", "sh", pid));
            start.addAll(environment());
            start.addAll(List.of(
                    "sh",
                    files().script().toString(),
                    files().directory().toString(),
                    node.id().replace("node", ""),
                    "1 2 3",
                    "again"));
            nodes.add(Map.of(
                    "id", node.id(),
                    "host", node.id(),
                    "pid_file", pid,
                    "data_directory", files().data(node.id()).toString(),
                    "commands", Map.of("start", start)));
        }
        return TestedInventory.of("galera", hosts, keys, nodes);
    }

    @Test
    void nodesGoDownAndComeBackByCommandsOnTheirHosts() throws Exception {
        List<EngineEvent> events = new CopyOnWriteArrayList<>();
        Inventory inventory = inventory();
        try (NodeController cluster = new HostedCluster(
                inventory, true, GaleraNodes.connect("galera", inventory.nodes(Role.DATA), client()))) {
            assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node2", "node3");
            assertThat(cluster.engineVersion()).startsWith(home.number().orElse("1"));
            cluster.listen(events::add);
            Startable startable = cluster.capability(Startable.class).orElseThrow();
            HealJournal journal = cluster.capability(HealJournal.class).orElseThrow();

            cluster.capability(Killable.class).orElseThrow().kill("node2");
            assertThat(TestedInventory.state(cluster, "node2")).isEqualTo(State.DOWN);
            assertThat(journal.open(problem -> {})).containsOnlyKeys("node2");
            startable.start("node2");
            startable.awaitStarted("node2", BOUND);
            assertThat(journal.open(problem -> {})).isEmpty();
            await(events, "node2");
            assertThat(signals(events, "node2"))
                    .containsSubsequence(
                            Signal.NODE_DOWN, Signal.FAILURE_HANDLED, Signal.PROCESS_STARTED, Signal.RECOVERED);

            cluster.capability(Stoppable.class).orElseThrow().stop("node3", Stoppable.Mode.GRACEFUL, BOUND);
            assertThat(TestedInventory.state(cluster, "node3")).isEqualTo(State.DOWN);
            cluster.capability(Initialisable.class).orElseThrow().startInitial("node3");
            startable.awaitStarted("node3", BOUND);
            await(events, "node3");
            assertThat(signals(events, "node3"))
                    .containsSubsequence(
                            Signal.NODE_DOWN, Signal.PROCESS_STARTED, Signal.SYNCHRONISE_STARTED, Signal.RECOVERED);
            assertThat(signals(events, "node1")).doesNotContain(Signal.NODE_DOWN);

            Pausable pausable = cluster.capability(Pausable.class).orElseThrow();
            pausable.pause("node2");
            assertThat(TestedInventory.state(cluster, "node2")).isEqualTo(State.PAUSED);
            assertThat(journal.open(problem -> {})).containsOnlyKeys("node2");
            pausable.resume("node2");
            startable.awaitStarted("node2", BOUND);
            assertThat(journal.open(problem -> {})).isEmpty();
        }
    }

    /** Its files are moved to a small file system first. What the node makes of it is its own affair; in the end it is there again. */
    @Test
    void aNodeWhoseDiskWasFullComesBack() throws Exception {
        Inventory inventory = inventory();
        DiskTrouble full = DiskTrouble.of(Kind.FULL);
        Path data = files().data("node3");
        Path aside = data.resolveSibling("aside");
        try (NodeController cluster = new HostedCluster(
                inventory, true, GaleraNodes.connect("galera", inventory.nodes(Role.DATA), client()))) {
            Startable startable = cluster.capability(Startable.class).orElseThrow();
            Impairable disks = cluster.capability(Impairable.class).orElseThrow();
            HealJournal journal = cluster.capability(HealJournal.class).orElseThrow();
            cluster.capability(Stoppable.class).orElseThrow().stop("node3", Stoppable.Mode.GRACEFUL, BOUND);
            Files.move(data, aside);
            try (SmallDisk disk = SmallDisk.mount(data, 400)) {
                run("cp", "-a", aside + "/.", data.toString());
                startable.start("node3");
                startable.awaitStarted("node3", BOUND);

                disks.impair("node3", full);
                assertThat(disks.look("node3", full).effect()).isTrue();
                assertThat(journal.open(problem -> {})).containsOnlyKeys("node3");
                fill(4);
                disks.restoreAll();

                assertThat(journal.open(problem -> {})).isEmpty();
                assertThat(disk.freeBytes()).isPositive();
                startable.start("node3");
                startable.awaitStarted("node3", BOUND);
                cluster.capability(Stoppable.class).orElseThrow().stop("node3", Stoppable.Mode.GRACEFUL, BOUND);
                run("cp", "-a", data + "/.", aside.toString());
            } finally {
                Files.delete(data);
                Files.move(aside, data);
            }
            startable.start("node3");
            startable.awaitStarted("node3", BOUND);
        }
    }

    private static void run(String... command) throws Exception {
        ProgramOutput output = ProgramOutput.of(List.of(command));
        assertThat(output.exit()).as(output.text()).isZero();
    }

    /** New rows of so many megabytes, written to another node. */
    private static void fill(int megabytes) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(client().replace("{node}", "node1").split(" ")));
        command.addAll(List.of(
                "-e",
                "CREATE DATABASE IF NOT EXISTS d; USE d; CREATE TABLE IF NOT EXISTS t (k INT AUTO_INCREMENT PRIMARY KEY,"
                        + " v MEDIUMTEXT); INSERT INTO t (v) SELECT REPEAT('x', 1048576) FROM seq_1_to_"
                        + megabytes));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        // A node that cannot write holds up the others (flow control), so that the rows may have to wait.
        if (process.waitFor(10, TimeUnit.SECONDS)) {
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(said).isZero();
        }
    }

    private static void await(List<EngineEvent> events, String node) throws InterruptedException {
        while (!signals(events, node).contains(Signal.RECOVERED)) {
            Thread.sleep(50);
        }
    }

    private static List<Signal> signals(List<EngineEvent> events, String node) {
        return events.stream()
                .filter(event -> event.node().equals(node))
                .map(EngineEvent::signal)
                .collect(Collectors.toList());
    }

    @Test
    void aClientThatDoesNotAnswerIsNamed() throws Exception {
        Inventory inventory = inventory();

        assertThatThrownBy(() -> GaleraNodes.connect("galera", inventory.nodes(Role.DATA), "no-such-client"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no node of galera answers")
                .hasMessageContaining("no-such-client")
                .hasMessageContaining("galera.client");
    }
}

package io.ycsbdrill.fault.node.patroni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.HttpServers;
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
import io.ycsbdrill.fault.node.Switchable;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.RunAs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real servers that are watched by Patroni's own interface and controlled by ssh alone; set {@code PATRONI_HOME} to run it. */
@Tag("engine")
@Timeout(300)
class HostedPatroniIT {
    private static final Duration BOUND = Duration.ofMinutes(2);

    @TempDir
    static Path folder;

    @TempDir
    static Path keys;

    private static PatroniHome home;
    private static LocalCluster local;
    private static SshHosts hosts;

    @BeforeAll
    static void up() throws Exception {
        home = TestedPatroni.home();
        folder.toFile().setExecutable(true, false); // as root, another user runs the servers
        local = new PatroniEngine().up(folder.resolve("c"), TestedPatroni.quick(), Lifetime.OWNED, line -> {});
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

    private static PatroniFiles files() {
        return new PatroniFiles(local.descriptor().directory());
    }

    private static HttpServers rest() {
        return HttpServers.open(
                List.of(local.descriptor().engineState().get("rest").split(",")).stream()
                        .map(address -> "http://" + address)
                        .toList());
    }

    private static Inventory inventory() throws Exception {
        List<Map<String, Object>> nodes = new ArrayList<>();
        for (NodeInfo node : local.nodes()) {
            Path data = files().data(node.id());
            List<String> start = new ArrayList<>(List.of(
                    "sh",
                    "-c",
                    "mkdir -p \"$1\" && chmod 700 \"$1\" && chown --reference=\"$2\" \"$1\"; out=$3;"
                            // As of the local cluster, so that it can be ended like any other.
                            + " echo $$ $(cut -d ' ' -f 22 /proc/$$/stat) python3 >\"$4\"; shift 4; exec env \"$@\" >>\"$out\" 2>&1",
                    "sh",
                    data.toString(),
                    files().home(node.id()).toString(),
                    files().output(node.id()).toString(),
                    files().pid(node.id()).toString()));
            home.environment(System.getenv()).forEach((name, value) -> start.add(name + "=" + value));
            start.addAll(RunAs.of(local.descriptor().engineState().get("user")).prefix());
            start.addAll(List.of(
                    PatroniHome.PYTHON.toString(),
                    "-s",
                    "-m",
                    "patroni",
                    files().configuration(node.id()).toString()));
            nodes.add(Map.of(
                    "id", node.id(),
                    "host", node.id(),
                    "pid_file", data.resolve("postmaster.pid").toString(),
                    "data_directory", data.toString(),
                    "commands", Map.of("start", start)));
        }
        return TestedInventory.of(PatroniEngine.NAME, hosts, keys, nodes);
    }

    @Test
    void nodesGoDownAndComeBackOnTheirHosts() throws Exception {
        List<EngineEvent> events = new CopyOnWriteArrayList<>();
        Inventory inventory = inventory();
        try (NodeController cluster =
                new HostedCluster(inventory, true, HostedPatroni.connect(inventory.nodes(Role.DATA), rest()))) {
            assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node2", "node3");
            assertThat(cluster.engineVersion()).isEqualTo(home.version() + " with PostgreSQL " + home.serverVersion());
            String primary = cluster.primary().orElseThrow();
            assertThat(local.primary()).contains(primary);
            cluster.listen(events::add);
            Startable startable = cluster.capability(Startable.class).orElseThrow();
            HealJournal journal = cluster.capability(HealJournal.class).orElseThrow();

            // The primary, with its Patroni: another one takes over.
            cluster.capability(Killable.class).orElseThrow().kill(primary);
            assertThat(TestedInventory.state(cluster, primary)).isEqualTo(State.DOWN);
            assertThat(journal.open(problem -> {})).containsOnlyKeys(primary);
            await(events, primary, Signal.FAILURE_HANDLED);
            assertThat(cluster.primary().orElseThrow()).isNotEqualTo(primary);
            startable.start(primary);
            startable.awaitStarted(primary, BOUND);
            await(events, primary, Signal.RECOVERED);
            assertThat(signals(events, primary))
                    .containsExactly(
                            Signal.NODE_DOWN,
                            Signal.FAILURE_HANDLED,
                            Signal.PROCESS_STARTED,
                            Signal.SYNCHRONISE_STARTED,
                            Signal.RECOVERED);
            assertThat(journal.open(problem -> {})).isEmpty();

            // A replica, emptied.
            String replica = cluster.nodes().stream()
                    .map(NodeInfo::id)
                    .filter(node -> !node.equals(primary) && !cluster.primary().equals(Optional.of(node)))
                    .findFirst()
                    .orElseThrow();
            cluster.capability(Stoppable.class).orElseThrow().stop(replica, Stoppable.Mode.GRACEFUL, BOUND);
            assertThat(TestedInventory.state(cluster, replica)).isEqualTo(State.DOWN);
            cluster.capability(Initialisable.class).orElseThrow().startInitial(replica);
            startable.awaitStarted(replica, BOUND);
            await(events, replica, Signal.RECOVERED);
            assertThat(signals(events, replica))
                    .containsSubsequence(
                            Signal.NODE_DOWN,
                            Signal.FAILURE_HANDLED,
                            Signal.PROCESS_STARTED,
                            Signal.SYNCHRONISE_STARTED,
                            Signal.RECOVERED);

            // All of its processes, so that it cannot be told from one whose machine hangs.
            Pausable pausable = cluster.capability(Pausable.class).orElseThrow();
            pausable.pause(replica);
            assertThat(TestedInventory.state(cluster, replica)).isEqualTo(State.PAUSED);
            assertThat(ProcFs.stat(PidFile.read(files().pid(replica))
                                    .orElseThrow()
                                    .pid())
                            .orElseThrow()
                            .state())
                    .as("its Patroni")
                    .isEqualTo('T');
            pausable.resume(replica);
            startable.awaitStarted(replica, BOUND);

            events.clear();
            String now = cluster.primary().orElseThrow();
            assertThatThrownBy(() ->
                            cluster.capability(Switchable.class).orElseThrow().switchOver(now))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("patroni.rest.user");
            assertThat(cluster.primary()).contains(now);
        }
    }

    @Test
    void anotherNameIsRefused() throws Exception {
        Inventory inventory = Inventory.parse(
                "i.yaml",
                "engine: patroni\ndefaults: {transport: local}\ndata_nodes: [{id: a}, {id: b}, {id: c}]\n",
                List.of(new PatroniEngine()),
                new Properties());

        assertThatThrownBy(() -> HostedPatroni.connect(inventory.nodes(Role.DATA), rest()))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("knows node1, node2, node3, and data_nodes of the inventory has a, b, c");
    }

    /** Else the wrong node would be harmed. */
    @Test
    void anAddressOfAnotherNodeIsRefused() throws Exception {
        List<String> swapped = new ArrayList<>(rest().addresses());
        Collections.swap(swapped, 1, 2);
        Inventory inventory = inventory();

        assertThatThrownBy(() -> HostedPatroni.connect(inventory.nodes(Role.DATA), HttpServers.open(swapped)))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("is node3, and not node2");
    }

    @Test
    void aSwitchoverIsMadeWithCredentials() throws Exception {
        Inventory inventory = inventory();
        String[] header = PatroniConfig.authorization(files().configuration("node1"));
        HttpServers known = new HttpServers(rest().addresses(), Map.of(header[0], header[1]), true, Optional.empty());
        List<EngineEvent> events = new CopyOnWriteArrayList<>();
        try (NodeController cluster =
                new HostedCluster(inventory, true, HostedPatroni.connect(inventory.nodes(Role.DATA), known))) {
            cluster.listen(events::add);
            String before = cluster.primary().orElseThrow();

            cluster.capability(Switchable.class).orElseThrow().switchOver(before);

            await(events, before, Signal.RECOVERED);
            assertThat(cluster.primary().orElseThrow()).isNotEqualTo(before);
            cluster.capability(Startable.class).orElseThrow().awaitStarted(before, BOUND);
        }
    }

    private static void await(List<EngineEvent> events, String node, Signal signal) throws InterruptedException {
        while (!signals(events, node).contains(signal)) {
            Thread.sleep(50);
        }
    }

    /** Without notes and steps. */
    private static List<Signal> signals(List<EngineEvent> events, String node) {
        return events.stream()
                .filter(event -> event.node().equals(node))
                .map(EngineEvent::signal)
                .filter(signal -> signal != Signal.NOTE && signal != Signal.STEP)
                .toList();
    }
}

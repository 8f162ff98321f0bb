package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.host.SshHosts;
import io.ycsbdrill.fault.inventory.HealJournal;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.inventory.TestedInventory;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.os.LocalPorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real servers that nobody of ours has started, on hosts that are reached by ssh, watched and controlled by the shipped files of engines. */
@Tag("engine")
@Timeout(180)
class HostedDeclaredIT {
    private static final Duration BOUND = Duration.ofMinutes(1);
    private static final List<String> NODES = List.of("db1", "db2", "db3");

    @TempDir
    private Path folder;

    private final List<EngineEvent> events = new CopyOnWriteArrayList<>();
    private final List<NodeController> open = new ArrayList<>();
    private SshHosts hosts;

    @AfterEach
    void down() throws Exception {
        for (NodeController cluster : open) {
            Killable killable = cluster.capability(Killable.class).orElseThrow();
            NODES.forEach(killable::kill);
            cluster.close();
        }
        if (hosts != null) {
            hosts.close();
        }
    }

    private Path file(String node, String name) {
        return folder.resolve(node).resolve(name);
    }

    /** A server whose number is in its pid file. */
    private List<String> start(String node, String before, List<String> command) {
        List<String> start = new ArrayList<>(List.of(
                "sh",
                "-c",
                "cd \"$0\" && " + before + " { \"$@\" >>log 2>&1 & echo $! >pid; }",
                folder.resolve(node).toString()));
        start.addAll(command);
        return start;
    }

    private Inventory inventory(Path engine, Map<String, List<String>> commands, String ports) throws Exception {
        DeclaredEngine read = DeclaredEngine.read(engine, Engine.installed());
        List<String> missing = read.missing(System.getenv());
        assumeTrue(missing.isEmpty(), "no program " + String.join(", ", missing) + " is installed");
        if (hosts == null) {
            hosts = SshHosts.start(folder.resolve("ssh"), NODES, Map.of());
        }
        List<String> entries = new ArrayList<>();
        for (String node : NODES) {
            Files.createDirectories(file(node, "data"));
            if (!Files.exists(file(node, "pid"))) {
                Files.writeString(file(node, "pid"), "4194305\n"); // nobody's: else a server of another test may be it
            }
            entries.add(new ObjectMapper()
                    .writeValueAsString(Map.of(
                            "id",
                            node,
                            "host",
                            node,
                            "addresses",
                            List.of("127.0.0.1"),
                            "pid_file",
                            file(node, "pid").toString(),
                            "data_directory",
                            file(node, "data").toString(),
                            "commands",
                            Map.of(
                                    "start",
                                    start(node, "", commands.get(node)),
                                    "initialise",
                                    start(node, "rm -rf data && mkdir data &&", commands.get(node))))));
        }
        return Inventory.parse(
                folder.resolve("i.yaml").toString(),
                "engine: %s\nproperties: {%s}\ndefaults: {transport: ssh, ssh_config: %s}\njournal: %s/heal\ndata_nodes:\n- %s\n"
                        .formatted(
                                folder.relativize(engine.toAbsolutePath()),
                                ports,
                                hosts.config(),
                                folder,
                                String.join("\n- ", entries)),
                Engine.installed(),
                (word, from) -> Optional.of(DeclaredEngine.read(from.resolve(word), Engine.installed())),
                new Properties());
    }

    private NodeController connect(Inventory inventory, List<EngineEvent> heard) {
        Properties properties = new Properties();
        properties.putAll(inventory.properties());
        NodeController cluster = inventory
                .engine()
                .cluster(
                        inventory,
                        new EngineContext(
                                properties,
                                System.getenv(),
                                folder,
                                ClusterDirectory.of(Map.of("YCSB_DRILL_STATE", folder.toString())),
                                kind -> Optional.<HttpServers>empty()))
                .connect();
        open.add(cluster);
        cluster.listen(heard::add);
        return cluster;
    }

    private static Path shipped(String name) {
        return Path.of("../examples/engines").resolve(name).toAbsolutePath().normalize();
    }

    /** The shipped file with the probe that the page on inventories gives for other hosts. */
    private Path etcdWithRoles() throws IOException {
        String page = Files.readString(Path.of("../docs/inventory.md"));
        String probe = page.substring(page.indexOf("  probe:   "));
        String file = Files.readString(shipped("etcd.yaml"));
        int begin = file.indexOf("  probe:\n");
        return Files.writeString(
                folder.resolve("etcd.yaml"),
                file.substring(0, begin)
                        + probe.substring(0, probe.indexOf("```"))
                        + file.substring(file.indexOf("  log:\n")));
    }

    private static String joined(List<Integer> ports) {
        return ports.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private Map<String, List<String>> etcd(List<Integer> clients, List<Integer> peers) {
        String all = IntStream.range(0, 3)
                .mapToObj(i -> NODES.get(i) + "=http://127.0.0.1:" + peers.get(i))
                .collect(Collectors.joining(","));
        Map<String, List<String>> commands = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            String client = "http://127.0.0.1:" + clients.get(i);
            String peer = "http://127.0.0.1:" + peers.get(i);
            commands.put(
                    NODES.get(i),
                    List.of(
                            "etcd",
                            "--name=" + NODES.get(i),
                            "--data-dir=" + file(NODES.get(i), "data"),
                            "--listen-client-urls=" + client,
                            "--advertise-client-urls=" + client,
                            "--listen-peer-urls=" + peer,
                            "--initial-advertise-peer-urls=" + peer,
                            "--initial-cluster=" + all,
                            "--logger=zap"));
        }
        return commands;
    }

    /** Nobody is up yet, which is known when no other server of this machine may be one that has just begun. */
    private static void startAll(NodeController cluster) throws InterruptedException {
        Startable startable = cluster.capability(Startable.class).orElseThrow();
        for (String node : NODES) {
            awaitState(cluster, node, State.DOWN);
        }
        NODES.forEach(startable::start);
        NODES.forEach(node -> startable.awaitStarted(node, BOUND));
    }

    @Test
    @Tag("soak")
    void theLeaderOfEtcdIsFoundByItsProbeAndAHostThatHangsIsNoFailure() throws Exception {
        List<Integer> ports = LocalPorts.free(6, folder);
        Map<String, List<String>> commands = etcd(ports.subList(0, 3), ports.subList(3, 6));
        String clients = "etcd.port.client: \"" + joined(ports.subList(0, 3)) + "\"";
        Inventory inventory = inventory(etcdWithRoles(), commands, clients);
        Properties properties = new Properties();
        properties.putAll(inventory.properties());
        assertThat(inventory.engine().reaching("rest", inventory, properties))
                .containsEntry(
                        "rest.endpoints",
                        ports.subList(0, 3).stream()
                                .map(port -> "http://127.0.0.1:" + port)
                                .collect(Collectors.joining(",")));
        NodeController cluster = connect(inventory, events);
        startAll(cluster);
        String primary = awaitPrimary(cluster);

        // Another process, by the shipped file, whose probe does not say who leads.
        List<EngineEvent> withoutRoles = new CopyOnWriteArrayList<>();
        NodeController later = connect(inventory(shipped("etcd.yaml"), commands, clients), withoutRoles);
        assertThat(later.primary()).isEmpty();
        assertThat(later.noPrimary()).contains("add primary to nodes.probe of its file");
        assertThat(later.engineVersion()).matches("\\d+\\.\\d+\\.\\d+.*");

        HealJournal journal = cluster.capability(HealJournal.class).orElseThrow();
        Startable startable = cluster.capability(Startable.class).orElseThrow();
        events.clear();
        cluster.capability(Killable.class).orElseThrow().kill(primary);
        assertThat(TestedInventory.state(cluster, primary)).isEqualTo(State.DOWN);
        assertThat(journal.open(problem -> {})).containsOnlyKeys(primary);
        await(events, primary, Signal.FAILURE_HANDLED);
        assertThat(awaitPrimary(cluster)).isNotEqualTo(primary);
        startable.start(primary);
        startable.awaitStarted(primary, BOUND);
        await(events, primary, Signal.RECOVERED);
        await(withoutRoles, primary, Signal.RECOVERED);
        assertThat(signals(events, primary))
                .isEqualTo(signals(withoutRoles, primary))
                .containsExactly(Signal.NODE_DOWN, Signal.FAILURE_HANDLED, Signal.PROCESS_STARTED, Signal.RECOVERED);
        assertThat(journal.open(problem -> {})).isEmpty();

        events.clear();
        hosts.hang("db1", true);
        awaitState(cluster, "db1", State.UNKNOWN);
        hosts.hang("db1", false);
        awaitState(cluster, "db1", State.STARTED);
        assertThat(NODES).allSatisfy(node -> assertThat(signals(events, node)).isEmpty());
    }

    @Test
    @Tag("soak")
    void aHostThatIsOffIsUnknownAndANodeOfEtcdIsPausedAndStopped() throws Exception {
        List<Integer> ports = LocalPorts.free(6, folder);
        NodeController cluster = connect(
                inventory(
                        etcdWithRoles(),
                        etcd(ports.subList(0, 3), ports.subList(3, 6)),
                        "etcd.port.client: \"" + joined(ports.subList(0, 3)) + "\""),
                events);
        startAll(cluster);
        String primary = awaitPrimary(cluster);

        Pausable pausable = cluster.capability(Pausable.class).orElseThrow();
        pausable.pause(primary);
        assertThat(TestedInventory.state(cluster, primary)).isEqualTo(State.PAUSED);
        pausable.resume(primary);
        awaitState(cluster, primary, State.STARTED);

        String other =
                NODES.stream().filter(node -> !node.equals(primary)).findFirst().orElseThrow();
        events.clear();
        cluster.capability(Stoppable.class).orElseThrow().stop(other, Stoppable.Mode.GRACEFUL, BOUND);
        assertThat(TestedInventory.state(cluster, other)).isEqualTo(State.DOWN);
        await(events, other, Signal.FAILURE_HANDLED);
        assertThat(signals(events, other)).containsExactly(Signal.NODE_DOWN, Signal.FAILURE_HANDLED);
        cluster.capability(Startable.class).orElseThrow().start(other);
        awaitState(cluster, other, State.STARTED);

        // For longer than three connections in a row.
        events.clear();
        hosts.turnOff(other);
        awaitState(cluster, other, State.UNKNOWN);
        Thread.sleep(5_000);
        assertThat(TestedInventory.state(cluster, other)).isEqualTo(State.UNKNOWN);
        assertThat(NODES).allSatisfy(node -> assertThat(signals(events, node)).isEmpty());

        // Its server is there all the time.
        open.clear();
        cluster.close();
        for (String node : NODES) {
            ProcessHandle.of(Long.parseLong(Files.readString(file(node, "pid")).strip()))
                    .ifPresent(ProcessHandle::destroyForcibly);
        }
    }

    private Map<String, List<String>> redis(List<Integer> ports) throws IOException {
        Map<String, List<String>> commands = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            Path configuration =
                    Files.createDirectories(folder.resolve(NODES.get(i))).resolve("redis.conf");
            Files.writeString(
                    configuration,
                    "port %d\nbind 127.0.0.1\nprotected-mode no\ndir %s\nappendonly yes\nrepl-diskless-sync-delay 0\n%s"
                            .formatted(
                                    ports.get(i),
                                    file(NODES.get(i), "data"),
                                    i == 0 ? "" : "replicaof 127.0.0.1 " + ports.get(0) + "\n"));
            commands.put(NODES.get(i), List.of("redis-server", configuration.toString()));
        }
        return commands;
    }

    @Test
    void aReplicaOfRedisIsKilledStartedAndInitialisedAndAHostThatHangsIsNoFailure() throws Exception {
        List<Integer> ports = LocalPorts.free(3, folder);
        NodeController cluster = connect(
                inventory(shipped("redis.yaml"), redis(ports), "redis.port.redis: \"" + joined(ports) + "\""), events);
        startAll(cluster);
        assertThat(awaitPrimary(cluster)).isEqualTo("db1");
        Startable startable = cluster.capability(Startable.class).orElseThrow();
        Killable killable = cluster.capability(Killable.class).orElseThrow();
        Path written = file("db3", "data/written");

        for (boolean empty : List.of(false, true)) {
            events.clear();
            Files.writeString(written, "x");
            killable.kill("db3");
            assertThat(TestedInventory.state(cluster, "db3")).isEqualTo(State.DOWN);
            if (empty) {
                cluster.capability(Initialisable.class).orElseThrow().startInitial("db3");
            } else {
                startable.start("db3");
            }
            startable.awaitStarted("db3", BOUND);
            await(events, "db3", Signal.RECOVERED);

            assertThat(signals(events, "db3"))
                    .containsExactly(
                            Signal.NODE_DOWN, Signal.FAILURE_HANDLED, Signal.PROCESS_STARTED, Signal.RECOVERED);
            assertThat(written.toFile().exists()).isNotEqualTo(empty);
        }
        // Its file is of no account while the process is known to live.
        events.clear();
        String pid = Files.readString(file("db2", "pid"));
        Files.delete(file("db2", "pid"));
        Thread.sleep(1_500);
        assertThat(TestedInventory.state(cluster, "db2")).isEqualTo(State.STARTED);
        assertThat(signals(events, "db2")).isEmpty();
        Files.writeString(file("db2", "pid"), pid);

        hosts.hang("db2", true);
        awaitState(cluster, "db2", State.UNKNOWN);
        hosts.hang("db2", false);
        awaitState(cluster, "db2", State.STARTED);
        assertThat(NODES).allSatisfy(node -> assertThat(signals(events, node)).isEmpty());
    }

    /** For some ten seconds the former primary says that it is one, until the Sentinels have made it a replica. */
    @Test
    @Tag("soak")
    void whoIsPrimaryOfRedisItsAnswersSay() throws Exception {
        List<Integer> ports = LocalPorts.free(6, folder);
        NodeController cluster = connect(
                inventory(
                        shipped("redis.yaml"),
                        redis(ports),
                        "redis.port.redis: \"" + joined(ports.subList(0, 3)) + "\""),
                events);
        startAll(cluster);
        assertThat(awaitPrimary(cluster)).isEqualTo("db1");
        List<Process> sentinels = new ArrayList<>();
        try {
            for (int port : ports.subList(3, 6)) {
                Path configuration = Files.writeString(
                        folder.resolve("sentinel" + port + ".conf"),
                        ("port %d\nbind 127.0.0.1\nprotected-mode no\ndir %s\nsentinel monitor ycsb 127.0.0.1 %d 2\n"
                                        + "sentinel down-after-milliseconds ycsb 2000\nsentinel failover-timeout ycsb 10000\n")
                                .formatted(port, folder, ports.get(0)));
                sentinels.add(new ProcessBuilder("redis-sentinel", configuration.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(
                                folder.resolve("sentinel" + port + ".log").toFile())
                        .start());
            }
            Thread.sleep(12_000); // they ask the primary for its replicas every 10 s
            Startable startable = cluster.capability(Startable.class).orElseThrow();
            events.clear();
            cluster.capability(Killable.class).orElseThrow().kill("db1");
            await(events, "db1", Signal.FAILURE_HANDLED);
            assertThat(awaitPrimary(cluster)).isIn("db2", "db3");
            startable.start("db1");
            startable.awaitStarted("db1", BOUND);
            await(events, "db1", Signal.RECOVERED);

            assertThat(signals(events, "db1"))
                    .containsExactly(
                            Signal.NODE_DOWN, Signal.FAILURE_HANDLED, Signal.PROCESS_STARTED, Signal.RECOVERED);
            assertThat(awaitPrimary(cluster)).isIn("db2", "db3");
        } finally {
            sentinels.forEach(Process::destroyForcibly);
        }
    }

    private static String awaitPrimary(NodeController cluster) throws InterruptedException {
        Optional<String> primary = cluster.primary();
        while (primary.isEmpty()) {
            Thread.sleep(50);
            primary = cluster.primary();
        }
        return primary.get();
    }

    private static void awaitState(NodeController cluster, String node, State state) throws InterruptedException {
        while (TestedInventory.state(cluster, node) != state) {
            Thread.sleep(50);
        }
    }

    private static void await(List<EngineEvent> heard, String node, Signal signal) throws InterruptedException {
        while (!signals(heard, node).contains(signal)) {
            Thread.sleep(50);
        }
    }

    /** Without notes and steps, in order of their times: that a failure is handled is heard from another host, which may answer later. */
    private static List<Signal> signals(List<EngineEvent> heard, String node) {
        return heard.stream()
                .filter(event -> event.node().equals(node))
                .sorted(Comparator.comparingLong(EngineEvent::atNanos))
                .map(EngineEvent::signal)
                .filter(signal -> signal != Signal.NOTE && signal != Signal.STEP)
                .toList();
    }
}

package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.host.SshHosts;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.inventory.NodeAction;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.ndb.TestedNdb;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * An NDB cluster that nobody of ours has started, on three hosts, and clients on two others; each is reached by a real sshd. Set
 * {@code NDB_HOME} to run it.
 */
@Tag("engine")
@Timeout(420)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class InventoryIT {
    private static final List<Integer> NODES = List.of(1, 2, 3);

    @TempDir
    static Path folder;

    private static SshHosts hosts;
    private static NdbHome home;
    private static int port;

    @BeforeAll
    static void up() throws Exception {
        home = TestedNdb.completeHome();
        String programs = "PATH=" + home.program("ndbmtd").orElseThrow().getParent() + ":/usr/bin:/bin";
        hosts = SshHosts.start(
                folder.resolve("ssh"),
                List.of("db1", "db2", "db3", "load1", "load2"),
                Map.of("db1", List.of(programs), "db2", List.of(programs), "db3", List.of(programs)));
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Files.createDirectories(folder.resolve("mgm"));
        StringBuilder config = new StringBuilder("""
                [ndbd default]
                NoOfReplicas=3
                DataMemory=64M
                DiskPageBufferMemory=4M
                SharedGlobalMemory=32M
                MaxNoOfConcurrentOperations=32768
                FragmentLogFileSize=16M
                NoOfFragmentLogFiles=8
                NumCPUs=1
                AutomaticThreadConfig=0
                MaxNoOfExecutionThreads=2
                HeartbeatIntervalDbDb=1500
                ODirect=0
                IndexStatAutoCreate=0
                [ndb_mgmd]
                NodeId=65
                HostName=127.0.0.1
                PortNumber=%d
                DataDir=%s/mgm
                """.formatted(port, folder));
        for (int node : NODES) {
            Files.createDirectories(folder.resolve("data" + node));
            config.append("[ndbd]\nNodeId=%d\nHostName=127.0.0.1\nDataDir=%s/data%d\n".formatted(node, folder, node));
        }
        config.append("[api]\nHostName=127.0.0.1\n".repeat(10));
        Files.writeString(folder.resolve("config.ini"), config);
        Files.writeString(folder.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=2000
                operationcount=2000
                readproportion=0.5
                updateproportion=0.5
                """);
        onHost(
                "db1",
                home.program("ndb_mgmd").orElseThrow()
                        + " -f %1$s/config.ini --configdir=%1$s/mgm --initial".formatted(folder));
        for (int node : NODES) {
            onHost("db" + node, "ndbmtd --ndb-nodeid=" + node + " --ndb-connectstring=127.0.0.1:" + port);
        }
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(3);
        while (world("up").execute("cluster", "status", "--inventory", inventory()) != 0) {
            assertThat(System.nanoTime()).as("cluster is not up").isLessThan(deadline);
            Thread.sleep(500);
        }
    }

    private static void onHost(String host, String line) throws Exception {
        Process ssh = new ProcessBuilder(
                        "ssh", "-F", hosts.config().toString(), "-o", "BatchMode=yes", host, line + " </dev/null")
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("by-hand.log").toFile())
                .start();
        assertThat(ssh.waitFor(2, TimeUnit.MINUTES)).isTrue();
        assertThat(ssh.exitValue())
                .as(Files.readString(folder.resolve("by-hand.log")))
                .isZero();
    }

    @AfterAll
    static void down() {
        if (port > 0) {
            Inventory all = Inventory.read(
                    Path.of(inventory()), Engine.installed(), (word, from) -> Optional.empty(), new Properties());
            for (HostedNode node : all.nodes()) {
                all.calls(NodeAction.KILL, node.info()).forEach(call -> {
                    try {
                        call.run(all.timeout());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
            }
        }
        if (hosts != null) {
            hosts.close();
        }
    }

    private static String inventory() {
        Path file = folder.resolve("inventory.yaml");
        StringBuilder text = new StringBuilder("""
                engine: ndb
                properties: {ndb.connectstring: "127.0.0.1:%1$d"}
                defaults: {transport: ssh, ssh_config: %2$s}
                journal: %3$s/heal
                management: [{id: mgm, host: db1, pid_file: %3$s/mgm/ndb_65.pid, program: ndb_mgmd}]
                clients:
                  - {id: load1, host: load1, directory: %3$s/load1}
                  - {id: load2, host: load2, directory: %3$s/load2}
                data_nodes:
                """.formatted(port, hosts.config(), folder));
        NODES.forEach(node -> text.append(
                "  - {id: %1$d, host: db%1$d, pid_file: %2$s/data%1$d/ndb_%1$d.pid}\n".formatted(node, folder)));
        try {
            return Files.writeString(file, text).toString();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Each is another machine: none knows what another one has recorded. */
    private static World world(String machine) {
        return new World(folder.resolve(machine))
                .with(Engine.installed().toArray(Engine[]::new))
                .environment("NDB_HOME", home.root().toString());
    }

    private static Child ycsb(String machine, String... arguments) throws IOException {
        Path directory = Files.createDirectories(folder.resolve(machine));
        return new Child(
                directory,
                Map.of(
                        "NDB_HOME",
                        home.root().toString(),
                        "YCSB_DRILL_STATE",
                        directory.resolve("state").toString()),
                Child.ycsb(Stream.concat(
                                Stream.of(arguments),
                                Stream.of("-P", folder.resolve("w").toString(), "--on", inventory()))
                        .toArray(String[]::new)));
    }

    private static JsonNode json(String file) throws IOException {
        return new ObjectMapper().readTree(folder.resolve(file).toFile());
    }

    @Test
    @Order(1)
    void everyEntryIsProvenWithoutHarm() {
        World world = world("doctor");

        assertThat(world.execute("doctor", "--inventory", inventory()))
                .as(world.out())
                .isZero();

        assertThat(world.out().lines().filter(line -> line.startsWith("ok")))
                .hasSize(7)
                .last()
                .asString()
                .contains("NDB cluster at ", ": 1 started, 2 started, 3 started");
    }

    @Test
    @Order(2)
    void dryRunPrintsTheCommandsAndRunsNone() {
        World world = world("dry");
        world.file("d.yaml", "steps: [{fault: initialise, mode: kill, node: \"2\", at: 0s}]\n");

        assertThat(world.execute("drill", "native", "-D", "d.yaml", "--dry-run", "--on", inventory()))
                .as(world.err())
                .isZero();

        assertThat(world.out())
                .contains("db2", "kill " + folder + "/data2/ndb_2.pid", "ndbmtd --ndb-nodeid=2", "--initial");
        assertThat(world("dry").execute("cluster", "status", "--inventory", inventory()))
                .isZero();
    }

    @Test
    @Order(3)
    void tableIsLoadedAndRunFromTwoHostsWhoseClocksAreCompared() throws Exception {
        try (Child load = ycsb("admin", "load", "native", "--out", "load")) {
            assertThat(load.exitCode()).as(load.err()).isZero();
        }
        try (Child run =
                ycsb("admin", "run", "native", "-p", "operationcount=6000", "--window", "1s", "--out", "run")) {
            assertThat(run.exitCode()).as(run.err()).isZero();
            assertThat(run.err()).contains("client 2 of 3 on load1: run (client 2/3)", "client 3 of 3 on load2: ");
        }

        assertThat(json("admin/load/summary.json").at("/operations/INSERT/ok").asLong())
                .isEqualTo(2000);
        long all = 0;
        for (String client : List.of("client-1", "client-2", "client-3")) {
            JsonNode operations = json("admin/run/" + client + "/summary.json").path("operations");
            long own = operations.at("/READ/ok").asLong()
                    + operations.at("/UPDATE/ok").asLong();
            assertThat(own).as(client).isEqualTo(2000);
            all += own;
        }
        JsonNode merged = json("admin/run/summary.json").path("operations");
        assertThat(merged.at("/READ/ok").asLong() + merged.at("/UPDATE/ok").asLong())
                .isEqualTo(all);
        JsonNode clients = json("admin/run/run.json").path("clients");
        assertThat(clients.get(0).has("clock")).isFalse();
        for (int i : List.of(1, 2)) {
            JsonNode clock = clients.get(i).path("clock");
            // It is one machine's clock in truth, so the true offset is 0.
            assertThat(Math.abs(clock.path("offsetNanos").asLong()))
                    .isLessThanOrEqualTo(clock.path("uncertaintyNanos").asLong());
            assertThat(clock.path("exchanges").asInt()).isGreaterThanOrEqualTo(21);
        }
        assertThat(folder.resolve("load1/runs")).isEmptyDirectory();
        // What was sent is there for the next run.
        assertThat(Optional.ofNullable(folder.resolve("load1").toFile().list()).orElseThrow())
                .filteredOn(name -> name.startsWith("ycsb-drill-"))
                .hasSize(1);
    }

    @Test
    @Order(4)
    void nodesAreKilledAndInitialisedOnTheirHosts() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("admin")).resolve("d.yaml"), """
                name: hosts
                load: max
                steady: off
                cooldown: 3s
                steps:
                  - {step: restart, fault: restart, mode: kill, node: "2", at: 5s}
                  - {step: initialise, fault: initialise, mode: kill, node: "3", after: restart, delay: 1s}
                """);
        try (Child drill = ycsb("admin", "drill", "native", "-D", "d.yaml", "--clients", "2", "--out", "drill")) {
            assertThat(drill.exitCode()).as(drill.err()).isZero();
        }

        List<String> phases = Files.readAllLines(folder.resolve("admin/drill/phases.csv"));
        assertThat(phases).anyMatch(row -> row.contains("synchronise") && row.contains("restart"));
        assertThat(phases).anyMatch(row -> row.contains("synchronise") && row.contains("initialise"));
        assertThat(json("admin/drill/run.json").path("state").asText()).isEqualTo("complete");
        assertThat(json("admin/drill/run.json").path("clients")).hasSize(2);
        try (Stream<Path> left = Files.list(folder.resolve("heal"))) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    @Order(5)
    void anotherMachineHealsWhatAKilledToolHasLeft() throws Exception {
        Files.writeString(Files.createDirectories(folder.resolve("admin")).resolve("p.yaml"), """
                name: pause
                load: max
                steady: off
                steps: [{step: pause, fault: pause, node: "2", duration: 30m, at: 1s}]
                """);
        try (Child drill = ycsb("admin", "drill", "native", "-D", "p.yaml", "--clients", "1", "--out", "paused")) {
            drill.await(() -> Files.exists(folder.resolve("heal/ndb-2")) && paused());
            drill.signal("KILL");
            drill.exitCode();
        }
        assertThat(paused()).isTrue();

        World other = world("other");
        assertThat(other.execute("cluster", "heal", "--inventory", inventory()))
                .as(other.err())
                .isZero();

        assertThat(other.err()).containsPattern("recorded on the host of 2: pause 20\\S+ \\S+@");
        assertThat(other.err()).contains("resuming 2", "every node has recovered");
        assertThat(paused()).isFalse();
        assertThat(folder.resolve("heal/ndb-2")).doesNotExist();
        assertThat(world("again").execute("cluster", "status", "--inventory", inventory()))
                .isZero();
    }

    /** On the cluster that is up, as its hosts are; nothing is started or changed but the table. */
    @Test
    @Tag("soak")
    @Order(6)
    void aSuiteRunsOnTheCluster() throws Exception {
        Path directory = Files.createDirectories(folder.resolve("suite"));
        Files.writeString(directory.resolve("tiny.yaml"), """
                title: A tiny suite
                source: {text: nobody, url: https://example.org}
                experiments:
                  only:
                    axes: {threads: [1, 2]}
                    fixed: {binding: native, workload: %s/w, duration: 1s}
                    success: {measured: 500ms}  # that it runs is asked, not what it measures
                    claims:
                      scaling:
                        {quote: it scales, kind: shape, expect: "> 0.01", figure: throughput_ops_s, of: {threads: 2}, to: {threads: 1}}
                engines: {ndb: {all: {cluster: {}}}}
                scale: {seed: {}}
                """.formatted(folder));
        try (Child suite = new Child(
                directory,
                Map.of(
                        "NDB_HOME",
                        home.root().toString(),
                        "YCSB_DRILL_STATE",
                        directory.resolve("state").toString()),
                Child.ycsb("suite", "tiny.yaml", "--scale", "seed", "--on", inventory(), "--out", "s"))) {
            assertThat(suite.exitCode()).as(suite.err() + suite.out()).isZero();
        }

        assertThat(Files.readString(directory.resolve("s/suite.md")))
                .contains(
                        "on the ndb cluster of an inventory with 3 data nodes, driven from one machine with ",
                        "0 not measured");
        for (String cell : List.of("v001-threads-1-r1", "v002-threads-2-r1")) {
            JsonNode operations =
                    json("suite/s/only/cells/" + cell + "/run/summary.json").path("operations");
            assertThat(operations.at("/READ/ok").asLong()).as(cell).isPositive();
        }
        assertThat(directory.resolve("state/ndb")).as("no cluster of our own").doesNotExist();
    }

    private static boolean paused() {
        Inventory all = Inventory.read(
                Path.of(inventory()), Engine.installed(), (word, from) -> Optional.empty(), new Properties());
        return all.isPaused(all.node("2").orElseThrow().info());
    }

    @Test
    @Order(8)
    void aClientWhoseConnectionBreaksEndsInOrderAndIsFetched() throws Exception {
        try (Child run = ycsb(
                "admin",
                "run",
                "native",
                "--duration",
                "20s",
                "-p",
                "operationcount=0",
                "--window",
                "1s",
                "--out",
                "cut")) {
            run.await(() -> run.err().contains("client 2 of 3 on load1: run (client 2/3) 2.0 s"));
            hosts.cutSessions("load1");

            assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
        }

        JsonNode merged = json("admin/cut/run.json");
        assertThat(merged.path("state").asText()).isEqualTo("incomplete");
        assertThat(merged.path("reasons").toString())
                .contains("client 2 of 3 on load1 was lost during the run (the connection to its host broke)")
                .contains("client 2: the command that started this client has ended");
        assertThat(merged.path("clients"))
                .extracting(client -> client.path("state").asText())
                .containsExactly("complete", "incomplete", "complete");
    }

    /** Last: the host stays off. */
    @Test
    @Order(9)
    void theOthersGoOnWhenAClientHostDies() throws Exception {
        try (Child run = ycsb(
                "admin",
                "run",
                "native",
                "--duration",
                "20s",
                "-p",
                "operationcount=0",
                "--window",
                "1s",
                "--out",
                "lost")) {
            run.await(() -> run.err().contains("client 3 of 3 on load2: run (client 3/3) 2.0 s"));
            hosts.turnOff("load2");

            assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
        }

        JsonNode merged = json("admin/lost/run.json");
        List<String> reasons = new ArrayList<>();
        merged.path("reasons").forEach(reason -> reasons.add(reason.asText()));
        assertThat(merged.path("state").asText()).isEqualTo("incomplete");
        assertThat(reasons).anyMatch(reason -> reason.contains("client 3 of 3 on load2 was lost during the run"));
        assertThat(reasons).anyMatch(reason -> reason.contains("client 3 of 3 is missing"));
        assertThat(merged.path("clients")).hasSize(2);
        for (JsonNode client : merged.path("clients")) {
            assertThat(client.path("state").asText()).isEqualTo("complete");
        }
        assertThat(merged.path("durationNanos").asLong()).isGreaterThan(TimeUnit.SECONDS.toNanos(19));
    }
}

package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.ndb.NdbEngine;
import io.ycsbdrill.fault.node.ndb.TestedNdb;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Workloads and the sample drills, shortened, on a real NDB cluster; set {@code NDB_HOME} to run it. */
@Tag("engine")
@Timeout(300)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NdbDrillIT {
    private static final Path WORKLOADS =
            Path.of("..", "workloads").toAbsolutePath().normalize();
    private static final List<String> NODE_RESTART =
            List.of("fault", "failure-handling", "down", "local-recovery", "synchronise", "wait-checkpoint");

    /** What the management server writes when a phase begins; N is the node. */
    private static final Map<String, String> LOG_LINES = Map.of(
            "failure-handling",
            "node=N,.*NEW=Node failed, fail handling ongoing|Node N: Forced node shutdown|Node N Disconnected",
            "down",
            "node=N,.*NEW=Node failure handling complete|Communication to Node N (closed|opened)",
            "local-recovery",
            "node=N,.*NEW=Allocated node id|Node N Connected|Node N: Start initiated",
            "synchronise",
            "node=N,.*NEW=(Synchronize start node with live nodes|Restore fragments ongoing)",
            "wait-checkpoint",
            "node=N,.*NEW=Wait LCP to ensure durability"
                    + "|Make On-line Database recoverable by waiting for LCP Starting",
            "recovered",
            "Node N: Started \\(|node=N,.*NEW=Restart completed");

    @TempDir
    static Path folder;

    private static NdbHome home;
    private static LocalCluster cluster;

    private World world;

    @BeforeAll
    static void up() {
        home = TestedNdb.completeHome();
        cluster = new NdbEngine()
                .up(
                        folder.resolve("c"),
                        Map.of(
                                "data-memory",
                                "128M",
                                "sql-nodes",
                                "2",
                                "ndb-home",
                                home.root().toString()),
                        Lifetime.OWNED,
                        line -> {});
    }

    @AfterAll
    static void nobodyIsLeftBehind() {
        if (cluster == null) {
            return;
        }
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);

        cluster.down();

        assertThat(ProcessHandle.allProcesses()
                        .filter(p -> String.join(" ", ProcFs.arguments(p.pid())).contains(folder + "/"))
                        .filter(p -> p.pid() != ProcessHandle.current().pid()))
                .isEmpty();
        assertThat(folder.resolve("c")).doesNotExist();
    }

    /** A world in which the cluster is up, or one that knows nothing of it. */
    private World world(String name, boolean up) {
        world = new World(folder.resolve(name))
                .with(new NdbEngine())
                .environment("NDB_HOME", home.root().toString());
        if (up) {
            world.clusters().write(cluster.descriptor());
        }
        return world;
    }

    @ParameterizedTest
    @Order(1)
    @ValueSource(strings = {"a", "d", "e"})
    void workloadRunsWithoutAFailure(String letter) throws IOException {
        runsWithoutAFailure(letter);
    }

    @ParameterizedTest
    @Order(1)
    @Tag("soak")
    @ValueSource(strings = {"b", "c", "f"})
    void theOtherWorkloadsRunWithoutAFailure(String letter) throws IOException {
        runsWithoutAFailure(letter);
    }

    private void runsWithoutAFailure(String letter) throws IOException {
        int exitCode = world("workload" + letter, true)
                .execute(
                        "run",
                        "native",
                        "-P",
                        WORKLOADS.resolve("workload" + letter).toString(),
                        "-p",
                        "recordcount=1000",
                        "-p",
                        "operationcount=2000",
                        "-p",
                        "table=t_" + letter,
                        "-threads",
                        "4",
                        "--out",
                        "r");

        assertThat(exitCode).as(world.err() + world.out()).isZero();
        JsonNode operations = json("summary.json").path("operations");
        assertThat(operations).isNotEmpty().allSatisfy(operation -> {
            assertThat(operation.path("ok").asLong()).isPositive();
            assertThat(operation.path("failed").asLong()).isZero();
            assertThat(operation.path("unknown").asLong()).isZero();
        });
    }

    @Test
    @Order(1)
    void transactionsKeepTheDataConsistent() throws IOException {
        TpccRuns.run(world("tpcc-tx", true), "native", "tx");
    }

    @ParameterizedTest
    @Order(1)
    @Tag("soak")
    @ValueSource(strings = {"none", "2pc"})
    void theOtherModesAreAsConsistentAsTheyPromise(String mode) throws IOException {
        TpccRuns.run(world("tpcc-" + mode, true), "native", mode);
    }

    /** A wipe has the same phases, below. */
    @Test
    @Order(2)
    @Tag("soak")
    void nodeRestart() throws IOException {
        drill("node-restart", "--audit");

        assertPhases(NODE_RESTART);
    }

    @Test
    @Order(3)
    void initialNodeRestart() throws IOException {
        drill("initial-node-restart", "--audit");

        assertPhases(NODE_RESTART);
    }

    @Test
    @Order(4)
    void nodeKill() throws IOException {
        drill("node-kill", "--audit");

        assertPhases(NODE_RESTART.subList(0, 3));
    }

    @Test
    @Order(5)
    @Tag("soak")
    void pause() throws IOException {
        drill("pause");

        assertPhases(List.of("fault"));
    }

    @Test
    @Order(5)
    void backup() throws IOException {
        drill("backup", "--audit");

        assertThat(Markers.of(world.directory().resolve("r")))
                .extracting(marker -> marker.path("text").asText())
                .anyMatch(text -> text.matches("backup \\d+ of all data nodes is complete"));
    }

    @Test
    @Order(5)
    @Tag("soak")
    void rollingConfig() throws IOException {
        drill("rolling-config", "--audit");

        Map<String, List<Row>> byNode = phases();
        assertThat(byNode.keySet()).containsExactly("1", "2", "3");
        byNode.values().forEach(rows -> assertThat(rows).extracting(Row::phase).containsAll(NODE_RESTART));
        assertThat(Markers.of(world.directory().resolve("r")))
                .filteredOn(marker -> marker.path("kind").asText().equals("fault-effective"))
                .extracting(marker -> marker.path("text").asText())
                .containsExactly(
                        "1 reports MaxNoOfConcurrentOperations=40000",
                        "2 reports MaxNoOfConcurrentOperations=40000",
                        "3 reports MaxNoOfConcurrentOperations=40000");

        // A second time nothing would change.
        World again = world("again", true);
        again.file("drill.yaml", shortened("rolling-config"));
        assertThat(again.execute(
                        "drill", "native", "-P", WORKLOADS.resolve("workloada").toString(), "-D", "drill.yaml"))
                .isEqualTo(2);
        assertThat(again.err()).contains("MaxNoOfConcurrentOperations is 40000 on every node already");
    }

    @Test
    @Order(6)
    void clusterLoss() throws IOException {
        drill("cluster-loss");

        Map<String, List<Row>> byNode = phases();
        assertThat(byNode).hasSize(3);
        byNode.forEach((node, rows) -> {
            assertThat(rows)
                    .extracting(Row::phase)
                    .as("node %s", node)
                    .contains("fault", "failure-handling", "local-recovery", "wait-checkpoint")
                    .doesNotContain("synchronise");
        });
        assertPhaseTimes(byNode);
        JsonNode operations = json("summary.json").path("operations");
        assertThat(operations.path("READ").path("ok").asLong()).isPositive();
        assertThat(lastSlicesSucceed()).as("clients found back").isTrue();
        JsonNode connection = json("summary.json").at("/connections/servers/0");
        assertThat(connection.path("lost").asLong()).isPositive();
        assertThat(connection.path("regained")).isEqualTo(connection.path("lost"));
        assertThat(connection.path("longestSecondsWithout").asDouble()).isPositive();
    }

    /** It comes back at its last global checkpoint: what was acknowledged after that is gone, each transaction as a whole. */
    @Test
    @Order(6)
    @Tag("soak")
    void transactionsHoldWhileNodesDie() throws IOException {
        TpccRuns.drill(
                world("tpcc-drill-tx", true), "native", "tx", Set.of("acknowledged orders", "acknowledged payments"));
    }

    /** After the loss of all nodes any condition may be violated in this mode (docs/tpcc.md), so one node dies here. */
    @Test
    @Order(6)
    @Tag("soak")
    void commitsOfTheClientHoldWhileANodeDies() throws IOException {
        TpccRuns.drillOfOneNode(world("tpcc-drill-2pc", true), "native", "2pc");
    }

    @Test
    @Order(7)
    @Tag("soak")
    void nodeOfAClusterElsewhereIsRestarted() throws IOException {
        Path state = folder.resolve("c");
        Path inventory = Files.writeString(folder.resolve("inventory.yaml"), """
                engine: ndb
                properties: {ndb.connectstring: "%s"}
                defaults: {transport: local}
                data_nodes: [{id: 1}, {id: 2}, {id: 3}]
                journal: %s/heal
                commands:
                  kill: 'kill -9 $(pgrep -P $(sed "s/ .*//" %s/run/node$NODE.pid))'
                  start: 'setsid %s --defaults-file=%s/ndbmtd.cnf --ndb-nodeid=$NODE --nodaemon >/dev/null 2>&1 & echo $! $(cut -d " " -f 22 /proc/$!/stat) ndbmtd >%s/run/node$NODE.pid'
                """.formatted(
                        cluster.descriptor().engineState().get("connectstring"),
                        folder,
                        state,
                        home.program("ndbmtd").orElseThrow(),
                        state,
                        state));
        assertThat(world("status", false).execute("cluster", "status", "--inventory", inventory.toString()))
                .as(world.err())
                .isZero();
        assertThat(world.out()).contains("ndb mysql-", "(primary)");

        drill(
                world("elsewhere", false),
                "native",
                "node-restart",
                "--on",
                inventory.toString(),
                "-p",
                "ndb.sql=" + cluster.descriptor().bindings().get("native").get("ndb.sql"),
                "-p",
                "ndb.sql.user=ycsb");

        assertPhases(NODE_RESTART);
        assertThat(json("run.json").path("engine").path("nodes")).hasSize(3);
    }

    @Test
    @Order(8)
    @Tag("soak")
    void sqlNodeRestart() throws IOException {
        World in = world("sql", true);
        assertThat(in.execute("cluster", "initialise", "sql1")).isEqualTo(2);
        assertThat(in.err()).contains("no node sql1; the nodes are 1, 2, 3");

        drill(world("sql-node-restart", true), "jdbc", "sql-node-restart");

        // Nobody else has to handle its end, and it has no rows to copy.
        assertThat(phases().keySet()).containsExactly("sql1");
        assertThat(phases().get("sql1")).extracting(Row::phase).containsExactly("fault", "down", "local-recovery");
        // Two of the four threads had their connection there.
        assertThat(brokenOperations()).isLessThanOrEqualTo(2);
        assertThat(lastSlicesSucceed()).isTrue();
        assertThat(cluster.frontEnds()).hasSize(2);
    }

    @Test
    @Order(9)
    @Tag("soak")
    void nothingIsFoundWhenNothingIsDone() throws IOException {
        drill("null", "--audit");

        Markers.assertNothingWasFound(world.directory().resolve("r"));
        assertThat(world.out()).containsPattern("Verdict: PASS: (\\d+) of \\1 limits kept");
    }

    private long brokenOperations() throws IOException {
        JsonNode operations = json("summary.json").path("operations");
        long broken = 0;
        for (JsonNode operation : operations) {
            broken += operation.path("failed").asLong()
                    + operation.path("unknown").asLong();
        }
        return broken;
    }

    private void drill(String name, String... more) throws IOException {
        drill(world(name, true), "native", name, more);
    }

    private void drill(World in, String binding, String name, String... more) throws IOException {
        in.file("drill.yaml", shortened(name));
        List<String> arguments = new ArrayList<>(List.of(
                "drill",
                binding,
                "-P",
                WORKLOADS.resolve("workloada").toString(),
                "-D",
                "drill.yaml",
                "-p",
                "recordcount=2000",
                "-p",
                "table=t_drill",
                "-threads",
                "4",
                "-target",
                "200",
                "--out",
                "r"));
        arguments.addAll(List.of(more));

        int exitCode = in.execute(arguments.toArray(String[]::new));

        assertThat(exitCode).as(in.err() + in.out()).isZero();
        assertThat(json("run.json").path("state").asText()).isEqualTo("complete");
        assertThat(json("run.json").path("engine").path("name").asText()).isEqualTo("ndb");
        assertThat(in.out()).contains("Verdict: PASS");
        assertThat(json("summary.json").path("drill").path("verdict").isMissingNode())
                .isFalse();
        assertThat(in.directory().resolve("r/report.html")).isNotEmptyFile();
        if (!name.equals("null")) {
            Markers.assertEveryFaultWasEffective(in.directory().resolve("r"));
        }
        if (arguments.contains("--audit")) {
            Audits.assertNothingLost(json("audit.json"));
            assertThat(json("audit.json").at("/replicas/agree").asText()).isEqualTo("yes");
            assertThat(json("audit.json").at("/replicas/nodes")).hasSize(3);
        }
        assertThat(folder.resolve("c/heal.json")).doesNotExist();
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
    }

    /**
     * The sample drill with short waits at a rate that a busy machine serves. The gate and the limits are those of the sample; the SLO, which
     * that derives from the steady state, is given.
     */
    private static String shortened(String name) throws IOException {
        String text = Files.readString(WORKLOADS.resolve("drills").resolve(name + ".yaml"))
                .replaceAll("(?m)^load: 60%", "load: 300/s");
        return (name.equals("null") ? text.replaceAll("(?m)^    duration: \\d+s", "    duration: 10s") : text)
                .replaceAll("(?m)^  after: \\d+s", "  after: 8s")
                .replaceAll("(?m)^  window: \\d+s", "  window: 3s")
                // A limit on the first minute needs that minute.
                .replaceAll(
                        "(?m)^cooldown: \\d+s(?!.*min_throughput)",
                        name.equals("cluster-loss") ? "cooldown: 30s" : "cooldown: 7s")
                .replaceAll("(?m)^    down: 5s", "    down: 2s")
                .replaceAll(
                        "(?m)^steady:",
                        "slo: {p99: 2s, p50: 200ms}   # latency is that of the tests beside it, too, and six seconds say"
                                + " little of it\nsteady:");
    }

    /** One row of phases.csv. */
    private record Row(String node, String phase, BigDecimal start, BigDecimal end, BigDecimal duration) {}

    private void assertPhases(List<String> expected) throws IOException {
        Map<String, List<Row>> byNode = phases();
        assertThat(byNode).hasSize(1);
        byNode.values().forEach(rows -> assertThat(rows).extracting(Row::phase).containsExactlyElementsOf(expected));
        assertPhaseTimes(byNode);
    }

    private Map<String, List<Row>> phases() throws IOException {
        Map<String, List<Row>> byNode = new TreeMap<>();
        Files.readAllLines(world.directory().resolve("r/phases.csv")).stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .forEach(cells -> byNode.computeIfAbsent(cells[3], node -> new ArrayList<>())
                        .add(new Row(cells[3], cells[4], number(cells[6]), number(cells[7]), number(cells[8]))));
        return byNode;
    }

    private static BigDecimal number(String text) {
        return text.isEmpty() ? null : new BigDecimal(text);
    }

    /** Stages follow each other and add up to the total, and the management server's own log has each at the same time. */
    private void assertPhaseTimes(Map<String, List<Row>> byNode) throws IOException {
        Instant start = Instant.parse(json("run.json").path("startedAt").asText());
        List<String> log = Files.readAllLines(folder.resolve("c/mgmd/ndb_65_cluster.log"));
        Set<String> startedByUs = startsOfProcesses();
        for (List<Row> rows : byNode.values()) {
            BigDecimal sum = BigDecimal.ZERO;
            for (int i = 0; i < rows.size(); i++) {
                Row row = rows.get(i);
                assertThat(i == 0 ? row.start() : rows.get(i - 1).end()).isEqualByComparingTo(row.start());
                if (row.end() != null) {
                    sum = sum.add(row.duration());
                }
                if (startedByUs.contains(row.node() + " " + row.start())) {
                    assertLoggedWithin(log, start, row);
                } else {
                    assertLogged(log, start, row.phase(), row.node(), row.start());
                }
            }
            Row last = rows.get(rows.size() - 1);
            BigDecimal end = last.end() == null ? last.start() : last.end();
            assertThat(sum).isEqualByComparingTo(end.subtract(rows.get(0).start()));
            if (last.phase().equals("wait-checkpoint")) {
                assertLogged(log, start, "recovered", last.node(), last.end());
            }
        }
    }

    /** Node and second of each phase that began when our own order to start a node was carried out, as it is in phases.csv. */
    private Set<String> startsOfProcesses() throws IOException {
        return Markers.of(world.directory().resolve("r")).stream()
                .filter(marker -> marker.path("effect").asText().equals("process-started"))
                .map(marker -> marker.path("node").asText() + " "
                        + BigDecimal.valueOf(marker.path("at_ns").asLong(), 9))
                .collect(Collectors.toSet());
    }

    /** A process runs before it has reached the management server: its log says so later, and before the next phase. */
    private static void assertLoggedWithin(List<String> log, Instant start, Row row) {
        Instant end = row.end() == null ? Instant.MAX : instant(start, row.end());
        assertThat(logged(log, row.phase(), row.node()))
                .as("%s of node %s in the cluster log, from its start to the next phase", row.phase(), row.node())
                .anyMatch(time -> !time.isBefore(instant(start, row.start()).minus(LATE)) && !time.isAfter(end));
    }

    /** Events carry no time, so theirs is that of their arrival; a machine that is late by more says nothing of any time. */
    private static final Duration LATE = Duration.ofSeconds(3);

    private static void assertLogged(List<String> log, Instant start, String phase, String node, BigDecimal seconds) {
        if (!LOG_LINES.containsKey(phase)) {
            return; // the fault itself is ours
        }
        Instant ours = instant(start, seconds);
        assertThat(logged(log, phase, node))
                .as("%s of node %s at %s, and the same in the cluster log", phase, node, ours)
                .anyMatch(time -> Duration.between(time, ours).abs().compareTo(LATE) <= 0);
    }

    /** When the management server's log says that a phase of a node began. */
    private static List<Instant> logged(List<String> log, String phase, String node) {
        Pattern pattern = Pattern.compile(LOG_LINES.get(phase).replaceAll("\\bN\\b", node));
        return log.stream()
                .filter(line -> pattern.matcher(line).find())
                .map(line -> Instant.parse(line.split(" ")[0]))
                .toList();
    }

    private static Instant instant(Instant start, BigDecimal seconds) {
        return start.plusNanos(seconds.movePointRight(9).longValueExact());
    }

    private boolean lastSlicesSucceed() throws IOException {
        List<String> slices = Files.readAllLines(world.directory().resolve("r/slices.csv"));
        int ok = List.of(slices.get(0).split(",")).indexOf("ok");
        return slices.subList(Math.max(1, slices.size() - 20), slices.size()).stream()
                .anyMatch(slice -> Long.parseLong(slice.split(",")[ok]) > 0);
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper()
                .readTree(world.directory().resolve("r").resolve(file).toFile());
    }
}

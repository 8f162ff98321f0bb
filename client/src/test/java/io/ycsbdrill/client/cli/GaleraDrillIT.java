package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.StockWorkload;
import io.ycsbdrill.binding.TransactionsContract;
import io.ycsbdrill.binding.jdbc.JdbcBinding;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.galera.GaleraEngine;
import io.ycsbdrill.fault.node.galera.GaleraHome;
import io.ycsbdrill.fault.node.galera.TestedGalera;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.haproxy.ProxiedServer;
import io.ycsbdrill.fault.node.haproxy.TestedHaproxy;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** Through {@code jdbc}, one thread for each of three real Galera nodes; set {@code GALERA_HOME} to run it. */
@Tag("engine")
@Timeout(300)
class GaleraDrillIT {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() {
        GaleraHome home = TestedGalera.home();
        cluster = new GaleraEngine()
                .up(
                        folder.resolve("c"),
                        Map.of(
                                "sync-wait",
                                "1",
                                "galera-home",
                                home.root().toString(),
                                "haproxy",
                                TestedHaproxy.option()),
                        Lifetime.OWNED,
                        line -> {});
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    private static void assertWhole() {
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(folder.resolve("c/heal.json")).doesNotExist();
    }

    /** The threads know the nodes by {@code db.hosts}. */
    @Nested
    class ByListOfHosts {
        private GaleraRuns runs;

        @BeforeEach
        void runs() throws IOException {
            runs = new GaleraRuns(folder, GaleraRuns.direct(cluster.descriptor()));
        }

        @ParameterizedTest
        @ValueSource(strings = {"a", "d", "e"})
        void workloadRunsOverAllNodes(String letter) throws IOException {
            runsOverAllNodes(letter);
        }

        @ParameterizedTest
        @Tag("soak")
        @ValueSource(strings = {"b", "c", "f"})
        void theOtherWorkloadsRunOverAllNodes(String letter) throws IOException {
            runsOverAllNodes(letter);
        }

        private void runsOverAllNodes(String letter) throws IOException {
            runs.run("workload" + letter, "-p", "operationcount=" + (letter.equals("e") ? 300 : 1500));

            Map<String, Map<String, Long>> returns = runs.returns();
            assertThat(returns.keySet()).isNotEmpty();
            // Galera refuses one of two transactions that wrote a row on two nodes at once (1213): nothing was applied.
            returns.forEach((operation, counts) -> assertThat(counts.keySet())
                    .as("%s %s", operation, counts)
                    .isSubsetOf(
                            operation.equals("READ") || operation.equals("SCAN")
                                    ? List.of("OK")
                                    : List.of("OK", "TEMPORARY")));
        }

        @Test
        void transactionsKeepTheDataConsistent() throws IOException {
            consistent("tx");
        }

        @ParameterizedTest
        @Tag("soak")
        @ValueSource(strings = {"none", "2pc"})
        void theOtherModesAreAsConsistentAsTheyPromise(String mode) throws IOException {
            consistent(mode);
        }

        private void consistent(String mode) throws IOException {
            World world = new World(folder.resolve("tpcc-" + mode)).with(new GaleraEngine());
            world.clusters().write(GaleraRuns.direct(cluster.descriptor()));

            TpccRuns.run(world, "jdbc", mode);
        }

        @Test
        @Tag("soak")
        void transactionsHoldWhileNodesDie() throws IOException {
            holds("tx");
        }

        @Test
        @Tag("soak")
        void commitsOfTheClientHoldWhileNodesDie() throws IOException {
            holds("2pc");
        }

        private void holds(String mode) throws IOException {
            World world = new World(folder.resolve("tpcc-drill-" + mode)).with(new GaleraEngine());
            world.clusters().write(GaleraRuns.direct(cluster.descriptor()));

            TpccRuns.drill(world, "jdbc", mode, Set.of());
            assertWhole();
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 100})
        void conflictsOfWritersAreTriedAgainOnlyWhenAsked(int retries) throws IOException {
            runs.run(
                    "workloada",
                    "-p",
                    "recordcount=2",
                    "-p",
                    "table=conflicts",
                    "-p",
                    "operationcount=900",
                    "-p",
                    "updateproportion=1",
                    "-p",
                    "readproportion=0",
                    "-p",
                    "requestdistribution=uniform",
                    "-p",
                    "retry.temporary=" + retries);

            Map<String, Long> updates = runs.returns().get("UPDATE");
            JsonNode summary = runs.json("summary.json").at("/operations/UPDATE");
            if (retries == 0) {
                assertThat(updates).containsOnlyKeys("OK", "TEMPORARY");
                assertThat(summary.has("retries")).isFalse();
            } else {
                assertThat(updates).containsOnly(Map.entry("OK", 900L));
                assertThat(summary.path("retriedOperations").asLong()).isBetween(1L, 900L);
                assertThat(summary.path("retries").asLong())
                        .isGreaterThanOrEqualTo(
                                summary.path("retriedOperations").asLong());
                assertThat(runs.err()).contains("operations failed temporarily and were retried");
            }
        }

        @Test
        void faultsOfTheNetworkAreFeltByOneThreadAndHealed() throws IOException {
            runs.drill(
                    "network",
                    text -> text.replaceAll("duration: \\d+s", "duration: 2s")
                            .replaceAll("delay: 10s", "delay: 2s")
                            .replaceAll("latency: 20ms", "latency: 200ms"),
                    "--audit");

            Audits.assertNothingLost(runs.json("audit.json"));
            Audits.assertReplicasAgree(runs.json("audit.json"), 3, 3);
            assertThat(runs.phases().get("server1")).containsExactly("fault", "fault", "fault", "fault", "fault");
            assertThat(runs.phases()).hasSize(1);
            assertThat(runs.json("run.json").path("proxies")).hasSize(3);
            // The connection of one thread is broken twice, by the reset and by the cut.
            assertThat(runs.broken()).isBetween(1L, 2L);
            assertThat(runs.longestMicros()).isGreaterThan(1_900_000.0);
            assertWhole();
        }

        @Test
        @Tag("soak")
        void nothingIsFoundWhenNothingIsDone() throws IOException {
            runs.drill(
                    "null",
                    text -> text.replaceAll("duration: \\d+s", "duration: 10s")
                            .replaceAll("max_unavailable: \\d+s", "max_unavailable: 1s"),
                    "-target",
                    "120",
                    "--audit");

            Audits.assertNothingLost(runs.json("audit.json"));
            Markers.assertNothingWasFound(runs.directory());
            assertThat(runs.out()).containsPattern("Verdict: PASS: (\\d+) of \\1 limits kept");
            assertWhole();
        }

        /**
         * A kill with what was missed taken as write sets, a copy of everything, and a pause so long that the others give the
         * node up: each of them costs the thread of that node one operation, and in the end all is as before. At a rate below
         * what the cluster can do, so that before and after can be compared on a busy machine.
         */
        @Test
        void nodesAreKilledInitialisedAndPaused() throws Exception {
            List<Integer> ports = GaleraRuns.ports(cluster.descriptor());
            try (ConnectionCount connections = new ConnectionCount(ports, GaleraRuns.THREADS)) {
                runs.drill(
                        "node-restart",
                        text -> text.replaceAll("(?m)^cooldown: \\d+s", "cooldown: 9s")
                                .replaceAll("(?ms)^steps:.*(?=^limits:)", """
                                        steps:
                                          - {step: restart, fault: restart, node: node3, mode: kill, down: 2s, at: 0s}
                                          - {step: initialise, fault: initialise, node: node2, mode: kill, after: restart, delay: 2s}
                                          - {step: pause, fault: pause, node: node1, duration: 5s, after: initialise, delay: 2s}
                                        """)
                                // Those of the sample are for one fault, and here are three.
                                .replaceAll("max_out: \\d+s", "max_out: 30s")
                                .replaceAll("max_lost_seconds: \\d+s", "max_lost_seconds: 75s"),
                        "-target",
                        "120");
                assertThat(connections.last()).as("connections by node").containsExactly(1, 1, 1);
            }

            Map<String, List<String>> phases = runs.phases();
            List<String> all =
                    List.of("fault", "failure-handling", "down", "local-recovery", "synchronise", "wait-checkpoint");
            assertThat(phases.get("node3")).isEqualTo(all);
            assertThat(phases.get("node2")).isEqualTo(all);
            assertThat(phases.get("node1"))
                    .startsWith("fault", "failure-handling")
                    .contains("synchronise", "wait-checkpoint");
            assertThat(phases.get("node1")).doesNotContain("local-recovery").doesNotHaveDuplicates();
            String markers = runs.file("markers.jsonl");
            assertThat(markers).contains("state transfer: IST").contains("state transfer: SST");
            long lost = runs.lost();
            assertThat(lost).as("connections that broke").isBetween(3L, 6L);
            assertThat(runs.broken()).as("errors").isLessThanOrEqualTo(lost);
            assertThat(runs.throughputAfterToBefore(3)).isGreaterThanOrEqualTo(0.95);
            assertWhole();
        }
    }

    /** The threads know only the proxy before the nodes. */
    @Nested
    class ThroughHaproxy {
        private Haproxy proxy;
        private GaleraRuns runs;

        @BeforeEach
        void runs() throws Exception {
            proxy = TestedHaproxy.required(cluster);
            TestedHaproxy.await(proxy, servers -> servers.stream().allMatch(ProxiedServer::up));
            runs = new GaleraRuns(folder, cluster.descriptor());
        }

        @ParameterizedTest
        @ValueSource(strings = {"a", "e"})
        void workloadsReadBackWhatTheyWrote(String letter) throws Exception {
            readsBackWhatItWrote(letter);
        }

        @ParameterizedTest
        @Tag("soak")
        @ValueSource(strings = {"b", "c", "d", "f"})
        void theOtherWorkloadsReadBackWhatTheyWrote(String letter) throws Exception {
            readsBackWhatItWrote(letter);
        }

        private void readsBackWhatItWrote(String letter) throws Exception {
            Properties properties = properties(proxy, "haproxy_" + letter);

            StockWorkload.readsBackWhatItWrote(letter, 100, 300, properties, p -> {
                DB db = new JdbcBinding();
                db.setProperties(p);
                db.init();
                return db;
            });
        }

        /** Its verdict has a limit on high latencies, which are those of other tests when they use the same machine. */
        @Test
        @Tag("alone")
        void killedNodeCostsOneOperationPerConnectionAndIsUsedAgain() throws Exception {
            ConcurrentSkipListMap<Instant, List<ProxiedServer>> seen = new ConcurrentSkipListMap<>();
            ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor();
            watch.scheduleWithFixedDelay(() -> seen.put(Instant.now(), proxy.servers()), 0, 100, TimeUnit.MILLISECONDS);
            try {
                runs.drill(
                        "node-restart",
                        text -> text.replaceAll("(?m)^    down: 5s", "    down: 2s")
                                .replaceAll("(?m)^cooldown: \\d+s", "cooldown: 7s"),
                        "-target",
                        "120",
                        "--audit");
            } finally {
                watch.shutdownNow();
            }

            // The proxy chooses a node for each connection; the cluster itself tells where its nodes are.
            Audits.assertReplicasAgree(runs.json("audit.json"), 3, 3);
            JsonNode fault = Markers.of(runs.directory()).stream()
                    .filter(marker -> marker.path("kind").asText().equals("fault-started"))
                    .findFirst()
                    .orElseThrow();
            List<ProxiedServer> before =
                    seen.lowerEntry(Instant.parse(fault.path("wall").asText())).getValue();
            assertThat(before.stream().mapToInt(ProxiedServer::connections).sum())
                    .as("connections before the fault: %s", before)
                    .isEqualTo(LocalRuns.THREADS);
            long lost = runs.lost();
            assertThat(before)
                    .filteredOn(
                            server -> server.name().equals(fault.path("node").asText()))
                    .as("the killed node's connections broke: %s", before)
                    .singleElement()
                    .satisfies(server -> assertThat(lost).isEqualTo(server.connections()));
            assertThat(runs.broken()).as("errors").isLessThanOrEqualTo(lost);
            assertThat(runs.throughputAfterToBefore(1)).isGreaterThanOrEqualTo(0.95);
            assertWhole();

            // Connections stay where they are, new ones go to the node as well.
            TestedHaproxy.await(proxy, servers -> servers.stream().allMatch(ProxiedServer::up));
            List<Long> earlier = totals();
            runs.run("workloadc", "-p", "operationcount=300");
            List<Long> later = totals();
            for (int node = 0; node < earlier.size(); node++) {
                assertThat(later.get(node))
                        .as("connections to node %s", node + 1)
                        .isGreaterThan(earlier.get(node));
            }
        }

        private List<Long> totals() {
            return proxy.servers().stream().map(ProxiedServer::total).toList();
        }
    }

    /** Each instance of the binding on whichever node the proxy sends it to. */
    @Nested
    class ContractThroughHaproxy extends BindingContract {
        private final Haproxy proxy = TestedHaproxy.required(cluster);

        @Override
        protected DB newDb() {
            return new JdbcBinding();
        }

        @Override
        protected Properties properties() {
            Properties properties = GaleraDrillIT.properties(proxy, table());
            properties.setProperty("db.table.fieldtype", "MEDIUMBLOB");
            return properties;
        }

        @Override
        protected String table() {
            return "contract";
        }

        /** On another node than the winner, the loser's row is refused when the two meet. */
        @Override
        protected Set<Status> statusesOfLosers() {
            return Set.of(Statuses.DUPLICATE_KEY, Statuses.TEMPORARY);
        }
    }

    /** Each instance of the binding at another node, so that transactions meet at the certification. */
    @Nested
    class TransactionsOfSeveralNodes extends TransactionsContract {
        private final Map<String, String> jdbc;
        private final List<String> hosts;
        private int instances;

        TransactionsOfSeveralNodes() throws IOException {
            jdbc = GaleraRuns.direct(cluster.descriptor()).bindings().get("jdbc");
            hosts = List.of(jdbc.get("db.hosts").split(","));
        }

        @Override
        protected DB newDb() {
            return new JdbcBinding();
        }

        @Override
        protected synchronized Properties properties() {
            Properties properties = new Properties();
            properties.putAll(jdbc);
            properties.setProperty("db.hosts", hosts.get(instances++ % hosts.size()));
            properties.setProperty("table", table());
            return properties;
        }

        @Override
        protected String table() {
            return "txcontract";
        }

        @Test
        void aTransactionThatIsSecondAtTheCertificationIsAbortedAndNotApplied() throws Exception {
            JdbcBinding first = opened();
            JdbcBinding second = opened();
            try {
                assertThat(first.insert(table(), "certified", row("0"))).isEqualTo(Status.OK);
                assertThat(first.begin(table(), "certified")).isEqualTo(Status.OK);
                assertThat(first.update(table(), "certified", row("first"))).isEqualTo(Status.OK);
                assertThat(second.begin(table(), "certified")).isEqualTo(Status.OK);
                assertThat(second.update(table(), "certified", row("second"))).isEqualTo(Status.OK);

                assertThat(second.commit()).isEqualTo(Status.OK);
                assertThat(first.commit()).isEqualTo(Statuses.CONFLICT);

                for (JdbcBinding each : List.of(first, second)) {
                    Map<String, ByteIterator> values = new HashMap<>();
                    assertThat(each.read(table(), "certified", null, values)).isEqualTo(Status.OK);
                    assertThat(values.get("field0")).hasToString("second");
                }
            } finally {
                second.delete(table(), "certified");
                first.cleanup();
                second.cleanup();
            }
        }

        private JdbcBinding opened() throws DBException {
            JdbcBinding db = new JdbcBinding();
            db.setProperties(properties());
            db.init();
            return db;
        }

        private static Map<String, ByteIterator> row(String value) {
            return new HashMap<>(Map.of("field0", new StringByteIterator(value)));
        }
    }

    private static Properties properties(Haproxy proxy, String table) {
        Properties properties = new Properties();
        properties.putAll(cluster.descriptor().bindings().get("jdbc"));
        assertThat(properties).containsEntry("db.hosts", proxy.address());
        properties.setProperty("table", table);
        return properties;
    }
}

package io.ycsbdrill.client.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.StockWorkload;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.harper.HarperEngine;
import io.ycsbdrill.fault.node.harper.TestedHarper;
import io.ycsbdrill.fault.node.harperdb.HarperDbNodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.DB;
import site.ycsb.DBException;

/** Through {@code rest} on one real server of Harper; set {@code HARPER_HOME} to run it. */
@Tag("engine")
@Timeout(300)
class HarperDrillIT {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;
    /** Another one, whose rows expire. */
    private static LocalCluster expiring;

    private LocalRuns runs;

    @BeforeAll
    static void up() {
        TestedHarper.home();
        String tables = "usertable,batches,stock_a,stock_b,stock_c,stock_d,stock_e,stock_f,t_workloada,t_workloadb";
        cluster = new HarperEngine().up(folder.resolve("c"), Map.of("tables", tables), Lifetime.OWNED, line -> {});
    }

    @AfterAll
    static void down() {
        for (LocalCluster each : new LocalCluster[] {cluster, expiring}) {
            if (each != null) {
                each.down();
            }
        }
    }

    @BeforeEach
    void runs() {
        runs = new LocalRuns(folder, cluster.descriptor(), new HarperEngine(), "rest");
    }

    @Nested
    class Contract extends BindingContract {
        @Override
        protected DB newDb() {
            return new RestBinding();
        }

        @Override
        protected Properties properties() {
            return Reached.byRest(cluster);
        }

        @Override
        protected boolean expires() {
            return true;
        }

        @Override
        protected Properties expiring() {
            expiring =
                    new HarperEngine().up(folder.resolve("e"), Map.of("record-ttl", "3s"), Lifetime.OWNED, line -> {});
            return Reached.byRest(expiring);
        }

        /** It looks for the key before it writes, not while: of six inserts at the same time all were acknowledged. */
        @Override
        protected Set<Feature> missingFeatures() {
            return Set.of(Feature.MISSING_KEY_CHECK, Feature.FIELD_CHECK, Feature.ATOMIC_INSERT);
        }

        /** With dots, as the server takes what follows one for the wanted format; without what no header can carry. */
        @Override
        protected List<String> oddKeys() {
            Stream<String> dotted = Stream.of("größe", "dot", "dot.json", "dot.csv", "dot.cbor", "dot.id");
            return Stream.concat(super.oddKeys().stream().filter(key -> !key.contains("日本")), dotted)
                    .toList();
        }
    }

    @Test
    void aTimeToLiveThatIsNotTheTablesIsRefused() {
        RestBinding db = new RestBinding();
        db.setProperties(Reached.byRest(cluster, "record.ttl", "60s"));

        assertThatThrownBy(db::init)
                .isInstanceOf(DBException.class)
                .hasMessageContaining("record.ttl=60s, but table ycsb.usertable keeps its rows");
    }

    @ParameterizedTest
    @CsvSource({"a,200", "d,200", "e,60"})
    void stockWorkloadReadsBackWhatItWrote(String letter, int operations) throws Exception {
        readsBackWhatItWrote(letter, operations);
    }

    @ParameterizedTest
    @Tag("soak")
    @ValueSource(strings = {"b", "c", "f"})
    void theOtherWorkloadsReadBackWhatTheyWrote(String letter) throws Exception {
        readsBackWhatItWrote(letter, 200);
    }

    private static void readsBackWhatItWrote(String letter, int operations) throws Exception {
        StockWorkload.readsBackWhatItWrote(
                letter, 100, operations, Reached.byRest(cluster, "table", "stock_" + letter), properties -> {
                    RestBinding db = new RestBinding();
                    db.setProperties(properties);
                    db.init();
                    return db;
                });
    }

    @Test
    void rowsLoadedByTheOperationsApiAreReadByRest() throws IOException {
        String operations =
                "http://127.0.0.1:" + cluster.descriptor().engineState().get("operationsPort");
        Map<String, String> access = cluster.descriptor().bindings().get("rest");
        String[] bulk = {
            "-p",
            "table=batches",
            "-p",
            "rest.dialect=harperdb-operations",
            "-p",
            "rest.endpoints=" + operations,
            "-p",
            "rest.user=" + access.get("rest.user"),
            "-p",
            "rest.password.file=" + access.get("rest.password.file"),
            "-p",
            "db.batchsize=50"
        };

        runs.load("workloadc", bulk);
        assertThat(runs.returns().get("INSERT")).containsOnly(Map.entry("OK", 500L));
        runs.run("workloadc", "-p", "table=batches", "-p", "operationcount=600", "-p", "dataintegrity=true");

        assertThat(runs.returns().get("READ")).containsOnly(Map.entry("OK", 600L));
    }

    /** As {@code rest.endpoints} would name it: it does not know {@code cluster_status}, as it has no peers. */
    @Test
    void serverOfSomebodyElseIsWatchedAlone() throws IOException {
        Map<String, String> access = cluster.descriptor().bindings().get("rest");
        String both = access.get("rest.user") + ":" + Files.readString(Path.of(access.get("rest.password.file")));
        HttpServers servers = new HttpServers(
                List.of("http://127.0.0.1:" + cluster.descriptor().engineState().get("operationsPort")),
                Map.of("Authorization", "Basic " + Base64.getEncoder().encodeToString(both.getBytes(UTF_8))),
                true,
                Optional.empty());

        try (HarperDbNodes nodes = HarperDbNodes.connect(servers)) {
            assertThat(nodes.status()).extracting(NodeStatus::state).containsExactly(State.STARTED);
        }
    }

    /** Nothing that the server acknowledged is lost; it alone decides when it serves again, so there is no phase {@code down}. */
    @Test
    void serverIsKilledStoppedAndPausedAndLosesNothing() throws IOException {
        runs.load("workloada", "-p", "table=t_workloadb");
        runs.drill("node-restart", text -> text.replaceAll("(?ms)^steps:.*", """
                        steps:
                          - {step: kill, fault: restart, node: node1, mode: kill, down: 1s, at: 0s}
                          - {step: stop, fault: restart, node: node1, mode: graceful, down: 1s, after: kill, delay: 2s}
                          - {step: pause, fault: pause, node: node1, duration: 2s, after: stop, delay: 2s}
                        limits:
                          max_recovery: 3m
                        """), "-target", "120", "--audit");

        Audits.assertNothingLost(runs.json("audit.json"));
        assertThat(runs.phases()).containsOnlyKeys("node1");
        assertThat(runs.phases().get("node1"))
                .containsExactly(
                        "fault",
                        "failure-handling",
                        "local-recovery",
                        "fault",
                        "failure-handling",
                        "local-recovery",
                        "fault");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(folder.resolve("c/heal.json")).doesNotExist();
    }
}

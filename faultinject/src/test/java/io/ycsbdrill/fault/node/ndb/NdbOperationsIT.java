package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.inject.RealDrill;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.TestedInstallations;
import io.ycsbdrill.fault.node.os.PidFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done to a real cluster of two data nodes for maintenance; set {@code NDB_HOME} to run it. */
@Tag("engine")
@Timeout(900)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NdbOperationsIT {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() {
        NdbHome home = TestedNdb.completeHome();
        cluster = new NdbEngine()
                .up(
                        folder.resolve("c"),
                        Map.of(
                                "data-nodes",
                                "2",
                                "spare-nodes",
                                "2",
                                "data-memory",
                                "100M",
                                "ndb-home",
                                home.root().toString()),
                        Lifetime.OWNED,
                        line -> {});
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    private static String change(String setting, String where) {
        return "- {step: change, operation: rolling-config, set: {%s}, node: %s, at: 0s, every: 0s, count: all}"
                .formatted(setting, where);
    }

    @Test
    @Order(1)
    void settingIsChangedNodeByNode() throws Exception {
        RealDrill drill = RealDrill.run(cluster, change("DataMemory: 120M", "rolling"));

        assertThat(drill.nodesDown()).containsExactly("1", "2");
        assertThat(drill.effects()).containsExactly("1 reports DataMemory=125829120", "2 reports DataMemory=125829120");
        List.of("1", "2").forEach(node -> assertThat(drill.phases("change", node))
                .startsWith(Phase.FAULT, Phase.FAILURE_HANDLING, Phase.DOWN, Phase.LOCAL_RECOVERY)
                .endsWith(Phase.RECOVERED));
    }

    @Test
    @Order(2)
    void whatCannotBeChangedIsRefusedBeforeTheDrill() throws Exception {
        assertThat(RealDrill.problems(cluster, change("DataMemory: 125829120", "rolling")))
                .singleElement()
                .asString()
                .contains("DataMemory is 125829120 on every node already");
        assertThat(RealDrill.problems(cluster, change("NoSuchThing: 1", "rolling")))
                .singleElement()
                .asString()
                .contains("node 1, 2 has no setting NoSuchThing");
        assertThat(RealDrill.problems(cluster, change("NoOfReplicas: 1", "rolling")))
                .singleElement()
                .asString()
                .contains("NoOfReplicas is what the cluster is made with");
    }

    @Test
    @Order(3)
    void valueThatTheManagementServerRefusesLeavesEverythingAsItWas() throws Exception {
        RealDrill drill = RealDrill.failing(cluster, change("MaxNoOfTables: 1", "1"));

        assertThat(drill.failures()).singleElement().asString().contains("management server");
        assertThat(drill.nodesDown())
                .as("the data nodes ran all the time, whatever the management server")
                .isEmpty();
        assertThat(folder.resolve("c/config.ini")).content().doesNotContain("MaxNoOfTables");
    }

    /** Both of a group at once; it has no data until the tables are reorganised. */
    @Test
    @Order(4)
    void nodeGroupIsAddedAndTakesItsShareOfTheData() throws Exception {
        NdbSql sql = new NdbSql(cluster.descriptor());
        String rows = IntStream.range(0, 2000).mapToObj(i -> "(" + i + ")").collect(Collectors.joining(","));
        sql.rows(
                "CREATE TABLE ycsb.kept (k INT PRIMARY KEY) ENGINE=NDBCLUSTER; INSERT INTO ycsb.kept VALUES " + rows,
                Duration.ofSeconds(60));

        RealDrill drill = RealDrill.run(cluster, """
                - {step: add, operation: add-node, node: all, at: 0s}
                - {step: spread, operation: rebalance, node: random, after: add}
                """);

        assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("1", "2", "3", "4");
        assertThat(drill.effects()).hasSize(3);
        assertThat(drill.effects().subList(0, 2))
                .containsExactlyInAnyOrder("node 3 is in node group 1, STARTED", "node 4 is in node group 1, STARTED");
        assertThat(drill.effects().get(2)).isEqualTo("ndbinfo.memory_per_fragment has rows on nodes 1, 2, 3, 4");
        List.of("3", "4").forEach(node -> assertThat(drill.phases("add", node))
                .startsWith(Phase.FAULT, Phase.LOCAL_RECOVERY)
                .endsWith(Phase.RECOVERED));
        assertThat(sql.rows("SELECT COUNT(*) FROM ycsb.kept", Duration.ofSeconds(30)))
                .singleElement()
                .satisfies(row -> assertThat(row).containsExactly("2000"));

        RealDrill.run(cluster, "- {fault: restart, mode: kill, node: '3', at: 0s}");
    }

    @Test
    @Order(5)
    void nodeGroupWithDataCannotBeRemoved() throws Exception {
        assertThat(RealDrill.problems(cluster, "- {operation: remove-node, node: '4', at: 0s}"))
                .singleElement()
                .asString()
                .contains("NDB cannot move the rows of a node");
    }

    /** The management server first; SQL nodes when they are named. */
    @Test
    @Order(6)
    @Tag("soak")
    void nodesAreMovedOntoAnotherInstallation() throws Exception {
        Path next = TestedInstallations.copy(TestedNdb.completeHome().root(), folder.resolve("next"));
        String step = "- {step: %s, operation: upgrade, home: " + next + ", node: %s, at: 0s, every: 0s, count: %s}";

        RealDrill drill = RealDrill.run(cluster, step.formatted("data", "rolling", "all"));

        assertThat(drill.effects())
                .containsExactly(
                        "1 runs " + next + "/bin/ndbmtd",
                        "2 runs " + next + "/bin/ndbmtd",
                        "3 runs " + next + "/bin/ndbmtd",
                        "4 runs " + next + "/bin/ndbmtd");
        assertThat(RealDrill.run(cluster, "- {operation: upgrade, home: " + next + ", node: sql1, at: 0s}")
                        .effects())
                .containsExactly("sql1 runs " + next + "/bin/mysqld");
        assertThat(PidFile.running(folder.resolve("c/run/mgmd.pid"))
                        .orElseThrow()
                        .program())
                .contains(next.resolve("bin/ndb_mgmd"));
        assertThat(RealDrill.problems(cluster, step.formatted("again", "rolling", "all")))
                .singleElement()
                .asString()
                .contains("every node runs from " + next + " already");
    }
}

package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.inject.RealDrill;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeInfo;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server more and a server less on a real cluster, with rows that have no second copy. */
@Tag("engine")
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CrateDbOperationsIT {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() throws Exception {
        cluster = TestedCrateDb.up(folder, Map.of("heap", "256M", "nodes", "2", "spare-nodes", "1"));
        TestedCrateDb.execute(
                cluster, "create table kept (k int primary key) clustered into 6 shards with (number_of_replicas = 0)");
        TestedCrateDb.execute(cluster, "insert into kept (select * from generate_series(1, 300))");
        TestedCrateDb.execute(cluster, "refresh table kept");
        TestedCrateDb.awaitGreen(cluster);
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    private static void assertEveryRowIsThere() throws Exception {
        assertThat(TestedCrateDb.execute(cluster, "select count(*) from kept")).contains("[[300]]");
    }

    private static String shardsOn(String node) throws Exception {
        return TestedCrateDb.execute(
                cluster, "select count(*) from sys.shards where node['name'] = '" + node + "' and state = 'STARTED'");
    }

    @Test
    @Order(1)
    void shardsMoveToAnAddedServer() throws Exception {
        RealDrill drill = RealDrill.run(cluster, "- {operation: add-node, node: node3, at: 0s}");

        assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node2", "node3");
        assertThat(drill.effects()).containsExactly("the other nodes have node3 among them");
        assertThat(drill.phases("add-node", "node3"))
                .startsWith(Phase.FAULT, Phase.LOCAL_RECOVERY)
                .endsWith(Phase.RECOVERED);
        assertThat(shardsOn("node3")).contains("[[2]]");
        assertEveryRowIsThere();
    }

    @Test
    @Order(2)
    void removedServerHandsItsShardsOver() throws Exception {
        RealDrill drill = RealDrill.run(cluster, "- {operation: remove-node, node: node2, at: 0s}");

        assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node3");
        assertThat(drill.effects()).containsExactly("the other nodes have node2 not among them");
        assertEveryRowIsThere();
    }

    @Test
    @Order(3)
    void removedServerComesBackAndTakesShardsAgain() throws Exception {
        RealDrill.run(cluster, "- {operation: add-node, node: node2, at: 0s}");

        assertThat(shardsOn("node2")).contains("[[2]]");
        assertEveryRowIsThere();
    }
}

package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.inject.RealDrill;
import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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

    /** Else the server would end itself later, in the middle of the next run. */
    @Test
    @Order(4)
    void aRemovalThatIsStoppedLeavesNoOrderBehind() throws Exception {
        TestedCrateDb.execute(
                cluster, "create table slow (k int primary key) clustered into 6 shards with (number_of_replicas = 0)");
        TestedCrateDb.execute(cluster, "insert into slow (select * from generate_series(1, 300000))");
        TestedCrateDb.execute(cluster, "refresh table slow");
        TestedCrateDb.awaitGreen(cluster);
        TestedCrateDb.execute(cluster, "set global transient \"indices.recovery.max_bytes_per_sec\" = '20kb'");
        Expandable expansion = cluster.capability(Expandable.class).orElseThrow();
        CompletableFuture<String> refusal = new CompletableFuture<>();
        Thread removing = new Thread(() -> {
            try {
                expansion.remove("node2");
                refusal.complete("it was removed");
            } catch (NodeControlException e) {
                refusal.complete(e.getMessage());
            }
        });
        removing.start();
        NodeLocks.await(Duration.ofSeconds(60), CrateDbOperationsIT::shardsMove, () -> "no shard moves");

        removing.interrupt();

        assertThat(refusal.get(60, TimeUnit.SECONDS)).isNotEqualTo("it was removed");
        assertThat(stateOf("node2")).as("which healing starts").isEqualTo(State.DOWN);
        TestedCrateDb.execute(cluster, "reset global \"indices.recovery.max_bytes_per_sec\"");
        Startable startable = cluster.capability(Startable.class).orElseThrow();
        startable.start("node2");
        startable.awaitStarted("node2", Duration.ofSeconds(120));
        NodeLocks.await(Duration.ofSeconds(60), () -> !shardsMove(), () -> "shards still move");
        Thread.sleep(10_000);
        assertThat(stateOf("node2")).isEqualTo(State.STARTED);
        assertThat(shardsOn("node2")).doesNotContain("[[0]]");
        assertThat(TestedCrateDb.execute(cluster, "select count(*) from slow")).contains("[[300000]]");
        assertEveryRowIsThere();
    }

    private static boolean shardsMove() {
        try {
            return !TestedCrateDb.execute(cluster, "select count(*) from sys.shards where routing_state != 'STARTED'")
                    .contains("[[0]]");
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            throw NodeLocks.interrupted(e);
        }
    }

    private static State stateOf(String node) {
        return cluster.status().stream()
                .filter(status -> status.id().equals(node))
                .findFirst()
                .orElseThrow()
                .state();
    }
}

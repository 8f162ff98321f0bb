package io.ycsbdrill.fault.node.cratedb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeControllerContract;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract on one real cluster of three servers, which hold a table with a copy on each of them. */
@Tag("engine")
class CrateDbContractIT extends NodeControllerContract {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() throws Exception {
        cluster = TestedCrateDb.up(folder);
        // A server that lost its data is a new one: by default copies are kept for the old one for a minute.
        TestedCrateDb.execute(
                cluster,
                "create table kept (k text primary key, v text) clustered into 2 shards"
                        + " with (number_of_replicas = 2, \"unassigned.node_left.delayed_timeout\" = '2s')");
        TestedCrateDb.execute(cluster, "insert into kept values ('a', 'b'), ('c', 'd'), ('e', 'f')");
        // The statements return before the copies are there; without them the failure of a node would lose data.
        TestedCrateDb.awaitGreen(cluster);
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    /** After the loss of all nodes two of three make a cluster, which knows of no table, and so misses none, until the third is back. */
    @Test
    void nobodyHasRecoveredBeforeTheTablesAreThere() throws Exception {
        Killable killable = cluster.capability(Killable.class).orElseThrow();
        Startable startable = cluster.capability(Startable.class).orElseThrow();
        List<String> nodes = cluster.nodes().stream().map(NodeInfo::id).toList();
        nodes.forEach(killable::kill);

        nodes.subList(0, 2).forEach(startable::start);

        NodeLocks.await(
                BOUND,
                () -> cluster.status().stream()
                                .filter(node -> node.detail().contains("the state is not recovered"))
                                .count()
                        == 2,
                () -> "two nodes in a cluster without tables: " + cluster.status());
        assertThat(cluster.status())
                .extracting(NodeStatus::state)
                .containsExactly(State.STARTING, State.STARTING, State.DOWN);
        startable.start(nodes.get(2));
        nodes.forEach(node -> startable.awaitStarted(node, BOUND));
        assertThat(TestedCrateDb.execute(cluster, "select count(*) from kept")).contains("[[3]]");
    }

    @Override
    protected NodeController controller() {
        return cluster;
    }

    @Override
    protected boolean alwaysWaitsForCheckpoint() {
        return false;
    }
}

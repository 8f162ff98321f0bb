package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeControllerContract;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
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

    @Override
    protected NodeController controller() {
        return cluster;
    }

    @Override
    protected boolean alwaysWaitsForCheckpoint() {
        return false;
    }
}

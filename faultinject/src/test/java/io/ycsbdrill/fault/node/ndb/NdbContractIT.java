package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeControllerContract;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract of every controller, on two real data nodes; set {@code NDB_HOME} to run it. */
@Tag("engine")
class NdbContractIT extends NodeControllerContract {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() {
        TestedNdb.home();
        cluster = new NdbEngine()
                .up(
                        folder.resolve("c"),
                        Map.of("data-nodes", "2", "sql-nodes", "0", "data-memory", "64M"),
                        Lifetime.OWNED,
                        line -> {});
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
}

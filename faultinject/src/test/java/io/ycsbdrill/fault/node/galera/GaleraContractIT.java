package io.ycsbdrill.fault.node.galera;

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

/** The contract on one real cluster of three nodes. */
@Tag("engine")
class GaleraContractIT extends NodeControllerContract {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() {
        TestedGalera.home();
        cluster = new GaleraEngine()
                .up(
                        folder.resolve("c"),
                        Map.of("buffer-pool", "32M", "gcache", "32M"),
                        Lifetime.OWNED,
                        line -> System.out.println("up: " + line));
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

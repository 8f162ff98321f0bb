package io.ycsbdrill.fault.node.declared;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeControllerContract;
import io.ycsbdrill.fault.node.NodeLocks;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** The contract on the real servers of a shipped file; skipped where their programs are not. */
@Tag("engine")
abstract class DeclaredContract extends NodeControllerContract {
    @TempDir
    static Path folder;

    static LocalCluster cluster;

    /** Starts the cluster of a file in {@code examples/engines}. */
    static void up(String name) {
        Path path = Path.of("../examples/engines", name);
        DeclaredEngine engine = DeclaredEngine.read(path, Engine.installed());
        List<String> missing = engine.missing(System.getenv());
        assumeTrue(
                missing.isEmpty(),
                name + ": no program " + String.join(", ", missing)
                        + " is installed (Debian: redis-server, redis-sentinel," + " etcd-server, etcd-client)");
        cluster = engine.up(folder.resolve("c"), Map.of(), Lifetime.OWNED, line -> System.out.println("up: " + line));
    }

    /** Ends the primary, returns its id when another one has taken its place, and leaves it down. */
    static String withoutPrimary() {
        String former = cluster.primary().orElseThrow();
        cluster.capability(Killable.class).orElseThrow().kill(former);
        NodeLocks.await(
                BOUND,
                () -> cluster.primary().filter(id -> !id.equals(former)).isPresent(),
                () -> "no other node is primary after the end of " + former);
        return former;
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
            cluster = null;
            assertThat(folder.resolve("c")).doesNotExist();
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

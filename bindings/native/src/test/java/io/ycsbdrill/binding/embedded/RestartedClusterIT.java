package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A binding that stays open while all nodes die and start again: Ignite then counts the versions of its topology from 1 again. */
@Tag("process")
@Tag("long")
@EnabledOnOs(OS.LINUX)
class RestartedClusterIT {
    private static final Duration BOUND = Duration.ofSeconds(120);
    private static final List<String> NODES = List.of("node1", "node2", "node3");

    @TempDir
    private Path directory;

    @Test
    @Timeout(600)
    void routesAreThoseOfTheClusterThatCameBack() throws Exception {
        LocalCluster cluster = new EmbeddedEngine()
                .up(directory.resolve("c"), Map.of("data-nodes", "3"), Lifetime.OWNED, System.out::println);
        Killable killable = cluster.capability(Killable.class).orElseThrow();
        Startable startable = cluster.capability(Startable.class).orElseThrow();
        EmbeddedBinding db = new EmbeddedBinding();
        Properties properties = new Properties();
        properties.putAll(cluster.descriptor().bindings().get("native"));
        db.setProperties(properties);
        try {
            db.init();
            // A version that the new topology does not reach by itself.
            killable.kill("node1");
            startable.start("node1");
            startable.awaitStarted("node1", BOUND);

            for (String node : NODES) {
                killable.kill(node);
                NodeLocks.pause(Duration.ofSeconds(1)); // The last routes that were known name one node only.
            }
            NODES.forEach(startable::start);
            NODES.forEach(node -> startable.awaitStarted(node, BOUND));

            NodeLocks.await(BOUND, () -> connected(db), () -> "not connected again: " + db.reconnects());
            NodeLocks.await(BOUND, () -> owners(db).equals(Set.copyOf(NODES)), () -> "owners are " + owners(db));
            List<Reconnects.Server> before = db.reconnects();
            NodeLocks.pause(Duration.ofSeconds(2));
            assertThat(db.reconnects()).isEqualTo(before);
        } finally {
            db.cleanup();
            cluster.down();
        }
    }

    private static Set<String> owners(EmbeddedBinding db) {
        return Set.copyOf(db.owners("usertable").byPartition());
    }

    private static boolean connected(EmbeddedBinding db) {
        return db.reconnects().stream().allMatch(server -> server.regained() == server.lost());
    }
}

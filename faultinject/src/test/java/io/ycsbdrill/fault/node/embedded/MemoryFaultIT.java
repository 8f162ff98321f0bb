package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inject.Healer;
import io.ycsbdrill.fault.inject.RealDrill;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.trouble.Squeezable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Memory is taken from a node that writes; needs a memory cgroup in which groups can be made. */
@Timeout(300)
class MemoryFaultIT {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;
    private static Path group;

    @BeforeAll
    static void up() throws Exception {
        try {
            cluster = new EmbeddedEngine()
                    .up(
                            folder.resolve("c"),
                            Map.of("data-nodes", "2", "memory-faults", "true"),
                            Lifetime.OWNED,
                            line -> {});
        } catch (NodeControlException e) {
            Assumptions.assumeFalse(e.getMessage().contains("needs a memory cgroup"), e.getMessage());
            throw e;
        }
        group = Path.of(Files.readAllLines(folder.resolve("c/memory-cgroup")).get(1));
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
            assertThat(group).doesNotExist();
        }
    }

    private static Squeezable squeezable() {
        return cluster.capability(Squeezable.class).orElseThrow();
    }

    private static String limit(String node) throws Exception {
        Path first = group.resolve(node).resolve("memory.limit_in_bytes");
        Path second = group.resolve(node).resolve("memory.max");
        return Files.readString(Files.exists(first) ? first : second).strip();
    }

    @Test
    void nodeThatWritesMeetsTheLimitAndIsReleased() throws Exception {
        String unlimited = limit("node2");
        AtomicBoolean stop = new AtomicBoolean();
        Thread writer = new Thread(() -> write(stop));
        writer.start();
        try {
            RealDrill drill =
                    RealDrill.run(cluster, "- {fault: memory, node: node2, share: 90%, at: 2s, duration: 5s}");

            assertThat(drill.effects())
                    .singleElement()
                    .asString()
                    .matches("node2 has met its memory limit of \\d+ bytes [1-9]\\d* times");
        } finally {
            stop.set(true);
            writer.join();
        }
        assertThat(limit("node2")).isEqualTo(unlimited);
    }

    private static void write(AtomicBoolean stop) {
        byte[] value = new byte[4000];
        try (IgniteClient client = Ignition.startClient(new ClientConfiguration()
                .setAddresses(cluster.descriptor()
                        .bindings()
                        .get("native")
                        .get("embedded.endpoints")
                        .split(",")))) {
            ClientCache<String, byte[]> table = client.getOrCreateCache("usertable");
            for (int row = 0; !stop.get(); row++) {
                table.put("row" + row % 5000, value);
            }
        } catch (ClientException e) {
            System.out.println("the writer ended: " + e.getMessage());
        }
    }

    /** As after a kill -9 of the tool: another controller finds the limit and lifts it. */
    @Test
    void limitThatWasLeftIsLiftedByHealing() throws Exception {
        String unlimited = limit("node1");
        squeezable().squeeze("node1", 0.97);
        assertThat(limit("node1")).isNotEqualTo(unlimited);

        try (LocalCluster later = new EmbeddedEngine().attach(cluster.descriptor())) {
            assertThat(new Healer(later, HealRecord.inMemory(), Duration.ofMinutes(1), line -> {}).heal())
                    .isEmpty();
        }

        assertThat(limit("node1")).isEqualTo(unlimited);
    }

    @Test
    void limitThatCannotBeKeptIsRefusedAndThereIsNone() throws Exception {
        String unlimited = limit("node1");

        assertThatThrownBy(() -> squeezable().squeeze("node1", 0.01))
                .isInstanceOf(NodeControlException.class)
                .hasMessageMatching(
                        "the memory of node1 cannot be limited to 1% .*: take a share of [1-9]\\d% or more: .*");

        assertThat(limit("node1")).isEqualTo(unlimited);
        assertThat(cluster.status()).allSatisfy(node -> assertThat(node.pid()).isPresent());
    }
}

package io.ycsbdrill.binding.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.embedded.EmbeddedEngine;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Vector;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/** What clients see while nobody has some of the rows: two nodes, no copies, one node dead. */
@Tag("process")
@Tag("long")
@EnabledOnOs(OS.LINUX)
class LostPartitionsIT {
    private static final int ROWS = 100;

    @TempDir
    private Path directory;

    @Test
    @Timeout(300)
    void scanFailsWhileRowsAreMissingAndTheNodeIsNotCalledWhole() throws Exception {
        LocalCluster cluster = new EmbeddedEngine()
                .up(
                        directory.resolve("c"),
                        Map.of("data-nodes", "2", "backups", "0"),
                        Lifetime.OWNED,
                        System.out::println);
        EmbeddedBinding db = new EmbeddedBinding();
        Properties properties = new Properties();
        properties.putAll(cluster.descriptor().bindings().get("native"));
        db.setProperties(properties);
        try {
            db.init();
            for (int i = 0; i < ROWS; i++) {
                Map<String, ByteIterator> row = Map.of("f", new ByteArrayByteIterator(new byte[] {(byte) i}));
                assertThat(db.insert("usertable", key(i), row)).isEqualTo(Status.OK);
            }
            Vector<HashMap<String, ByteIterator>> all = new Vector<>();
            assertThat(db.scan("usertable", key(0), 2 * ROWS, null, all)).isEqualTo(Status.OK);
            assertThat(all).hasSize(ROWS);
            eachRowIsOnOneNode(db, properties);
            List<String> owners = db.owners("usertable").byPartition();
            List<String> ownerOf = IntStream.range(0, ROWS)
                    .mapToObj(i -> owners.get(db.partition("usertable", key(i))))
                    .toList();

            cluster.capability(Killable.class).orElseThrow().kill("node2");

            List<Status> reads = IntStream.range(0, ROWS)
                    .mapToObj(i -> db.read("usertable", key(i), null, new HashMap<>()))
                    .toList();
            assertThat(reads).doesNotContain(Status.NOT_FOUND);
            assertThat(IntStream.range(0, ROWS)
                            .filter(i -> !reads.get(i).isOk())
                            .boxed())
                    .as("exactly the keys whose owner was killed")
                    .isEqualTo(IntStream.range(0, ROWS)
                            .filter(i -> ownerOf.get(i).equals("node2"))
                            .boxed()
                            .toList())
                    .isNotEmpty();
            for (int i = 0; i < 20; i++) {
                Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
                assertThat(db.scan("usertable", key(0), ROWS, null, rows).isOk())
                        .isFalse();
                assertThat(rows).isEmpty();
            }

            Startable startable = cluster.capability(Startable.class).orElseThrow();
            startable.start("node2");
            // Ignite does not take lost partitions back by itself, and nobody may call the node whole meanwhile.
            assertThatThrownBy(() -> startable.awaitStarted("node2", Duration.ofSeconds(25)))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("node2 has not recovered");
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.STARTING);
            assertThat(db.scan("usertable", key(0), ROWS, null, new Vector<>()).isOk())
                    .isFalse();
        } finally {
            db.cleanup();
            cluster.down();
        }
    }

    /** What each node says of its own copies; the binding's other reads find the rows wherever they are. */
    private static void eachRowIsOnOneNode(EmbeddedBinding db, Properties properties) throws Exception {
        NodeReads.Nodes nodes = db.nodes();
        assertThat(nodes.copies()).isEqualTo(1);
        assertThat(nodes.nodes()).extracting(NodeReads.Node::name).containsExactly("node1", "node2");
        List<String> large =
                IntStream.range(0, 32).mapToObj("large%02d"::formatted).toList();
        for (String key : large) {
            Map<String, ByteIterator> row = Map.of("f", new ByteArrayByteIterator(new byte[100_000]));
            assertThat(db.insert("usertable", key, row)).isEqualTo(Status.OK);
        }
        List<List<Status>> statuses = new ArrayList<>();
        int noRoom = 0;
        for (NodeReads.Node node : nodes.nodes()) {
            EmbeddedBinding one = new EmbeddedBinding();
            Properties narrowed = new Properties();
            narrowed.putAll(properties);
            narrowed.putAll(node.properties());
            one.setProperties(narrowed);
            one.init();
            try {
                statuses.add(IntStream.range(0, ROWS + 1)
                        .mapToObj(i -> one.read("usertable", key(i), null, new HashMap<>()))
                        .toList());
                theSameAtOnce(one, statuses.get(statuses.size() - 1));
                noRoom += withoutRoom(one, large);
            } finally {
                one.cleanup();
            }
        }
        for (int i = 0; i <= ROWS; i++) {
            assertThat(List.of(statuses.get(0).get(i), statuses.get(1).get(i)))
                    .containsExactlyInAnyOrder(i < ROWS ? Status.OK : Status.NOT_FOUND, Statuses.NOT_HELD);
        }
        assertThat(statuses.get(0)).contains(Status.OK);
        assertThat(statuses.get(1)).contains(Status.OK);
        assertThat(noRoom).isPositive();
    }

    private static void theSameAtOnce(EmbeddedBinding node, List<Status> oneByOne) {
        int first = ROWS + 1 - node.rowsAtOnce();
        List<String> keys = IntStream.rangeClosed(first, ROWS)
                .mapToObj(LostPartitionsIT::key)
                .toList();
        List<Map<String, ByteIterator>> rows = new ArrayList<>();
        keys.forEach(key -> rows.add(new HashMap<>()));
        assertThat(node.readAll("usertable", keys, rows)).isEqualTo(oneByOne.subList(first, ROWS + 1));
        for (int i = 0; i < rows.size(); i++) {
            if (oneByOne.get(first + i).isOk()) {
                assertThat(rows.get(i).get("f").toArray()).containsExactly(first + i);
            } else {
                assertThat(rows.get(i)).isEmpty();
            }
        }
    }

    /** An answer takes little of the node's memory, however large the rows are: for how many there was no room. */
    private static int withoutRoom(EmbeddedBinding node, List<String> keys) {
        List<Map<String, ByteIterator>> rows = new ArrayList<>();
        keys.forEach(key -> rows.add(new HashMap<>()));
        List<Status> statuses = node.readAll("usertable", keys, rows);
        assertThat(statuses).hasSize(keys.size());
        int answered = statuses.contains(Statuses.UNAVAILABLE) ? statuses.indexOf(Statuses.UNAVAILABLE) : keys.size();
        for (int i = 0; i < keys.size(); i++) {
            assertThat(statuses.get(i))
                    .isEqualTo(
                            i < answered
                                    ? node.read("usertable", keys.get(i), null, new HashMap<>())
                                    : Statuses.UNAVAILABLE);
        }
        assertThat(statuses.stream().filter(Status::isOk).count()).isBetween(1L, 11L);
        return keys.size() - answered;
    }

    private static String key(int i) {
        return "k%03d".formatted(i);
    }
}

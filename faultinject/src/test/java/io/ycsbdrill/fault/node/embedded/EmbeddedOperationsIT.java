package io.ycsbdrill.fault.node.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.inject.RealDrill;
import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import java.nio.file.Path;
import java.util.Map;
import org.apache.ignite.Ignition;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.apache.ignite.configuration.ClientConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is done to a cluster for maintenance: a node more and a node less, with data that must survive it. */
@Timeout(600)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EmbeddedOperationsIT {
    private static final int ROWS = 500;

    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    @BeforeAll
    static void up() {
        cluster = new EmbeddedEngine()
                .up(
                        folder.resolve("c"),
                        Map.of(
                                "data-nodes",
                                "2",
                                "backups",
                                "1",
                                "spare-nodes",
                                "1",
                                "heap-mb",
                                "128",
                                "memory-mb",
                                "64"),
                        Lifetime.OWNED,
                        line -> {});
        try (IgniteClient client = client()) {
            ClientCache<String, byte[]> table = client.getOrCreateCache("usertable");
            for (int row = 0; row < ROWS; row++) {
                table.put("row" + row, new byte[] {(byte) row});
            }
        }
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    private static IgniteClient client() {
        return Ignition.startClient(new ClientConfiguration()
                .setAddresses(cluster.descriptor()
                        .bindings()
                        .get("native")
                        .get("embedded.endpoints")
                        .split(",")));
    }

    private static void assertEveryRowIsThere() {
        try (IgniteClient client = client()) {
            ClientCache<String, byte[]> table = client.cache("usertable");
            for (int row = 0; row < ROWS; row++) {
                assertThat(table.get("row" + row)).as("row%d", row).containsExactly((byte) row);
            }
        }
    }

    @Test
    @Order(1)
    void spareNodeIsNoMemberAndIsLeftAlone() {
        assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node2");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.STARTED);
        assertThat(cluster.capability(Expandable.class).orElseThrow().spares())
                .extracting(NodeInfo::id)
                .containsExactly("node3");
    }

    @Test
    @Order(2)
    void addedNodeTakesItsShareOfTheData() throws Exception {
        RealDrill drill = RealDrill.run(cluster, "- {operation: add-node, node: random, at: 0s}");

        assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node2", "node3");
        assertThat(drill.effects()).containsExactly("the other nodes have node3 among them");
        assertThat(drill.phases("add-node", "node3"))
                .containsExactly(
                        Phase.FAULT, Phase.LOCAL_RECOVERY, Phase.SYNCHRONISE, Phase.WAIT_CHECKPOINT, Phase.RECOVERED);
        assertEveryRowIsThere();
        assertThat(RealDrill.problems(cluster, "- {operation: add-node, node: random, at: 0s}"))
                .singleElement()
                .asString()
                .contains("there is no node to choose from; start the cluster with cluster up --spare-nodes");
    }

    /** Of each row that it had one copy is left, which is not enough to lose another node. */
    @Test
    @Order(3)
    void copiesOfARemovedNodeAreMadeAgain() throws Exception {
        RealDrill drill = RealDrill.run(cluster, "- {operation: remove-node, node: node1, at: 0s}");

        assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node2", "node3");
        assertThat(drill.effects()).containsExactly("the other nodes have node1 not among them");
        assertThat(drill.phases("remove-node", "node1"))
                .containsExactly(Phase.FAULT, Phase.FAILURE_HANDLING, Phase.DOWN);
        assertEveryRowIsThere();
        RealDrill.run(cluster, "- {step: kill, fault: restart, mode: kill, node: node3, at: 0s}");
        assertEveryRowIsThere();
    }

    @Test
    @Order(4)
    void removedNodeCanBeAddedAgainInOneDrill() throws Exception {
        RealDrill.run(cluster, """
                - {step: back, operation: add-node, node: node1, at: 0s}
                - {step: away, operation: remove-node, node: node1, after: back}
                - {step: again, operation: add-node, node: same-as:away, after: away}
                """);

        assertThat(cluster.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node2", "node3");
        assertEveryRowIsThere();
    }

    @Test
    @Order(5)
    void otherControllerAgreesOnTheMembers() {
        cluster.capability(Expandable.class).orElseThrow().remove("node2");

        try (LocalCluster attached = new EmbeddedEngine().attach(cluster.descriptor())) {
            assertThat(attached.nodes()).extracting(NodeInfo::id).containsExactly("node1", "node3");
            assertThat(attached.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.STARTED);
        }
        assertEveryRowIsThere();
    }
}

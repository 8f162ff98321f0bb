package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.StockWorkload;
import io.ycsbdrill.binding.rest.RestBinding;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeControllerContract;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.faunadb.FaunaDbEngine;
import io.ycsbdrill.fault.node.faunadb.TestedFaunaDb;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** Through {@code rest} on real nodes of FaunaDB; set {@code FAUNADB_HOME} to run it. */
@Tag("engine")
@Timeout(400)
@Tag("alone")
class FaunaDbDrillIT {
    @TempDir
    static Path folder;

    private static LocalCluster cluster;
    private LocalRuns runs;

    /** Each node has all rows. */
    @BeforeAll
    static void up() {
        cluster = TestedFaunaDb.up(folder.resolve("c"), 3, 3);
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
            assertThat(folder.resolve("c")).doesNotExist();
        }
    }

    @BeforeEach
    void runs() {
        runs = new LocalRuns(folder, cluster.descriptor(), new FaunaDbEngine(), "rest");
    }

    private static DB opened(Properties properties) throws DBException {
        RestBinding db = new RestBinding();
        db.setProperties(properties);
        db.init();
        return db;
    }

    @Nested
    class Contract extends BindingContract {
        @Override
        protected DB newDb() {
            return new RestBinding();
        }

        @Override
        protected Properties properties() {
            return Reached.byRest(cluster);
        }

        @Override
        protected boolean expires() {
            return true;
        }

        /** A document has the fields that it is given. */
        @Override
        protected Set<Feature> missingFeatures() {
            return Set.of(Feature.FIELD_CHECK);
        }
    }

    /** Instances have the servers in turn, so the reader asks another one than the writers. */
    @Test
    void whatAnotherServerAcknowledgedIsRead() throws Exception {
        Properties properties = Reached.byRest(cluster, "table", "seen");
        DB reader = opened(properties);
        List<DB> writers = List.of(opened(properties), opened(properties));
        Map<String, ByteIterator> row = new HashMap<>();
        row.put("field0", new StringByteIterator("0"));
        assertThat(reader.insert("seen", "k", row)).isEqualTo(Status.OK);

        for (int i = 1; i <= 200; i++) {
            row.put("field0", new StringByteIterator(Integer.toString(i)));
            String round = "round " + i;
            assertThat(writers.get(i % 2).update("seen", "k", row)).as(round).isEqualTo(Status.OK);
            Map<String, ByteIterator> found = new HashMap<>();
            assertThat(reader.read("seen", "k", Set.of("field0"), found))
                    .as(round)
                    .isEqualTo(Status.OK);
            assertThat(found.get("field0")).as(round).hasToString(Integer.toString(i));
        }

        reader.cleanup();
        for (DB writer : writers) {
            writer.cleanup();
        }
    }

    /** Here, as a start takes long and so the cluster is shared. */
    @Nested
    class Nodes extends NodeControllerContract {
        @Override
        protected NodeController controller() {
            return cluster;
        }

        @Override
        protected boolean alwaysWaitsForCheckpoint() {
            return false;
        }
    }

    @Test
    @Tag("soak")
    void stockWorkloadsReadBackWhatTheyWrote() throws Exception {
        for (String letter : List.of("a", "b", "c", "d", "e", "f")) {
            StockWorkload.readsBackWhatItWrote(
                    letter,
                    50,
                    letter.equals("e") ? 20 : 60,
                    Reached.byRest(cluster, "table", "stock_" + letter),
                    FaunaDbDrillIT::opened);
        }
    }

    @Test
    void aKilledNodeIsMissedByNobodyWhenTheOthersHaveAllRows() throws IOException {
        runs.load("workloada", "-p", "table=t_workloadb", "-p", "db.batchsize=50");
        assertThat(runs.returns().get("INSERT")).containsOnly(Map.entry("OK", 500L));

        runs.drill(
                "node-restart",
                text -> text.replaceAll("(?ms)^steps:.*", """
                        steps:
                          - {step: kill, fault: restart, node: node2, mode: kill, down: 1s, at: 0s}
                        limits:
                          acked_lost: 0
                        """).replaceAll("(?m)^load: .*", "load: 20/s"),
                "--audit");

        Audits.assertNothingLost(runs.json("audit.json"));
        assertThat(runs.succeededDuring("node2", "local-recovery")).isPositive();
        runs.assertPhasesAddUp();
        assertThat(runs.phases()).containsOnlyKeys("node2");
        assertThat(runs.phases().get("node2"))
                .containsExactly("fault", "failure-handling", "down", "local-recovery", "synchronise");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(folder.resolve("c/heal.json")).doesNotExist();
    }

    /** Its rows are nowhere else, and are there again when it is back. */
    @Test
    @Tag("soak")
    void theLossOfANodeStopsAClusterOfOneReplica() throws Exception {
        LocalCluster one = TestedFaunaDb.up(folder.resolve("one"), 2, 1);
        try {
            DB db = opened(Reached.byRest(one, "fieldcount", "1", "rest.timeout", "15s"));
            List<String> keys = IntStream.range(0, 12).mapToObj(i -> "user" + i).toList();
            for (String key : keys) {
                Map<String, ByteIterator> values = new HashMap<>(Map.of("field0", new StringByteIterator(key)));
                assertThat(db.insert("usertable", key, values)).isEqualTo(Status.OK);
            }

            one.capability(Killable.class).orElseThrow().kill("node2");
            Status lost = Status.OK;
            for (int i = 0; i < keys.size() && lost.isOk(); i++) {
                lost = db.read("usertable", keys.get(i), null, new HashMap<>());
            }
            assertThat(lost.isOk())
                    .as("some of %s is on the node that is gone", keys)
                    .isFalse();
            assertThat(lost).isNotEqualTo(Status.NOT_FOUND);

            Startable startable = one.capability(Startable.class).orElseThrow();
            startable.start("node2");
            startable.awaitStarted("node2", Duration.ofMinutes(3));
            startable.awaitStarted("node1", Duration.ofMinutes(3));
            for (String key : keys) {
                Map<String, ByteIterator> row = new HashMap<>();
                assertThat(db.read("usertable", key, null, row)).isEqualTo(Status.OK);
                assertThat(row.get("field0")).hasToString(key);
            }
            db.cleanup();
        } finally {
            one.down();
        }
        assertThat(folder.resolve("one")).doesNotExist();
    }
}

package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.KeyOwners.Owners;
import io.ycsbdrill.binding.KeyOwnersContract;
import io.ycsbdrill.fault.node.Pausable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import site.ycsb.DB;
import site.ycsb.Status;

/** On a table whose reads are answered by the primary replica; the last test shows what is different in others. */
@Tag("engine")
@ExtendWith(RealCluster.class)
class NdbKeyOwnersIT extends KeyOwnersContract {
    private static RealCluster.Running running;

    @BeforeAll
    static void up(RealCluster.Running cluster) throws Exception {
        running = cluster;
        for (int readBackup : List.of(0, 1)) {
            sql("CREATE DATABASE IF NOT EXISTS ycsb");
            sql("CREATE TABLE ycsb.owners_" + readBackup
                    + " (YCSB_KEY VARCHAR(60) CHARACTER SET latin1 COLLATE latin1_bin PRIMARY KEY, FIELD0 VARBINARY(100))"
                    + " COMMENT='NDB_TABLE=READ_BACKUP=" + readBackup + "' ENGINE=NDBCLUSTER");
        }
    }

    private static String sql(String... statements) throws Exception {
        NdbProperties settings = NdbProperties.of(running.properties("owners_0"));
        return SqlNode.of(settings, RealCluster.installation(), System.getenv("PATH"))
                .orElseThrow()
                .execute(List.of(statements));
    }

    private static NdbBinding open(String table) throws Exception {
        Properties properties = running.properties(table);
        properties.setProperty("fieldcount", "1");
        NdbBinding db = new NdbBinding();
        db.setProperties(properties);
        db.init();
        return db;
    }

    @Override
    protected DB open() throws Exception {
        return open(table());
    }

    @Override
    protected String table() {
        return "owners_0";
    }

    /** Each data node counts the reads of its own fragments. */
    @Override
    protected List<String> ownersByServer(List<String> keys) throws Exception {
        NdbBinding db = open(table());
        List<String> owners = new ArrayList<>();
        try {
            Map<String, Long> before = reads(table());
            for (String key : keys) {
                assertThat(db.read(table(), key, null, new HashMap<>())).isEqualTo(Status.OK);
                Map<String, Long> after = reads(table());
                Map<String, Long> then = before;
                owners.add(String.join(
                        " and ",
                        after.keySet().stream()
                                .filter(node -> after.get(node) > then.get(node))
                                .toList()));
                before = after;
            }
        } finally {
            db.cleanup();
        }
        return owners;
    }

    private static Map<String, Long> reads(String table) throws Exception {
        Map<String, Long> reads = new HashMap<>();
        sql("SELECT node_id, SUM(tot_key_reads) FROM ndbinfo.operations_per_fragment WHERE fq_name='ycsb/def/" + table
                        + "' GROUP BY node_id")
                .lines()
                .map(line -> line.split("\t"))
                .forEach(cells -> reads.put(cells[0], Long.parseLong(cells[1])));
        return reads;
    }

    @Override
    protected void pause(String node) {
        running.cluster().capability(Pausable.class).orElseThrow().pause(node);
    }

    @Override
    protected void resume(String node) {
        running.cluster().capability(Pausable.class).orElseThrow().resume(node);
    }

    @Test
    @Order(3)
    void withoutAnSqlNodeTheOwnersAreNotKnown() throws Exception {
        NdbProperties settings = NdbProperties.of(running.properties("owners_0"));
        assertThat(settings.sql()).isPresent();
        Properties properties = running.properties("owners_0");
        properties.remove("ndb.sql");
        properties.remove("ndb.sql.user");

        Owners owners = PrimaryReplicas.of(NdbProperties.of(properties), RealCluster.installation(), "owners_0");

        assertThat(owners.reason()).contains("set ndb.sql");
    }

    @Test
    @Order(4)
    void tableIsMadeWhosePrimaryReplicasAnswer() throws Exception {
        Properties properties = running.properties("owners_made");
        properties.setProperty("ndb.table.reads", "primary");
        NdbBinding db = new NdbBinding();
        db.setProperties(properties);
        db.init();
        try {
            assertThat(db.owners("owners_made").reason()).isEmpty();
            assertThat(db.owners("owners_made").byPartition()).isNotEmpty();
        } finally {
            db.cleanup();
        }
    }

    @Test
    @Order(5)
    void keysOfATableThatAnyReplicaAnswersHaveNoOwner() throws Exception {
        NdbBinding db = open("owners_1");
        try {
            Map<String, Long> before = reads("owners_1");
            for (int i = 0; i < 30; i++) {
                assertThat(db.read("owners_1", "user1", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
            }
            Map<String, Long> after = reads("owners_1");

            assertThat(after.keySet().stream().filter(node -> after.get(node) > before.get(node)))
                    .as("nodes that have answered the reads of one key")
                    .hasSizeGreaterThan(1);
            assertThat(db.owners("owners_1").reason()).contains("READ_BACKUP=0");
        } finally {
            db.cleanup();
        }
    }
}

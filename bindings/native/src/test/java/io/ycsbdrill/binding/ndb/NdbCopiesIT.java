package io.ycsbdrill.binding.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.binding.NodeReads.Node;
import io.ycsbdrill.binding.NodeReads.Nodes;
import io.ycsbdrill.fault.node.NodeInfo;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Each data node's own copies, read one node at a time; the cluster's counters say which node has really answered. */
@Tag("engine")
@ExtendWith(RealCluster.class)
class NdbCopiesIT {
    private static final int ROWS = 300;
    /**
     * Reads of a table's rows by key, counted by the nodes that have read them. Counters of all tables also count what the SQL node does by itself: two
     * seconds after rows were inserted it samples an index, which are some hundred operations.
     */
    private static final String READS = "SELECT node_id, SUM(tot_key_reads) FROM ndbinfo.operations_per_fragment"
            + " WHERE fq_name='ycsb/def/%s' GROUP BY node_id";

    private static RealCluster.Running running;

    @BeforeAll
    static void up(RealCluster.Running cluster) {
        running = cluster;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void rowsAreReadFromTheNodeThatIsAskedFor(int readBackup) throws Exception {
        String table = "copies_" + readBackup;
        sql("CREATE TABLE ycsb." + table + " (YCSB_KEY VARBINARY(50) PRIMARY KEY, FIELD0 VARBINARY(100))"
                + " COMMENT='NDB_TABLE=READ_BACKUP=" + readBackup + "' ENGINE=NDBCLUSTER");
        Nodes nodes = filled(table);

        assertThat(nodes.copies()).isEqualTo(3);
        assertThat(nodes.nodes()).hasSize(3);
        List<String> ids = running.cluster().nodes().stream().map(NodeInfo::id).toList();
        for (int i = 0; i < ids.size(); i++) {
            Node node = nodes.nodes().get(i);
            NdbBinding db = opened(table, node);
            try {
                Map<String, Long> before = reads(table);
                for (int row = 0; row < ROWS; row++) {
                    Map<String, ByteIterator> found = new HashMap<>();
                    assertThat(db.read(table, "k" + row, null, found)).isEqualTo(Status.OK);
                    assertThat(found.get("field0").toString()).isEqualTo("v" + row);
                }
                assertThat(db.read(table, "missing", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
                Map<String, Long> after = reads(table);

                for (String id : ids) {
                    long expected = id.equals(ids.get(i)) ? ROWS + 1 : 0; // with the one that is missing
                    assertThat(after.get(id) - before.get(id))
                            .as(id + " for " + node.name())
                            .isEqualTo(expected);
                }
                assertThat(db.doubt()).isEmpty();
            } finally {
                db.cleanup();
            }
        }
    }

    @Test
    void aSlotThatIsNearestToAnotherNodeIsNoticedBeforeItIsUsed() throws Exception {
        filled("copies_elsewhere");
        Node second = new NodeSlots("2:201")
                .nodes(properties("copies_elsewhere").getProperty("ndb.connectstring"))
                .get(0);

        assertThatThrownBy(() -> opened("copies_elsewhere", second))
                .hasMessageContaining("of 500 reads that data node 2 should have answered, it answered 0")
                .hasMessageContaining("LocationDomainId");
    }

    @Test
    void withoutAnSqlNodeNobodyCanTellWhoAnswers() throws Exception {
        filled("copies_untold");
        Properties properties = properties("copies_untold");
        properties.remove("ndb.sql");
        properties.remove("ndb.sql.user");
        NdbBinding db = opened(properties);
        try {
            assertThat(db.nodes().nodes()).isEmpty();
            assertThat(db.nodes().reason()).contains("without ndb.sql");
        } finally {
            db.cleanup();
        }
    }

    private static Nodes filled(String table) throws Exception {
        NdbBinding db = opened(properties(table));
        try {
            for (int row = 0; row < ROWS; row++) {
                byte[] value = ("v" + row).getBytes(StandardCharsets.UTF_8);
                assertThat(db.insert(table, "k" + row, Map.of("field0", new ByteArrayByteIterator(value))))
                        .isEqualTo(Status.OK);
            }
            return db.nodes();
        } finally {
            db.cleanup();
        }
    }

    private static Properties properties(String table) {
        Properties properties = running.properties(table);
        properties.setProperty("fieldcount", "1");
        return properties;
    }

    private static NdbBinding opened(String table, Node node) throws DBException {
        Properties properties = properties(table);
        properties.putAll(node.properties());
        return opened(properties);
    }

    private static NdbBinding opened(Properties properties) throws DBException {
        NdbBinding db = new NdbBinding();
        db.setProperties(properties);
        db.init();
        return db;
    }

    private static Map<String, Long> reads(String table) throws Exception {
        return sql(READS.formatted(table))
                .lines()
                .map(line -> line.split("\t"))
                .collect(Collectors.toMap(cells -> cells[0], cells -> Long.valueOf(cells[1])));
    }

    private static String sql(String statement) throws Exception {
        NdbProperties settings = NdbProperties.of(running.properties("usertable"));
        Optional<SqlNode> node = SqlNode.of(settings, RealCluster.installation(), System.getenv("PATH"));
        return node.orElseThrow().execute(List.of(statement));
    }
}

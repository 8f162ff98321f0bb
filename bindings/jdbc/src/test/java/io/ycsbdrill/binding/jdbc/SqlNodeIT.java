package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.StockWorkload;
import io.ycsbdrill.binding.WorkingThreads;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** Whole workloads on an NDB cluster's SQL node, and the loss of that node under load. */
@Tag("engine")
@ExtendWith(SqlNodeCluster.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SqlNodeIT {
    private static final int THREADS = 4;

    private static SqlNodeCluster.Running running;

    private final WorkingThreads workers = new WorkingThreads(THREADS);

    @BeforeAll
    static void cluster(SqlNodeCluster.Running cluster) {
        running = cluster;
    }

    @Test
    void theTableIsMadeInTheClusterAndNotInTheNodesOwnFiles() throws Exception {
        Properties properties = running.properties("made");
        opened(properties).cleanup();

        try (Connection connection = DriverManager.getConnection(properties.getProperty("db.url"), "ycsb", "");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(
                        "SELECT ENGINE FROM information_schema.TABLES WHERE TABLE_NAME = 'made'")) {
            assertThat(rows.next()).isTrue();
            assertThat(rows.getString(1)).isEqualToIgnoringCase("ndbcluster");
        }
    }

    @ParameterizedTest
    @CsvSource({"a,true", "b,true", "c,true", "d,true", "e,false", "f,false"})
    void workloadsReadBackWhatTheyWrote(String letter, String autoCommit) throws Exception {
        Properties properties = running.properties("integrity_" + letter);
        properties.setProperty("jdbc.autocommit", autoCommit);
        StockWorkload.readsBackWhatItWrote(letter, 200, 500, properties, SqlNodeIT::opened);
    }

    @Test
    void threadsSurviveTheLossOfTheSqlNode() throws Exception {
        Properties properties = running.properties("faults");
        properties.setProperty("fieldcount", "1");
        workers.start(number -> work(properties, number));
        workers.awaitMore("OK", 500);

        String[] command = running.killServer();
        workers.awaitMore("UNAVAILABLE", 20);
        assertThat(workers.count("UNKNOWN"))
                .as("one failure for each connection that broke")
                .isLessThanOrEqualTo(THREADS);
        long before = workers.count("UNAVAILABLE");
        Thread.sleep(3_000);
        assertThat(workers.count("UNAVAILABLE") - before)
                .as("operations that failed in 3 s on %d threads", THREADS)
                .isBetween(1L, THREADS * 100L);
        running.startServer(command);
        workers.awaitMore("OK", 500);

        workers.end();
        // A data node may still refuse the first transactions of a node that has just joined.
        assertThat(workers.statuses()).isSubsetOf("OK", "UNKNOWN", "UNAVAILABLE", "TEMPORARY");
    }

    /** Counts up a row of its own and reads it back; the data nodes live on, so nothing that was stored may be lost. */
    private void work(Properties properties, int number) throws DBException {
        JdbcBinding db = opened(properties);
        workers.connected();
        try {
            String key = "worker" + number;
            assertThat(workers.counted(db.insert("faults", key, value(0)))).isEqualTo(Status.OK);
            long surely = 0;
            long possibly = 0;
            for (long i = 1; !workers.over(); i++) {
                String updated =
                        workers.counted(db.update("faults", key, value(i))).getName();
                if (updated.equals("OK")) {
                    surely = i;
                }
                if (updated.equals("OK") || updated.equals("UNKNOWN")) {
                    possibly = i;
                }
                Map<String, ByteIterator> row = new HashMap<>();
                if (workers.counted(db.read("faults", key, null, row)).isOk()) {
                    long stored = Long.parseLong(text(row.get("field0")));
                    if (stored != surely && stored != possibly) {
                        workers.lie(key + ": surely " + surely + ", possibly " + possibly + ", read " + stored);
                    }
                    surely = stored;
                    possibly = stored;
                }
            }
        } finally {
            db.cleanup();
        }
    }

    private static JdbcBinding opened(Properties properties) throws DBException {
        JdbcBinding db = new JdbcBinding();
        db.setProperties(properties);
        db.init();
        return db;
    }

    private static String text(ByteIterator value) {
        return new String(value.toArray(), StandardCharsets.UTF_8);
    }

    private static Map<String, ByteIterator> value(long i) {
        Map<String, ByteIterator> row = new HashMap<>();
        row.put("field0", new ByteArrayByteIterator(Long.toString(i).getBytes(StandardCharsets.UTF_8)));
        return row;
    }
}

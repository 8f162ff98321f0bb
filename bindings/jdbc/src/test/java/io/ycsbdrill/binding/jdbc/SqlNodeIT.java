package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.StockWorkload;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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

    private final Map<String, AtomicLong> counts = new ConcurrentHashMap<>();
    private final List<String> lies = new ArrayList<>();
    private final CountDownLatch connected = new CountDownLatch(THREADS);
    private final AtomicBoolean stop = new AtomicBoolean();

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
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            int number = i;
            Thread thread = new Thread(() -> work(properties, number), "worker-" + i);
            thread.start();
            threads.add(thread);
        }
        assertThat(connected.await(100, TimeUnit.SECONDS))
                .as("all threads are connected; %s", lies)
                .isTrue();
        awaitMore("OK", 500);

        String[] command = running.killServer();
        awaitMore("UNAVAILABLE", 20);
        assertThat(count("UNKNOWN"))
                .as("one failure for each connection that broke")
                .isLessThanOrEqualTo(THREADS);
        long before = count("UNAVAILABLE");
        Thread.sleep(3_000);
        assertThat(count("UNAVAILABLE") - before)
                .as("operations that failed in 3 s on %d threads", THREADS)
                .isBetween(1L, THREADS * 100L);
        running.startServer(command);
        awaitMore("OK", 500);

        stop.set(true);
        for (Thread thread : threads) {
            thread.join(60_000);
            assertThat(thread.isAlive()).as(thread.getName() + " still runs").isFalse();
        }
        assertThat(lies).isEmpty();
        // A data node may still refuse the first transactions of a node that has just joined.
        assertThat(counts.keySet()).isSubsetOf("OK", "UNKNOWN", "UNAVAILABLE", "TEMPORARY");
    }

    /** Counts up a row of its own and reads it back; the data nodes live on, so nothing that was stored may be lost. */
    private void work(Properties properties, int number) {
        try {
            JdbcBinding db = opened(properties);
            connected.countDown();
            try {
                String key = "worker" + number;
                assertThat(counted(db.insert("faults", key, value(0)))).isEqualTo(Status.OK);
                long surely = 0;
                long possibly = 0;
                for (long i = 1; !stop.get(); i++) {
                    String updated = counted(db.update("faults", key, value(i))).getName();
                    if (updated.equals("OK")) {
                        surely = i;
                    }
                    if (updated.equals("OK") || updated.equals("UNKNOWN")) {
                        possibly = i;
                    }
                    Map<String, ByteIterator> row = new HashMap<>();
                    if (counted(db.read("faults", key, null, row)).isOk()) {
                        long stored = Long.parseLong(text(row.get("field0")));
                        if (stored != surely && stored != possibly) {
                            lie(key + ": surely " + surely + ", possibly " + possibly + ", read " + stored);
                        }
                        surely = stored;
                        possibly = stored;
                    }
                }
            } finally {
                db.cleanup();
            }
        } catch (DBException | RuntimeException | Error e) {
            lie(Thread.currentThread().getName() + ": " + e);
        }
    }

    private void lie(String text) {
        synchronized (lies) {
            lies.add(text);
        }
    }

    private Status counted(Status status) {
        counts.computeIfAbsent(status.getName(), name -> new AtomicLong()).incrementAndGet();
        return status;
    }

    private long count(String status) {
        AtomicLong count = counts.get(status);
        return count == null ? 0 : count.get();
    }

    private void awaitMore(String status, long more) throws InterruptedException {
        long target = count(status) + more;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (count(status) < target) {
            synchronized (lies) {
                assertThat(lies).isEmpty();
            }
            assertThat(System.nanoTime())
                    .as("time for %d more %s; so far %s", more, status, counts)
                    .isLessThan(end);
            Thread.sleep(20);
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

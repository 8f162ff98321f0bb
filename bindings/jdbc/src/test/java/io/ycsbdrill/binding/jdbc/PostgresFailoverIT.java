package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** Clients of a primary and its standby while the primary is killed, the standby promoted, and the old primary returns as a standby. */
@Tag("engine")
@Timeout(180)
@ExtendWith(PostgresServer.class)
class PostgresFailoverIT {
    private final List<JdbcBinding> bindings = new ArrayList<>();

    @AfterEach
    void closeAll() {
        bindings.forEach(JdbcBinding::cleanup);
    }

    @Test
    void clientsFindTheServerThatTakesWritesAndKeepToIt() throws Exception {
        try (PostgresPair pair = new PostgresPair()) {
            String hosts = "127.0.0.1:" + pair.port(0) + ",127.0.0.1:" + pair.port(1);
            Properties byHosts = properties("127.0.0.1", "db.hosts", hosts);
            // The table is missing, and the first server named, a standby, cannot make it.
            JdbcBinding standbyFirst = open(
                    0, properties("127.0.0.1", "db.hosts", "127.0.0.1:" + pair.port(1) + ",127.0.0.1:" + pair.port(0)));
            assertThat(standbyFirst.insert("usertable", "k", Map.of("field0", new StringByteIterator("v"))))
                    .isEqualTo(Status.OK);
            List<JdbcBinding> all = List.of(
                    open(0, byHosts),
                    open(1, byHosts),
                    open(0, properties(hosts, "db.reads", "primary")),
                    standbyFirst);
            JdbcBinding reader = open(1, properties("127.0.0.1", "db.hosts", hosts, "db.reads", "any"));
            for (int i = 0; i < 50; i++) {
                assertThat(all).allSatisfy(db -> assertThat(update(db)).isEqualTo(Status.OK));
            }
            assertThat(update(reader)).isEqualTo(Status.OK);
            await(() -> read(reader).isOk());
            assertThat(pair.ask(1, SESSIONS)).as("its reads are at the standby").isEqualTo("1");

            pair.kill(0);
            assertThat(all).allSatisfy(db -> assertThat(update(db)).isIn(Statuses.UNKNOWN, Statuses.UNAVAILABLE));
            assertThat(update(all.get(0))).isEqualTo(Statuses.UNAVAILABLE);
            assertThat(read(reader)).as("reads go on").isEqualTo(Status.OK);

            pair.promote(1);
            for (JdbcBinding db : all) {
                await(() -> update(db).isOk());
            }
            await(() -> update(reader).isOk());

            pair.rejoin(0);
            assertThat(pair.ask(0, "SELECT pg_is_in_recovery()")).isEqualTo("t");
            // Long enough for a probe and for a return after it.
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(4);
            while (System.nanoTime() < end) {
                assertThat(all).allSatisfy(db -> {
                    assertThat(update(db)).isEqualTo(Status.OK);
                    assertThat(read(db)).isEqualTo(Status.OK);
                });
                Thread.sleep(5);
            }
            assertThat(pair.ask(0, SESSIONS)).isEqualTo("0");

            assertThat(all).allSatisfy(db -> assertThat(db.guarantee().strong())
                    .as("reads of a client that writes are at the primary")
                    .isTrue());
            assertThat(reader.guarantee().strong()).isFalse();
            assertThat(all.get(0).nodes().nodes())
                    .as("the servers' copies can be compared")
                    .hasSize(2);
            assertThat(all.get(2).nodes().reason()).contains("name them by db.hosts");
        }
    }

    private static final String SESSIONS =
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'SELECT \"FIELD0\"%'";

    private static Properties properties(String hosts, String... more) {
        Properties properties = new Properties();
        properties.setProperty("db.url", "jdbc:postgresql://" + hosts + "/postgres?targetServerType=primary");
        if (hosts.equals("127.0.0.1")) {
            properties.setProperty("db.url", "jdbc:postgresql://127.0.0.1/postgres");
        }
        properties.setProperty("db.user", "ycsb");
        properties.setProperty("db.passwd", "secret");
        properties.setProperty("fieldcount", "1");
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        return properties;
    }

    private JdbcBinding open(int number, Properties properties) throws DBException {
        JdbcBinding db = new JdbcBinding();
        db.setProperties(properties);
        db.thread(number);
        bindings.add(db);
        db.init();
        return db;
    }

    private static Status update(JdbcBinding db) {
        return db.update("usertable", "k", Map.of("field0", new StringByteIterator("w")));
    }

    private static Status read(JdbcBinding db) {
        return db.read("usertable", "k", null, new HashMap<>());
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        JdbcThreadTest.await(condition);
    }
}

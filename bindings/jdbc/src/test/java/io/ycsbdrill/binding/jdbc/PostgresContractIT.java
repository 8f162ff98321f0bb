package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.BindingContract;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.StockWorkload;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/** With PostgreSQL's own driver and server. */
@Tag("engine")
@ExtendWith(PostgresServer.class)
class PostgresContractIT extends BindingContract {
    private static PostgresServer.Running running;

    @BeforeAll
    static void server(PostgresServer.Running server) {
        running = server;
    }

    @Override
    protected DB newDb() {
        return new JdbcBinding();
    }

    @Override
    protected Properties properties() {
        return running.properties(table());
    }

    @Override
    protected String table() {
        return "contract";
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
    void workloadsReadBackWhatTheyWrote(String letter) throws Exception {
        StockWorkload.readsBackWhatItWrote(letter, 200, 500, propertiesFor("workload" + letter), this::opened);
    }

    @Test
    void aKilledSessionIsUnavailableOnceAndThenReplaced() throws Exception {
        Properties properties = propertiesFor("killed");
        String session = properties.getProperty("table");
        properties.setProperty("db.url", running.url() + "?ApplicationName=" + session);
        DB db = opened(properties);
        try {
            assertThat(db.insert(session, "k", row())).isEqualTo(Status.OK);
            sql("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = '" + session
                    + "'");

            assertThat(db.read(session, "k", null, new HashMap<>())).isEqualTo(Statuses.UNAVAILABLE);
            assertThat(db.read(session, "k", null, new HashMap<>())).isEqualTo(Status.OK);
        } finally {
            db.cleanup();
        }
    }

    @Test
    void aRowThatIsLockedForTooLongIsTemporary() throws Exception {
        Properties properties = propertiesFor("locked");
        String locked = properties.getProperty("table");
        properties.setProperty("db.url", running.url() + "?options=-c%20lock_timeout=50ms");
        DB db = opened(properties);
        try (Connection other = DriverManager.getConnection(running.url(), "ycsb", "secret")) {
            assertThat(db.insert(locked, "k", row())).isEqualTo(Status.OK);
            other.setAutoCommit(false);
            try (Statement statement = other.createStatement()) {
                statement.executeUpdate("UPDATE " + locked + " SET \"FIELD0\" = 'x'");

                assertThat(db.update(locked, "k", row())).isEqualTo(Statuses.TEMPORARY);
            }
            other.rollback();

            assertThat(db.update(locked, "k", row())).isEqualTo(Status.OK);
        } finally {
            db.cleanup();
        }
    }

    @Test
    void aTimeLimitInTheUrlTakesPrecedence() throws Exception {
        ExecutorService both = Executors.newFixedThreadPool(2);
        try {
            Future<Status> ofUrl =
                    both.submit(() -> updateOfARowThatIsLockedForEightSeconds("limit_of_url", "?socketTimeout=120"));
            Future<Status> ofProperty =
                    both.submit(() -> updateOfARowThatIsLockedForEightSeconds("limit_of_property", ""));
            assertThat(ofUrl.get(60, TimeUnit.SECONDS)).isEqualTo(Status.OK);
            assertThat(ofProperty.get(60, TimeUnit.SECONDS)).isEqualTo(updateWithoutAnswer());
        } finally {
            both.shutdownNow();
        }
    }

    /** What an update is whose connection is given up before the server has answered. */
    protected Status updateWithoutAnswer() {
        return Statuses.UNKNOWN;
    }

    /** With db.socket.timeout=3s. */
    private Status updateOfARowThatIsLockedForEightSeconds(String test, String parameters) throws Exception {
        Properties properties = propertiesFor(test);
        String locked = properties.getProperty("table");
        properties.setProperty("db.url", running.url() + parameters);
        properties.setProperty("db.socket.timeout", "3s");
        DB db = opened(properties);
        ExecutorService unlocking = Executors.newSingleThreadExecutor();
        try (Connection other = DriverManager.getConnection(running.url(), "ycsb", "secret");
                Statement statement = other.createStatement()) {
            assertThat(db.insert(locked, "k", row())).isEqualTo(Status.OK);
            other.setAutoCommit(false);
            statement.executeUpdate("UPDATE " + locked + " SET \"FIELD0\" = 'x'");
            Future<?> unlocked = unlocking.submit(() -> {
                Thread.sleep(8000);
                other.rollback();
                return null;
            });

            Status status = db.update(locked, "k", row());

            unlocked.get(60, TimeUnit.SECONDS);
            return status;
        } finally {
            unlocking.shutdownNow();
            db.cleanup();
        }
    }

    @Test
    void aTableMadeByHandAsForTheStockBindingIsUsed() throws Exception {
        Properties properties = propertiesFor("stock");
        String stock = properties.getProperty("table");
        sql("CREATE TABLE " + stock + " (ycsb_key VARCHAR(255) PRIMARY KEY, field0 TEXT, field1 TEXT)");
        properties.setProperty("fieldcount", "2");
        DB db = opened(properties);
        try {
            assertThat(db.insert(stock, "k", row())).isEqualTo(Status.OK);
            Map<String, ByteIterator> result = new HashMap<>();
            assertThat(db.read(stock, "k", null, result)).isEqualTo(Status.OK);
            assertThat(result.get("field0")).hasToString("text");
        } finally {
            db.cleanup();
        }
    }

    private Properties propertiesFor(String test) {
        Properties properties = properties();
        properties.setProperty("table", table() + "_" + test);
        return properties;
    }

    private static Map<String, ByteIterator> row() {
        return Map.of("field0", new ByteArrayByteIterator("text".getBytes(StandardCharsets.UTF_8)));
    }

    private DB opened(Properties properties) throws DBException {
        DB db = newDb();
        db.setProperties(properties);
        db.init();
        return db;
    }

    private static void sql(String text) throws SQLException {
        try (Connection connection = DriverManager.getConnection(running.url(), "ycsb", "secret");
                Statement statement = connection.createStatement()) {
            if (statement.execute(text)) {
                try (ResultSet rows = statement.getResultSet()) {
                    assertThat(rows.next()).isTrue();
                }
            }
        }
    }
}

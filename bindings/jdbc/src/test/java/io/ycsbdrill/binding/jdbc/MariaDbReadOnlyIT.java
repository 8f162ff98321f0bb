package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Statuses;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** A server that becomes read-only under its clients, as a switchover makes it, and takes writes again. */
@Tag("engine")
@ExtendWith(MariaDbServer.class)
class MariaDbReadOnlyIT {

    @ParameterizedTest
    @ValueSource(strings = {"mysql", "mariadb"})
    void isLeftByThreadsThatWriteUntilItTakesWritesAgain(String driver, MariaDbServer.Running server) throws Exception {
        Properties properties = server.properties("read_only_" + driver);
        properties.setProperty("db.url", "jdbc:" + driver + "://127.0.0.1:" + server.port() + "/ycsb");
        properties.setProperty("fieldcount", "1");
        JdbcBinding writer = open(properties);
        JdbcBinding reader = open(properties);
        Properties anywhere = new Properties();
        anywhere.putAll(properties);
        anywhere.setProperty("db.reads", "any");
        JdbcBinding lenient = open(anywhere);
        try {
            assertThat(writer.insert(properties.getProperty("table"), "k", values()))
                    .isEqualTo(Status.OK);
            assertThat(read(reader, properties)).isEqualTo(Status.OK);

            set(server, "ON");
            assertThat(update(writer, properties)).as("refused, and not done").isEqualTo(Statuses.UNAVAILABLE);
            assertThat(writer.reconnects()).singleElement().satisfies(loss -> assertThat(loss.lost())
                    .isEqualTo(1));
            assertThat(update(writer, properties)).isEqualTo(Statuses.UNAVAILABLE);
            assertThat(read(reader, properties))
                    .as("the client has written, and may not see less than that")
                    .isEqualTo(Statuses.UNAVAILABLE);
            assertThat(read(lenient, anywhere)).isEqualTo(Status.OK);

            set(server, "OFF");
            JdbcThreadTest.await(() -> update(writer, properties).isOk());
        } finally {
            set(server, "OFF");
            writer.cleanup();
            reader.cleanup();
            lenient.cleanup();
        }
    }

    private static JdbcBinding open(Properties properties) throws DBException {
        JdbcBinding db = new JdbcBinding();
        db.setProperties(properties);
        db.init();
        return db;
    }

    private static Status update(JdbcBinding db, Properties properties) {
        return db.update(properties.getProperty("table"), "k", values());
    }

    private static Status read(JdbcBinding db, Properties properties) {
        return db.read(properties.getProperty("table"), "k", null, new HashMap<>());
    }

    private static Map<String, ByteIterator> values() {
        return Map.of("field0", new StringByteIterator("v"));
    }

    private static void set(MariaDbServer.Running server, String value) throws SQLException {
        try (Connection root =
                        DriverManager.getConnection("jdbc:mariadb://127.0.0.1:" + server.port() + "/", "root", "");
                Statement statement = root.createStatement()) {
            statement.execute("SET GLOBAL read_only = " + value);
        }
    }
}

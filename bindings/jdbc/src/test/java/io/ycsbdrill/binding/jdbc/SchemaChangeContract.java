package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.base.TableSchema.Change;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;

/** A table whose schema changes under its clients. */
abstract class SchemaChangeContract {
    static final Duration BOUND = Duration.ofMinutes(1);

    private final List<JdbcBinding> open = new ArrayList<>();

    /** Of a table of its own. */
    abstract Properties properties();

    private JdbcBinding client() throws DBException {
        Properties properties = properties();
        properties.setProperty("fieldcount", "2");
        JdbcBinding db = new JdbcBinding();
        db.setProperties(properties);
        db.init();
        open.add(db);
        return db;
    }

    @AfterEach
    void close() throws DBException {
        for (JdbcBinding db : open) {
            db.cleanup();
        }
    }

    /** Those that have connected meanwhile would ask for a column that is gone, for ever. */
    @Test
    void clientsSeeTheSameFieldsBeforeMeanwhileAndAfter() throws Exception {
        JdbcBinding before = client();
        assertThat(before.insert(table(), "k", values("1"))).isEqualTo(Status.OK);
        JdbcTable schema = JdbcTable.of(properties(), Map.of());

        schema.make(Change.ADD_COLUMN, BOUND);
        schema.make(Change.CREATE_INDEX, BOUND);

        assertThat(schema.has(Change.ADD_COLUMN)).isTrue();
        assertThat(schema.has(Change.CREATE_INDEX)).isTrue();
        JdbcBinding meanwhile = client();
        for (JdbcBinding each : open) {
            assertThat(read(each)).containsOnlyKeys("field0", "field1").containsEntry("field0", "1");
            assertThat(each.update(table(), "k", values("1"))).isEqualTo(Status.OK);
        }
        assertThat(meanwhile.insert(table(), "l", values("2"))).isEqualTo(Status.OK);

        schema.make(Change.REORGANISE, BOUND);
        schema.make(Change.DROP_INDEX, BOUND);
        schema.make(Change.DROP_COLUMN, BOUND);

        assertThat(schema.has(Change.ADD_COLUMN)).isFalse();
        assertThat(schema.has(Change.CREATE_INDEX)).isFalse();
        client();
        for (JdbcBinding each : open) {
            assertThat(read(each)).containsOnlyKeys("field0", "field1").containsEntry("field0", "1");
            assertThat(each.update(table(), "k", values("1"))).isEqualTo(Status.OK);
        }
    }

    @Test
    void whatTheServerRefusesIsAnErrorWithItsMessage() throws Exception {
        client();
        JdbcTable schema = JdbcTable.of(properties(), Map.of());

        assertThatThrownBy(() -> schema.make(Change.DROP_INDEX, BOUND))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("ycsb_drill_index")
                .hasMessageContaining("SQLSTATE");
    }

    /** One of a process that was killed goes on. */
    @Test
    void aServerAtWorkIsWaitedFor() throws Exception {
        client();
        JdbcTable schema = JdbcTable.of(properties(), Map.of());
        schema.awaitIdle(Duration.ZERO);
        try (Connection holder = connect();
                Statement holding = holder.createStatement();
                Connection other = connect();
                Statement working = other.createStatement()) {
            holder.setAutoCommit(false);
            holding.executeQuery("SELECT * FROM " + table()).close();
            Thread killed = new Thread(() -> {
                try {
                    working.execute("ALTER TABLE " + table() + " ADD COLUMN ycsb_drill_column INTEGER");
                } catch (SQLException e) {
                    // It is judged by what the others see.
                }
            });
            killed.start();
            while (idle(schema)) {
                Thread.onSpinWait();
            }
            assertThatThrownBy(() -> schema.awaitIdle(Duration.ZERO)).hasMessageContaining("still at work");

            holder.rollback();
            schema.awaitIdle(BOUND);
            killed.join();
            assertThat(schema.has(Change.ADD_COLUMN)).isTrue();
            assertThatThrownBy(() -> schema.make(Change.ADD_COLUMN, BOUND))
                    .isInstanceOf(TableSchema.AlreadyThereException.class);
            schema.make(Change.DROP_COLUMN, BOUND);
        }
    }

    private static boolean idle(JdbcTable schema) {
        try {
            schema.awaitIdle(Duration.ZERO);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    Connection connect() throws Exception {
        JdbcSettings settings = JdbcSettings.of(properties(), Map.of());
        return new Connector(settings).open(settings.url(0));
    }

    private String table() {
        return properties().getProperty("table");
    }

    private Map<String, String> read(JdbcBinding db) {
        Map<String, ByteIterator> found = new HashMap<>();
        assertThat(db.read(table(), "k", null, found)).isEqualTo(Status.OK);
        Map<String, String> texts = new HashMap<>();
        found.forEach((field, value) -> texts.put(field, value.toString()));
        return texts;
    }

    private static Map<String, ByteIterator> values(String value) {
        return Map.of("field0", new StringByteIterator(value), "field1", new StringByteIterator("x"));
    }
}

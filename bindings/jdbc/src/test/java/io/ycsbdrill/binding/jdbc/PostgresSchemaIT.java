package io.ycsbdrill.binding.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.base.TableSchema.Change;
import java.sql.Connection;
import java.sql.Statement;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("engine")
@ExtendWith(PostgresServer.class)
class PostgresSchemaIT extends SchemaChangeContract {
    private static PostgresServer.Running running;

    @BeforeAll
    static void server(PostgresServer.Running server) {
        running = server;
    }

    @Override
    Properties properties() {
        return running.properties("schema_change");
    }

    /** Names of indexes are those of a schema, not of a table. */
    @Test
    void theIndexOfAnotherTableIsLeftAlone() throws Exception {
        JdbcTable schema = JdbcTable.of(properties(), Map.of());
        try (Connection connection = connect();
                Statement sql = connection.createStatement()) {
            sql.execute("CREATE TABLE schema_other (id INTEGER)");
            sql.execute("CREATE TABLE IF NOT EXISTS schema_change (ycsb_key VARCHAR(10), field0 VARCHAR(10))");
            sql.execute("CREATE INDEX ycsb_drill_index ON schema_other (id)");

            assertThatThrownBy(() -> schema.make(Change.DROP_INDEX, BOUND)).hasMessageContaining("has no index");
            assertThatThrownBy(() -> schema.make(Change.CREATE_INDEX, BOUND))
                    .isInstanceOf(TableSchema.AlreadyThereException.class);

            sql.execute("DROP INDEX ycsb_drill_index"); // fails when it is gone
            sql.execute("DROP TABLE schema_other");
        }
    }
}

package io.ycsbdrill.binding.jdbc;

import java.util.Properties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
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
}

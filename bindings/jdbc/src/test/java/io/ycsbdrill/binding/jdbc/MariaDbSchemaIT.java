package io.ycsbdrill.binding.jdbc;

import java.util.Properties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("engine")
@ExtendWith(MariaDbServer.class)
class MariaDbSchemaIT extends SchemaChangeContract {
    private static MariaDbServer.Running running;

    @BeforeAll
    static void server(MariaDbServer.Running server) {
        running = server;
    }

    @Override
    Properties properties() {
        return running.properties("schema_change");
    }
}

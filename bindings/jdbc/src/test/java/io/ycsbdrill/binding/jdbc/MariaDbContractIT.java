package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BindingContract;
import java.util.Properties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import site.ycsb.DB;

/** With Connector/J. */
@Tag("engine")
@ExtendWith(MariaDbServer.class)
class MariaDbContractIT extends BindingContract {
    private static MariaDbServer.Running running;

    @BeforeAll
    static void server(MariaDbServer.Running server) {
        running = server;
    }

    @Override
    protected DB newDb() {
        return new JdbcBinding();
    }

    /** What comes before the host in the URL. */
    String scheme() {
        return "jdbc:mysql://";
    }

    @Override
    protected Properties properties() {
        Properties properties = running.properties("contract");
        properties.setProperty("db.url", scheme() + "127.0.0.1:" + running.port() + "/ycsb");
        properties.setProperty("db.table.fieldtype", "MEDIUMBLOB");
        return properties;
    }

    @Override
    protected String table() {
        return "contract";
    }
}

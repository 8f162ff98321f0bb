package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.TransactionsContract;
import java.util.Properties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import site.ycsb.DB;

@Tag("engine")
@ExtendWith(MariaDbServer.class)
class MariaDbTransactionsContractIT extends TransactionsContract {
    private static final String TABLE = "txcontract";

    private static MariaDbServer.Running running;

    @BeforeAll
    static void server(MariaDbServer.Running server) {
        running = server;
    }

    @Override
    protected DB newDb() {
        return new JdbcBinding();
    }

    @Override
    protected Properties properties() {
        return running.properties(TABLE);
    }

    @Override
    protected String table() {
        return TABLE;
    }
}

package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.TransactionsContract;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import site.ycsb.DB;
import site.ycsb.DBException;

@Tag("engine")
@ExtendWith(RealCluster.class)
class NdbTransactionsIT extends TransactionsContract {
    private static final String TABLE = "transactions";

    private static RealCluster.Running running;
    private static NdbBinding keepsTheConnection;

    @BeforeAll
    static void connect(RealCluster.Running cluster) throws DBException {
        running = cluster;
        keepsTheConnection = new NdbBinding();
        keepsTheConnection.setProperties(running.properties(TABLE));
        keepsTheConnection.init();
    }

    @AfterAll
    static void disconnect() {
        if (keepsTheConnection != null) {
            keepsTheConnection.cleanup();
        }
    }

    @Override
    protected DB newDb() {
        return new NdbBinding();
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

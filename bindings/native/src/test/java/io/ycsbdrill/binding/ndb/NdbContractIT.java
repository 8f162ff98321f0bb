package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.BindingContract;
import java.util.Properties;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import site.ycsb.DB;
import site.ycsb.DBException;

@Tag("engine")
@ExtendWith(RealCluster.class)
class NdbContractIT extends BindingContract {
    private static RealCluster.Running running;
    private static NdbBinding keepsTheConnection;

    @BeforeAll
    static void connect(RealCluster.Running cluster) throws DBException {
        running = cluster;
        keepsTheConnection = new NdbBinding();
        keepsTheConnection.setProperties(own());
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
        return own();
    }

    @Override
    protected String table() {
        return "contract";
    }

    /** Ten such fields fill NDB's largest row. */
    @Override
    protected int maxValueBytes() {
        return 2_900;
    }

    private static Properties own() {
        Properties properties = running.properties("contract");
        properties.setProperty("fieldlength", "2900");
        return properties;
    }
}

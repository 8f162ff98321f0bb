package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BindingContract;
import java.util.Properties;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import site.ycsb.DB;

@Tag("engine")
@ExtendWith(SqlNodeCluster.class)
class SqlNodeContractIT extends BindingContract {
    private static SqlNodeCluster.Running running;

    @BeforeAll
    static void cluster(SqlNodeCluster.Running cluster) {
        running = cluster;
    }

    @Override
    protected DB newDb() {
        return new JdbcBinding();
    }

    @Override
    protected Properties properties() {
        Properties properties = running.properties("contract");
        properties.setProperty("fieldlength", "2900");
        return properties;
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
}

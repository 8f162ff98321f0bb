package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.Statuses;
import java.util.Properties;
import site.ycsb.Status;

/** With explicit transactions, which PostgreSQL aborts at the first error, and scans by portions, which it makes of them. */
class PostgresTransactionsIT extends PostgresContractIT {
    @Override
    protected Properties properties() {
        Properties properties = super.properties();
        properties.setProperty("jdbc.autocommit", "false");
        properties.setProperty("jdbc.fetchsize", "3");
        return properties;
    }

    @Override
    protected String table() {
        return "transactions";
    }

    /** It had not been committed. */
    @Override
    protected Status updateWithoutAnswer() {
        return Statuses.UNAVAILABLE;
    }
}

package io.ycsbdrill.binding.jdbc;

import java.util.Properties;

/** With MariaDB's own driver and explicit transactions. */
class MariaDbDriverContractIT extends MariaDbContractIT {
    @Override
    String scheme() {
        return "jdbc:mariadb://";
    }

    @Override
    protected Properties properties() {
        Properties properties = super.properties();
        properties.setProperty("jdbc.autocommit", "false");
        return properties;
    }
}

package io.ycsbdrill.binding.jdbc;

import java.util.Properties;

/** With Connector/J in place of the driver that {@code cluster up} chooses. */
class SqlNodeConnectorJContractIT extends SqlNodeContractIT {
    @Override
    protected Properties properties() {
        Properties properties = super.properties();
        properties.setProperty(
                "db.url", properties.getProperty("db.url").replaceFirst("^jdbc:mariadb:", "jdbc:mysql:"));
        return properties;
    }
}

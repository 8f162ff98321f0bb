package io.ycsbdrill.binding.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Whether a server takes writes, asked of the server: a standby accepts connections and serves reads as well as its primary. */
final class Role {
    /** Asks MySQL, MariaDB and NDB's SQL nodes; names that a server does not know are left out. */
    private static final String MYSQL = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('super_read_only', 'read_only',"
            + " 'innodb_read_only', 'wsrep_on')";

    /** Off in a part of a Galera cluster without majority, which may serve reads ({@code wsrep_dirty_reads}). */
    private static final String GALERA = "SHOW GLOBAL STATUS LIKE 'wsrep_ready'";

    /** On in recovery, and where the server or the database has been set so. */
    private static final String POSTGRESQL = "SHOW transaction_read_only";

    /**
     * By what it is known that the server takes no writes; empty when it takes them, or when its kind has no such roles.
     *
     * @throws SQLException when it does not answer
     */
    static Optional<String> readOnly(Connection connection, JdbcUrl url) throws SQLException {
        if (url.isMysql()) {
            Map<String, String> variables = values(connection, MYSQL);
            if ("ON".equals(variables.remove("wsrep_on"))
                    && values(connection, GALERA).containsValue("OFF")) {
                return Optional.of("wsrep_ready is OFF");
            }
            return variables.entrySet().stream()
                    .filter(each -> !each.getValue().equals("OFF"))
                    .map(each -> each.getKey() + " is " + each.getValue())
                    .findFirst();
        }
        if (url.isPostgresql() && Dialect.of(connection) == Dialect.POSTGRESQL) {
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(POSTGRESQL)) {
                return row.next() && "on".equals(row.getString(1))
                        ? Optional.of("transaction_read_only is on, as on a standby (pg_is_in_recovery())")
                        : Optional.empty();
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> values(Connection connection, String question) throws SQLException {
        Map<String, String> values = new TreeMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(question)) {
            while (rows.next()) {
                values.put(rows.getString(1), rows.getString(2));
            }
        }
        return values;
    }
}

package io.ycsbdrill.binding.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Variables and figures of a MySQL server. */
final class ServerFacts {
    private ServerFacts() {}

    /**
     * Asks the server on a separate connection.
     *
     * @param question {@code SHOW GLOBAL %s ...}: asked once for the server's variables and once for its status
     * @return values by name
     */
    static Map<String, String> of(Connector connector, JdbcUrl url, String question) throws SQLException {
        Map<String, String> facts = new HashMap<>();
        try (Connection connection = connector.open(url);
                Statement statement = connection.createStatement()) {
            for (String what : List.of("VARIABLES", "STATUS")) {
                try (ResultSet rows = statement.executeQuery(question.formatted(what))) {
                    while (rows.next()) {
                        facts.put(rows.getString(1), rows.getString(2));
                    }
                }
            }
        }
        return facts;
    }
}

package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.NodeReads.Node;
import io.ycsbdrill.binding.NodeReads.Nodes;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads a PostgreSQL primary and its standbys each on its own: all have all rows, a standby as soon as it has applied them. Owned by
 * one thread.
 *
 * @param urls one server each
 * @param settle within which a standby has applied what is no longer written
 */
record PostgresqlNodes(List<JdbcUrl> urls, Witness witness, Duration settle) {
    /** The same for a primary and its standbys, and for no other server. */
    private static final String IDENTITY = "SELECT system_identifier FROM pg_control_system()";

    private static final String NO_SUCH_SETTING = "42704";

    PostgresqlNodes {
        urls = List.copyOf(urls);
    }

    /** Asks a server of which cluster it is. */
    interface Witness {
        /**
         * The cluster's identity; empty when it is no PostgreSQL.
         *
         * @throws SQLException when the server does not answer
         */
        Optional<String> ask(JdbcUrl url) throws SQLException;
    }

    /** @throws SQLException when no server answers */
    Nodes nodes() throws SQLException {
        if (urls.get(0).severalServers()) {
            return Nodes.none("with several servers in db.url the driver chooses one; name them by db.hosts");
        }
        List<Node> nodes = new ArrayList<>();
        Set<String> identities = new HashSet<>();
        SQLException silence = new SQLException("no server is named");
        for (JdbcUrl url : urls) {
            try {
                Optional<String> identity = witness.ask(url);
                if (identity.isEmpty()) {
                    return Nodes.none(
                            "only the servers of a Galera cluster, or a PostgreSQL primary and its standbys, are"
                                    + " known to have all rows each");
                }
                identities.add(identity.get());
            } catch (SQLException e) {
                silence = e; // it may be down: it is read, and found to be unreadable
            }
            nodes.add(node(url));
        }
        if (identities.isEmpty()) {
            throw silence;
        }
        if (urls.size() == 1) {
            return Nodes.none(
                    "one server is named, which may be a proxy; name the primary and its standbys by db.hosts");
        }
        if (identities.size() > 1) {
            return Nodes.none("the servers of db.hosts are not one primary and its standbys: they have "
                    + identities.size() + " system identifiers");
        }
        return new Nodes(nodes, nodes.size(), settle, "");
    }

    /** What the server is, asked on a separate connection. */
    static Optional<String> identity(Connector connector, JdbcUrl url) throws SQLException {
        try (Connection connection = connector.open(url)) {
            if (Dialect.of(connection) != Dialect.POSTGRESQL) {
                return Optional.empty();
            }
            try (Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(IDENTITY)) {
                return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
            }
        }
    }

    /**
     * Whether the first of the servers that answers is PostgreSQL, and answers everything that is sent on one connection to it. A proxy that
     * knows statements, and may send each to another server, has connections of its own: PgBouncer, PgCat and Odyssey give the client a
     * process id that is no server's; pgpool-II gives the primary's, and says what it is, though only to a simple query. A proxy that
     * passes bytes on, such as HAProxy, is as good as none: each connection to a standby is known as such.
     */
    static boolean direct(Connector connector, List<JdbcUrl> urls) {
        for (JdbcUrl url : urls) {
            if (!url.isPostgresql()) {
                return false;
            }
            try (Connection connection = connector.open(url.with("preferQueryMode", "simple"))) {
                return Dialect.of(connection) == Dialect.POSTGRESQL && direct(connection);
            } catch (SQLException e) {
                // It may be down.
            }
        }
        return false;
    }

    /** @param connection of simple queries */
    static boolean direct(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
                Object told = connection.getClass().getMethod("getBackendPID").invoke(connection);
                if (!row.next() || !told.equals(row.getInt(1))) {
                    return false;
                }
            } catch (ReflectiveOperationException e) {
                return false; // another driver, which does not say
            }
            try {
                statement.execute("SHOW pool_version");
                return false;
            } catch (SQLException e) {
                return NO_SUCH_SETTING.equals(e.getSQLState());
            }
        }
    }

    private static Node node(JdbcUrl url) {
        return new Node(
                url.host(),
                Map.of("db.url", url.text(), "db.hosts", url.host(), "db.reads", "any", "db.table.create", "false"));
    }
}

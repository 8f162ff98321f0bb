package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BadRequestException;
import io.ycsbdrill.binding.servers.Servers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.DBException;

/** Makes sure, once per process, that the workload's table exists and that its rows fit. */
record TableSetup(JdbcSettings settings) {
    private static final Logger LOG = LoggerFactory.getLogger(TableSetup.class);

    /**
     * Uses the first server that accepts a connection.
     *
     * @return the server's product and version
     * @throws DBException saying what does not fit, why the table could not be made, or why no server can be reached
     */
    String ensure(Connector connector) throws DBException {
        StringBuilder reasons = new StringBuilder();
        for (JdbcUrl url : settings.servers()) {
            Connection connection;
            try {
                connection = connector.open(url);
            } catch (SQLException | RuntimeException e) {
                reasons.append("; ")
                        .append(url.shown())
                        .append(": ")
                        .append(Servers.line(e))
                        .append(login(e));
                continue;
            }
            try (connection) {
                Optional<String> standby = withoutTable(connection, url);
                if (standby.isPresent()) {
                    reasons.append("; ")
                            .append(url.shown())
                            .append(": has no table ")
                            .append(settings.table())
                            .append(" and takes no writes: ")
                            .append(standby.get());
                    continue;
                }
                ensure(connection);
                var server = connection.getMetaData();
                return server.getDatabaseProductName() + " " + server.getDatabaseProductVersion();
            } catch (SQLException e) {
                throw new DBException("table " + settings.table() + " at " + url.shown() + ": " + Servers.line(e), e);
            }
        }
        throw new DBException("no server can be used" + reasons);
    }

    /** By what it is known that the table is not there and cannot be made there; empty when it is, or can be. */
    private Optional<String> withoutTable(Connection connection, JdbcUrl url) throws DBException, SQLException {
        try {
            shape(connection);
            return Optional.empty();
        } catch (SQLException e) {
            rollback(connection);
            return missing(e) ? Role.readOnly(connection, url) : Optional.empty();
        }
    }

    /** MySQL names an authentication method at random for a user that it does not know, and the driver complains of that. */
    private String login(Exception failure) {
        if (!JdbcStatuses.loginRefused(Failure.of(failure, false, settings.mysql()))) {
            return "";
        }
        return settings.user().isEmpty()
                ? " (db.user is not set)"
                : " (check db.user=" + settings.user() + " and its password, db.passwd.file)";
    }

    private void ensure(Connection connection) throws DBException, SQLException {
        TableShape shape;
        try {
            shape = shape(connection);
        } catch (SQLException e) {
            if (!missing(e)) {
                throw e;
            }
            rollback(connection);
            make(connection);
            shape = shape(connection);
        }
        if (!shape.dialect().transactions() && !settings.autoCommit()) {
            throw new DBException("jdbc.autocommit=false: CrateDB has no transactions; expected true");
        }
        rollback(connection);
        List<String> problems = problems(shape, settings);
        if (!problems.isEmpty()) {
            throw new DBException(
                    "table " + settings.table() + " does not fit the workload: " + String.join("; ", problems));
        }
    }

    private TableShape shape(Connection connection) throws SQLException, DBException {
        try {
            return TableShape.of(connection, settings.table(), settings.fieldNames());
        } catch (BadRequestException e) {
            throw new DBException(e.getMessage(), e);
        }
    }

    private void make(Connection connection) throws DBException, SQLException {
        if (!settings.createTable()) {
            throw new DBException("table " + settings.table() + " does not exist, and db.table.create=false");
        }
        String quote = connection.getMetaData().getIdentifierQuoteString();
        Optional<String> engine = settings.engine();
        if (engine.isEmpty() && settings.mysql() && hasNdb(connection)) {
            engine = Optional.of("NDBCLUSTER");
        }
        Dialect dialect = Dialect.of(connection);
        if (dialect != Dialect.CRATEDB
                && (settings.shards() > 0 || settings.replicas().isPresent())) {
            throw new DBException("db.table.shards and db.table.replicas are for CrateDB only; leave them unset for "
                    + connection.getMetaData().getDatabaseProductName());
        }
        String sql = definition(settings, dialect, quote == null ? "" : quote.strip(), engine);
        LOG.info("creating the table: {}", sql);
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
        if (!settings.autoCommit()) {
            connection.commit();
        }
    }

    /** The statement that creates the table, in the shape of the native binding's, so that both can use it. Pure. */
    static String definition(JdbcSettings settings, Dialect dialect, String quote, Optional<String> engine) {
        StringBuilder sql = new StringBuilder("CREATE TABLE IF NOT EXISTS "
                + TableShape.quoted(quote, settings.table()) + " (" + TableShape.quoted(quote, TableShape.KEY) + ' '
                + settings.keyType().orElse(dialect.keyType()) + " NOT NULL PRIMARY KEY");
        String type = settings.fieldType().orElse(dialect.fieldType(settings.fieldLength()));
        for (String field : settings.fieldNames()) {
            sql.append(", " + TableShape.quoted(quote, field.toUpperCase(Locale.ROOT)) + ' ' + type);
        }
        sql.append(')');
        engine.ifPresent(name -> sql.append(" ENGINE=" + name));
        if (settings.shards() > 0) {
            sql.append(" CLUSTERED INTO " + settings.shards() + " SHARDS");
        }
        settings.replicas().ifPresent(number -> sql.append(" WITH (number_of_replicas = '" + number + "')"));
        return sql.toString();
    }

    /** Lists what is wrong with an existing table; empty if nothing. Pure. */
    static List<String> problems(TableShape shape, JdbcSettings settings) {
        Map<String, Column> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        shape.fields().forEach(column -> columns.put(column.name(), column));
        List<String> absent = new ArrayList<>();
        List<String> tooShort = new ArrayList<>();
        for (String field : settings.fieldNames()) {
            Column column = columns.get(field);
            if (column == null) {
                absent.add(field);
            } else if (column.capacity() > 0 && column.capacity() < settings.fieldLength()) {
                tooShort.add(column.name() + " (" + column.capacity() + ")");
            }
        }
        List<String> problems = new ArrayList<>();
        if (!absent.isEmpty()) {
            problems.add("fieldcount=" + settings.fieldCount() + ", but there is no column " + String.join(", ", absent)
                    + "; there are " + columns.keySet());
        }
        if (!tooShort.isEmpty()) {
            problems.add("fieldlength=" + settings.fieldLength() + ", but columns hold less: "
                    + String.join(", ", tooShort));
        }
        return problems;
    }

    /** On an SQL node the table must be stored in the cluster, not in the node's own files. */
    private static boolean hasNdb(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT SUPPORT FROM information_schema.ENGINES"
                        + " WHERE ENGINE = 'ndbcluster' AND SUPPORT IN ('YES', 'DEFAULT')")) {
            return rows.next();
        }
    }

    private static boolean missing(SQLException e) {
        return "42S02".equals(e.getSQLState()) || "42P01".equals(e.getSQLState());
    }

    private void rollback(Connection connection) throws SQLException {
        if (!settings.autoCommit()) {
            connection.rollback();
        }
    }
}

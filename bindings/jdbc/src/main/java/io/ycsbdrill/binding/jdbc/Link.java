package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BadRequestException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/** One open connection with the statements prepared on it, which are closed with it. Owned by one thread. */
final class Link implements AutoCloseable {
    private final Connection connection;
    private final JdbcSettings settings;
    private final List<String> fieldNames;
    private final Map<String, TableRows> tables = new HashMap<>();
    private String lastName;
    private TableRows last;
    private boolean sent;
    /** Whether each statement is committed by the server; once a transaction was begun, it no longer is. */
    private boolean autoCommit;

    private boolean inTransaction;

    Link(Connection connection, JdbcSettings settings) {
        this.connection = connection;
        this.settings = settings;
        this.fieldNames = settings.fieldNames();
        autoCommit = settings.autoCommit();
    }

    /** By what it is known that the server takes no writes; empty when it takes them. */
    Optional<String> readOnly(JdbcUrl url) throws SQLException {
        Optional<String> reason = Role.readOnly(connection, url);
        commitNow();
        return reason;
    }

    TableRows rows(String table) throws SQLException, BadRequestException {
        if (table.equals(lastName)) {
            return last;
        }
        TableRows rows = tables.get(table);
        if (rows == null) {
            rows = new TableRows(connection, TableShape.of(connection, table, fieldNames), settings.fetchSize());
            commitNow();
            tables.put(table, rows);
        }
        lastName = table;
        last = rows;
        return rows;
    }

    /** Discards what is known of the table, because it is out of date. */
    void forget(String table) {
        TableRows rows = tables.remove(table);
        lastName = null;
        last = null;
        if (rows != null) {
            rows.close();
        }
    }

    /** From now on operations belong to one transaction, until {@link #commit()} or {@link #rollback}. */
    void beginTransaction() throws SQLException {
        if (autoCommit) {
            connection.setAutoCommit(false);
            autoCommit = false;
        }
        inTransaction = true;
    }

    /** Commits what {@link #beginTransaction} has begun. */
    void commitTransaction() throws SQLException {
        inTransaction = false;
        sent = true;
        connection.commit();
    }

    /** Marks the start of an operation: nothing of it has been sent. */
    void begin() {
        sent = false;
    }

    /** Marks the point from which what is sent can take effect; without autocommit that is the commit. */
    void sending() {
        sent = autoCommit;
    }

    /** Whether anything was sent that can have taken effect. */
    boolean sent() {
        return sent;
    }

    /** Ends the transaction of one operation, when it does not end by itself and is no part of a larger one. */
    void commit() throws SQLException {
        if (!autoCommit && !inTransaction) {
            sent = true;
            connection.commit();
        }
    }

    /** Ends a transaction that failed; false when that does not work, so that the connection cannot be used again. */
    boolean rollback() {
        inTransaction = false;
        if (autoCommit) {
            return true;
        }
        try {
            connection.rollback();
            return true;
        } catch (SQLException | RuntimeException e) {
            return false;
        }
    }

    /** Whether the driver itself has closed the connection. */
    boolean isClosed() {
        try {
            return connection.isClosed();
        } catch (SQLException | RuntimeException e) {
            return true;
        }
    }

    /** Closes the connection without waiting for the server, which may be gone. */
    void abort() {
        try {
            Executor here = Runnable::run;
            connection.abort(here);
        } catch (SQLException | RuntimeException | AbstractMethodError e) {
            close();
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException | RuntimeException e) {
            // It is gone, one way or the other.
        }
    }

    private void commitNow() throws SQLException {
        if (!autoCommit && !inTransaction) {
            connection.commit();
        }
    }
}

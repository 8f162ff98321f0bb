package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.binding.BadRequestException;
import java.io.IOException;
import java.net.ConnectException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.DBException;

/** The workload's table through a connection of its own to the first server that takes writes. Thread-safe. */
final class JdbcTable implements TableSchema {
    /** Begins the names of all that is added; such a column is no field of a workload. */
    static final String OURS = "ycsb_drill_";

    /** MySQL's and MariaDB's are numbers: duplicate column, duplicate index. */
    private static final Set<Integer> DUPLICATE = Set.of(1060, 1061);
    /** PostgreSQL's. */
    private static final Set<String> DUPLICATE_STATES = Set.of("42701", "42P07");

    private static final Duration CANCEL = Duration.ofSeconds(10);
    private static final Duration LOOK = Duration.ofMillis(500);

    private final JdbcSettings settings;
    private final Connector connector;

    private JdbcTable(JdbcSettings settings) throws DBException {
        this.settings = settings;
        this.connector = new Connector(settings);
    }

    /** @throws DBException when the properties are invalid, or there is no driver */
    static JdbcTable of(Properties given, Map<String, String> environment) throws DBException {
        Properties own = new Properties();
        given.stringPropertyNames().forEach(name -> own.setProperty(name, given.getProperty(name)));
        own.setProperty("jdbc.autocommit", "true");
        return new JdbcTable(JdbcSettings.of(own, environment));
    }

    /** Whether a column is one that a drill has added, and so no field. */
    static boolean isOurs(String column) {
        return column.toLowerCase(Locale.ROOT).startsWith(OURS);
    }

    private static String name(Change change) {
        return OURS + change.thing();
    }

    @Override
    public String describe(Change change) {
        return (change == Change.REORGANISE ? "" : change.thing() + " " + name(change) + " of ") + "table "
                + settings.table();
    }

    @Override
    public Optional<String> lacks(Change change) throws IOException {
        return asked(connection -> TableDdl.of(connection).lacks(connection, settings.table(), change));
    }

    @Override
    public boolean has(Change change) throws IOException {
        return asked(connection -> TableDdl.of(connection).has(connection, settings.table(), change, name(change)));
    }

    @Override
    public Duration make(Change change, Duration bound) throws IOException {
        long end = System.nanoTime() + bound.minus(CANCEL.multipliedBy(2)).toNanos();
        return asked(connection -> {
            List<String> statements = statements(connection, change);
            for (String sql : TableDdl.of(connection).limitsWaiting()) {
                execute(connection, sql, CANCEL);
            }
            Duration took = Duration.ZERO;
            for (String sql : statements) {
                long left = Math.max(end - System.nanoTime(), bound.toNanos() / 4);
                took = took.plus(execute(connection, sql, Duration.ofNanos(left)));
            }
            return took;
        });
    }

    private List<String> statements(Connection connection, Change change) throws SQLException, IOException {
        TableDdl database = TableDdl.of(connection);
        Optional<String> lacks = database.lacks(connection, settings.table(), change);
        if (lacks.isPresent()) {
            throw new IOException(lacks.get());
        }
        try {
            TableShape shape = TableShape.of(connection, settings.table(), settings.fieldNames());
            String field = shape.fields().isEmpty()
                    ? shape.key().name()
                    : shape.fields().get(0).name();
            return database.of(
                    change,
                    shape.quoted(settings.table()),
                    database.nameOf(connection, settings.table(), change, name(change), shape),
                    shape.quoted(field));
        } catch (BadRequestException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void awaitIdle(Duration bound) throws IOException {
        long end = System.nanoTime() + bound.toNanos();
        for (JdbcUrl url : settings.servers()) {
            try (Session session = new Session(url, connector.open(url))) {
                while (TableDdl.of(session.connection).works(session.connection)) {
                    if (Thread.currentThread().isInterrupted() || System.nanoTime() >= end) {
                        throw new IOException(url.shown() + " is still at work on a statement of an earlier drill");
                    }
                    LockSupport.parkNanos(LOOK.toNanos());
                }
            } catch (SQLException e) {
                if (!notRunning(e)) {
                    throw new IOException(url.shown() + ": " + message(e), e);
                }
            }
        }
    }

    /** Such as one of a node that was removed. */
    private static boolean notRunning(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException) {
                return true;
            }
        }
        return false;
    }

    /** On a thread of its own, as no driver is woken by an interrupt. */
    private static Duration execute(Connection connection, String sql, Duration bound)
            throws SQLException, IOException {
        connection.setNetworkTimeout(
                Runnable::run, (int) bound.plus(CANCEL.multipliedBy(2)).toMillis());
        try (Statement statement = connection.createStatement()) {
            FutureTask<Duration> answer = begin(() -> {
                long began = System.nanoTime();
                refuseErrors(statement, sql);
                return Duration.ofNanos(System.nanoTime() - began);
            });
            try {
                return answer.get(bound.toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                giveUp(connection, statement, answer);
                Thread.currentThread().interrupt();
                throw new IOException(sql + " was interrupted", e);
            } catch (TimeoutException e) {
                giveUp(connection, statement, answer);
                throw new IOException(sql + " did not end within " + bound.toSeconds() + " s, and was given up", e);
            } catch (ExecutionException e) {
                String text = sql + ": " + message(e.getCause());
                throw duplicate(e.getCause())
                        ? new AlreadyThereException(text, e.getCause())
                        : new IOException(text, e);
            }
        }
    }

    private static boolean duplicate(Throwable cause) {
        return cause instanceof SQLException e
                && (DUPLICATE.contains(e.getErrorCode())
                        || DUPLICATE_STATES.contains(e.getSQLState())
                        || String.valueOf(e.getMessage()).contains("already has a column"));
    }

    private static <T> FutureTask<T> begin(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Daemon.thread(task, "schema-change").start();
        return task;
    }

    /** OPTIMIZE answers with rows, and some of them are errors. */
    private static void refuseErrors(Statement statement, String sql) throws SQLException {
        if (!statement.execute(sql)) {
            return;
        }
        try (ResultSet rows = statement.getResultSet()) {
            while (rows.getMetaData().getColumnCount() == 4 && rows.next()) {
                if ("error".equalsIgnoreCase(rows.getString(3))) {
                    throw new SQLException(rows.getString(4));
                }
            }
        }
    }

    /** A driver cancels through a second connection, which a server that hangs does not answer. */
    private static void giveUp(Connection connection, Statement statement, FutureTask<Duration> answer) {
        try {
            begin(() -> {
                        statement.cancel();
                        return null;
                    })
                    .get(CANCEL.toSeconds(), TimeUnit.SECONDS);
            answer.get(CANCEL.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            abort(connection);
        } catch (InterruptedException e) {
            abort(connection);
            Thread.currentThread().interrupt();
        }
    }

    private static void abort(Connection connection) {
        try {
            connection.abort(Runnable::run);
        } catch (SQLException e) {
            // It is closed next.
        }
    }

    /** Asks the first server that takes writes; its answer counts, also when it is an error. */
    private <T> T asked(Question<T> question) throws IOException {
        try (Session session = session()) {
            try {
                return question.ask(session.connection);
            } catch (AlreadyThereException e) {
                throw new AlreadyThereException(session.url.shown() + ": " + e.getMessage(), e);
            } catch (IOException e) {
                throw new IOException(session.url.shown() + ": " + e.getMessage(), e);
            } catch (SQLException e) {
                throw new IOException(session.url.shown() + ": " + message(e), e);
            }
        }
    }

    private Session session() throws IOException {
        StringBuilder reasons = new StringBuilder();
        for (JdbcUrl url : settings.servers()) {
            Session session;
            try {
                session = new Session(url, connector.open(url));
            } catch (SQLException e) {
                reasons.append("; ").append(url.shown()).append(": ").append(message(e));
                continue;
            }
            try {
                if (Role.readOnly(session.connection, url).isEmpty()) {
                    return session;
                }
                reasons.append("; ").append(url.shown()).append(" takes no writes");
            } catch (SQLException e) {
                reasons.append("; ").append(url.shown()).append(": ").append(message(e));
            }
            session.close();
        }
        throw new IOException("no SQL server can be asked for the schema" + reasons);
    }

    private static String message(Throwable cause) {
        String text = Secrets.inText(String.valueOf(cause.getMessage()));
        return cause instanceof SQLException sql
                ? text + " (error " + sql.getErrorCode() + ", SQLSTATE " + sql.getSQLState() + ")"
                : text;
    }

    /** A connection; that it cannot be closed says nothing about what was done by it. */
    private record Session(JdbcUrl url, Connection connection) implements AutoCloseable {
        @Override
        public void close() {
            try {
                connection.close();
            } catch (SQLException e) {
                // All that it was opened for is done.
            }
        }
    }

    /** Something to ask a server. */
    private interface Question<T> {
        T ask(Connection connection) throws SQLException, IOException;
    }
}

package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.binding.BadRequestException;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import site.ycsb.DBException;

/** The workload's table through a connection of its own to the first server that takes writes. Thread-safe. */
final class JdbcTable implements TableSchema {
    /** Begins the names of all that is added; such a column is no field of a workload. */
    static final String OURS = "ycsb_drill_";

    /** A statement may take as long as a connection may be silent. */
    private static final String BOUND = "1h";

    private static final long GIVES_UP_SECONDS = 10;

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
        own.setProperty("db.socket.timeout", BOUND);
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
    public boolean supports(Change change) throws IOException {
        return asked(connection -> TableDdl.of(connection, settings.table()).supports(change));
    }

    @Override
    public boolean has(Change change) throws IOException {
        return asked(connection ->
                TableDdl.of(connection, settings.table()).has(connection, settings.table(), change, name(change)));
    }

    @Override
    public void make(Change change) throws IOException {
        asked(connection -> {
            for (String sql : statements(connection, change)) {
                execute(connection, sql);
            }
            return true;
        });
    }

    private List<String> statements(Connection connection, Change change) throws SQLException, IOException {
        try {
            TableShape shape = TableShape.of(connection, settings.table(), settings.fieldNames());
            return TableDdl.of(connection, settings.table())
                    .of(
                            change,
                            shape.quoted(settings.table()),
                            shape.quoted(name(change)),
                            shape.fields().isEmpty()
                                    ? shape.quoted(shape.key().name())
                                    : shape.quoted(shape.fields().get(0).name()));
        } catch (BadRequestException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** On a thread of its own, as no driver is woken by an interrupt. */
    private void execute(Connection connection, String sql) throws SQLException, IOException {
        try (Statement statement = connection.createStatement()) {
            FutureTask<Void> answer = new FutureTask<>(() -> {
                refuseErrors(statement, sql);
                return null;
            });
            Thread thread = new Thread(answer, "schema-change");
            thread.setDaemon(true);
            thread.start();
            try {
                answer.get(settings.socketTimeout().toMillis(), TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                giveUp(connection, statement, answer);
                Thread.currentThread().interrupt();
                throw new IOException(sql + " was interrupted", e);
            } catch (TimeoutException e) {
                giveUp(connection, statement, answer);
                throw new IOException(sql + " did not end within " + BOUND, e);
            } catch (ExecutionException e) {
                throw new IOException(sql + ": " + message(e.getCause()), e);
            }
        }
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

    private static void giveUp(Connection connection, Statement statement, FutureTask<Void> answer) {
        try {
            statement.cancel();
            answer.get(GIVES_UP_SECONDS, TimeUnit.SECONDS);
        } catch (SQLException | ExecutionException | TimeoutException e) {
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

    private <T> T asked(Question<T> question) throws IOException {
        StringBuilder reasons = new StringBuilder();
        for (JdbcUrl url : settings.servers()) {
            try (Connection connection = connector.open(url)) {
                if (Role.readOnly(connection, url).isPresent()) {
                    reasons.append("; ").append(url.shown()).append(" takes no writes");
                    continue;
                }
                return ask(connection, question);
            } catch (SQLException e) {
                reasons.append("; ").append(url.shown()).append(": ").append(message(e));
            }
        }
        throw new IOException("no SQL server can be asked for the schema" + reasons);
    }

    /** An error of a statement is the answer: the next server is not asked. */
    private static <T> T ask(Connection connection, Question<T> question) throws IOException {
        try {
            return question.ask(connection);
        } catch (SQLException e) {
            throw new IOException(message(e), e);
        }
    }

    private static String message(Throwable cause) {
        String text = Secrets.inText(String.valueOf(cause.getMessage()));
        return cause instanceof SQLException sql
                ? text + " (error " + sql.getErrorCode() + ", SQLSTATE " + sql.getSQLState() + ")"
                : text;
    }

    /** Something to ask a server. */
    private interface Question<T> {
        T ask(Connection connection) throws SQLException, IOException;
    }
}

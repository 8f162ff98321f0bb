package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.base.TableSchema.Change;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The statements that change a table's schema as an operator would while clients use it, by database. */
enum TableDdl {
    MYSQL(
            Map.of(
                    Change.ADD_COLUMN, List.of("ALTER TABLE %1$s ADD COLUMN %2$s INT NULL"),
                    Change.DROP_COLUMN, List.of("ALTER TABLE %1$s DROP COLUMN %2$s"),
                    Change.CREATE_INDEX, List.of("CREATE INDEX %2$s ON %1$s (%3$s)"),
                    Change.DROP_INDEX, List.of("DROP INDEX %2$s ON %1$s"),
                    Change.REORGANISE, List.of("ALTER TABLE %1$s FORCE")),
            "SELECT COUNT(*) FROM information_schema.columns"
                    + " WHERE table_schema = DATABASE() AND table_name = ? AND column_name = ?",
            "SELECT COUNT(*) FROM information_schema.statistics"
                    + " WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ?"),
    /** By default it would add a column by copying the table. */
    NDB(
            Map.of(
                    Change.ADD_COLUMN,
                            List.of(
                                    "ALTER TABLE %1$s ADD COLUMN %2$s INT NULL COLUMN_FORMAT DYNAMIC, ALGORITHM=INPLACE"),
                    Change.DROP_COLUMN, List.of("ALTER TABLE %1$s DROP COLUMN %2$s"),
                    Change.CREATE_INDEX, List.of("CREATE INDEX %2$s ON %1$s (%3$s) ALGORITHM=INPLACE"),
                    Change.DROP_INDEX, List.of("DROP INDEX %2$s ON %1$s ALGORITHM=INPLACE"),
                    Change.REORGANISE,
                            List.of("ALTER TABLE %1$s ALGORITHM=INPLACE, REORGANIZE PARTITION", "OPTIMIZE TABLE %1$s")),
            MYSQL.findsColumn,
            MYSQL.findsIndex),
    /** Indexes without a lock that keeps writers out. */
    POSTGRESQL(
            Map.of(
                    Change.ADD_COLUMN, List.of("ALTER TABLE %1$s ADD COLUMN %2$s INTEGER"),
                    Change.DROP_COLUMN, List.of("ALTER TABLE %1$s DROP COLUMN %2$s"),
                    Change.CREATE_INDEX, List.of("CREATE INDEX CONCURRENTLY %2$s ON %1$s (%3$s)"),
                    Change.DROP_INDEX, List.of("DROP INDEX CONCURRENTLY %2$s"),
                    Change.REORGANISE, List.of("VACUUM (FULL) %1$s")),
            "SELECT COUNT(*) FROM pg_attribute"
                    + " WHERE attrelid = to_regclass(quote_ident(?)) AND attname = ? AND NOT attisdropped",
            "SELECT COUNT(*) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid"
                    + " WHERE i.indrelid = to_regclass(quote_ident(?)) AND c.relname = ?"),
    /** Every column has an index already. */
    CRATEDB(
            Map.of(
                    Change.ADD_COLUMN, List.of("ALTER TABLE %1$s ADD COLUMN %2$s INTEGER"),
                    Change.DROP_COLUMN, List.of("ALTER TABLE %1$s DROP COLUMN %2$s"),
                    Change.REORGANISE, List.of("OPTIMIZE TABLE %1$s WITH (max_num_segments = 1)")),
            "SELECT COUNT(*) FROM information_schema.columns"
                    + " WHERE table_schema = CURRENT_SCHEMA AND table_name = ? AND column_name = ?",
            "");

    private final Map<Change, List<String>> statements;
    private final String findsColumn;
    private final String findsIndex;

    TableDdl(Map<Change, List<String>> statements, String findsColumn, String findsIndex) {
        this.statements = statements;
        this.findsColumn = findsColumn;
        this.findsIndex = findsIndex;
    }

    /** Asks the server which it is, and of MySQL's what stores the table. */
    static TableDdl of(Connection connection, String table) throws SQLException {
        switch (Dialect.of(connection)) {
            case POSTGRESQL:
                return POSTGRESQL;
            case CRATEDB:
                return CRATEDB;
            default:
                String engine = text(
                        connection,
                        "SELECT engine FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?",
                        table);
                return engine.toLowerCase(Locale.ROOT).startsWith("ndb") ? NDB : MYSQL;
        }
    }

    /** In order; none when the database cannot do it. */
    List<String> of(Change change, String table, String name, String field) {
        return statements.getOrDefault(change, List.of()).stream()
                .map(statement -> String.format(Locale.ROOT, statement, table, name, field))
                .toList();
    }

    boolean supports(Change change) {
        return statements.containsKey(change);
    }

    /** Whether the table, if there is one, has what the change adds or drops. */
    boolean has(Connection connection, String table, Change change, String name) throws SQLException {
        String question = change.thing().equals("index") ? findsIndex : findsColumn;
        return !question.isEmpty() && !text(connection, question, table, name).equals("0");
    }

    /** The first value that is answered; empty when there is none. */
    private static String text(Connection connection, String question, String... parameters) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(question)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setString(i + 1, parameters[i]);
            }
            try (ResultSet row = statement.executeQuery()) {
                String value = row.next() ? row.getString(1) : null;
                return value == null ? "" : value;
            }
        }
    }
}

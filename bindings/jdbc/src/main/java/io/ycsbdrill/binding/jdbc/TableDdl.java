package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.TableSchema.Change;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

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
                    + " WHERE table_schema = DATABASE() AND table_name = ? AND index_name = ?",
            List.of("SET SESSION lock_wait_timeout = 10"),
            "SHOW FULL PROCESSLIST",
            ""),
    /** Its columns are dropped only by copying the table, which clients that write by the NDB API spoil: none is added. */
    NDB(
            Map.of(
                    Change.CREATE_INDEX, List.of("CREATE INDEX %2$s ON %1$s (%3$s) ALGORITHM=INPLACE"),
                    Change.DROP_INDEX, List.of("DROP INDEX %2$s ON %1$s ALGORITHM=INPLACE"),
                    Change.REORGANISE,
                            List.of("ALTER TABLE %1$s ALGORITHM=INPLACE, REORGANIZE PARTITION", "OPTIMIZE TABLE %1$s")),
            MYSQL.findsColumn,
            MYSQL.findsIndex,
            MYSQL.limitsWaiting,
            MYSQL.showsWork,
            "NDB drops a column only by copying the table, which fails when clients write meanwhile"),
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
                    + " WHERE i.indrelid = to_regclass(quote_ident(?)) AND c.relname = ?",
            List.of("SET lock_timeout = '10s'"),
            "SELECT query AS info FROM pg_stat_activity WHERE state = 'active'",
            ""),
    /** Every column has an index already. */
    CRATEDB(
            Map.of(
                    Change.ADD_COLUMN, List.of("ALTER TABLE %1$s ADD COLUMN %2$s INTEGER"),
                    Change.DROP_COLUMN, List.of("ALTER TABLE %1$s DROP COLUMN %2$s"),
                    Change.REORGANISE, List.of("OPTIMIZE TABLE %1$s WITH (max_num_segments = 1)")),
            "SELECT COUNT(*) FROM information_schema.columns"
                    + " WHERE table_schema = CURRENT_SCHEMA AND table_name = ? AND column_name = ?",
            "",
            List.of(),
            "SELECT stmt AS info FROM sys.jobs",
            "every column of CrateDB has an index already");

    private static final String STORED_BY =
            "SELECT engine FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?";
    private static final String NDB_SERVER = "SELECT COUNT(*) FROM information_schema.engines"
            + " WHERE engine = 'ndbcluster' AND support IN ('YES', 'DEFAULT')";
    /** PostgreSQL's indexes have names of their own: one of this name may be another table's. */
    private static final String INDEX_OF_TABLE =
            "SELECT quote_ident(n.nspname) || '.' || quote_ident(c.relname) FROM pg_index i"
                    + " JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace"
                    + " WHERE i.indrelid = to_regclass(quote_ident(?)) AND c.relname = ?";

    private final Map<Change, List<String>> statements;
    private final String findsColumn;
    private final String findsIndex;
    private final List<String> limitsWaiting;
    private final String showsWork;
    private final String why;

    TableDdl(
            Map<Change, List<String>> statements,
            String findsColumn,
            String findsIndex,
            List<String> limitsWaiting,
            String showsWork,
            String why) {
        this.statements = statements;
        this.findsColumn = findsColumn;
        this.findsIndex = findsIndex;
        this.limitsWaiting = limitsWaiting;
        this.showsWork = showsWork;
        this.why = why;
    }

    /** Asks the server which it is. */
    static TableDdl of(Connection connection) throws SQLException {
        switch (Dialect.of(connection)) {
            case POSTGRESQL:
                return POSTGRESQL;
            case CRATEDB:
                return CRATEDB;
            default:
                return text(connection, NDB_SERVER).equals("0") ? MYSQL : NDB;
        }
    }

    /** Why it cannot be done to this table; empty when it can. What cannot be dropped again is not added. */
    Optional<String> lacks(Connection connection, String table, Change change) throws SQLException {
        if (!supports(change)) {
            return Optional.of(why + ": leave out " + change.label() + " and what follows from it");
        }
        String engine = this == NDB ? text(connection, STORED_BY, table) : "";
        return engine.isEmpty() || engine.toLowerCase(Locale.ROOT).startsWith("ndb")
                ? Optional.empty()
                : Optional.of(
                        "table " + table + " is stored by " + engine + ", not by NDB: no node of the cluster has it");
    }

    /** So that a statement which waits for a lock does not keep all others waiting behind it. */
    List<String> limitsWaiting() {
        return limitsWaiting;
    }

    /** Whether the server is at work on a statement that adds or drops what is ours, for whomever. */
    boolean works(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(showsWork)) {
            while (rows.next()) {
                String sql = rows.getString("info");
                if (sql != null && sql.contains(JdbcTable.OURS)) {
                    return true;
                }
            }
            return false;
        }
    }

    /** What is added or dropped, as statements name it. */
    String nameOf(Connection connection, String table, Change change, String name, TableShape shape)
            throws SQLException {
        if (this != POSTGRESQL || change != Change.DROP_INDEX) {
            return shape.quoted(name);
        }
        String found = text(connection, INDEX_OF_TABLE, table, name);
        if (found.isEmpty()) {
            throw new SQLException("table " + table + " has no index " + name, "42704");
        }
        return found;
    }

    /** In order; none when the database cannot do it. */
    List<String> of(Change change, String table, String name, String field) {
        return statements.getOrDefault(change, List.of()).stream()
                .map(statement -> Formatted.of(statement, table, name, field))
                .toList();
    }

    boolean supports(Change change) {
        return statements.containsKey(change)
                && change.undo().map(statements::containsKey).orElse(true);
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

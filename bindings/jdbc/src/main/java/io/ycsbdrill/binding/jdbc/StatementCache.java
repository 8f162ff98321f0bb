package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BadRequestException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Prepared statements of one kind by set of fields; the one longest unused gives way. Owned by one thread. */
final class StatementCache implements AutoCloseable {
    /** Maximum number of statements per kind and connection; a server usually allows 16382 in all. */
    static final int LIMIT = 64;

    private final Maker maker;
    private final Map<Set<String>, TableRows.Prepared> statements = new LinkedHashMap<>(16, 0.75f, true);

    /** Prepares a statement for a set of fields; null means all. */
    interface Maker {
        TableRows.Prepared make(Set<String> fields) throws SQLException, BadRequestException;
    }

    StatementCache(Maker maker) {
        this.maker = maker;
    }

    /** @param fields null means all */
    TableRows.Prepared of(Set<String> fields) throws SQLException, BadRequestException {
        TableRows.Prepared known = statements.get(fields);
        if (known != null) {
            return known;
        }
        if (statements.size() >= LIMIT) {
            var eldest = statements.entrySet().iterator();
            close(eldest.next().getValue().statement());
            eldest.remove();
        }
        Set<String> key = fields == null ? null : Set.copyOf(fields);
        TableRows.Prepared made = maker.make(key);
        statements.put(key, made);
        return made;
    }

    @Override
    public void close() {
        statements.values().forEach(prepared -> close(prepared.statement()));
        statements.clear();
    }

    static void close(PreparedStatement statement) {
        try {
            statement.close();
        } catch (SQLException | RuntimeException e) {
            // The statement is not used again; a connection in trouble shows at the next operation.
        }
    }
}

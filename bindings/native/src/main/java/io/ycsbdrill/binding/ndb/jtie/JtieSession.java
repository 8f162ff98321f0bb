package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.ndbapi.Ndb;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import io.ycsbdrill.binding.ndb.client.NdbRows;
import io.ycsbdrill.binding.ndb.client.NdbSession;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** One {@code Ndb} object and the buffers for each table that is used through it. */
final class JtieSession implements NdbSession {
    /** Maximum number of open transactions in a session; one is used. */
    static final int TRANSACTIONS = 4;

    private static final int NO_SUCH_TABLE = 723;

    private final JtieConnection connection;
    private final Ndb ndb;
    private final String database;
    private final Map<String, JtieRows> rows = new HashMap<>();
    private boolean closed;

    JtieSession(JtieConnection connection, Ndb ndb, String database) {
        this.connection = connection;
        this.ndb = ndb;
        this.database = database;
    }

    @Override
    public NdbRows rows(String table) throws NdbException {
        JtieRows known = rows.get(table);
        if (known != null) {
            return known;
        }
        JtieRows opened = Rehearsal.open(ndb, () -> open(table));
        rows.put(table, opened);
        return opened;
    }

    private JtieRows open(String table) throws NdbException {
        Optional<JtieTable> found = connection.find(database, table);
        if (found.isEmpty()) {
            throw new NdbException(
                    "table " + table + " in database " + database,
                    new NdbFailure(
                            NO_SUCH_TABLE, NdbFailure.PERMANENT, NdbFailure.SCHEMA_ERROR, "No such table", false));
        }
        Optional<String> problem = found.get().shape().problem();
        if (problem.isPresent()) {
            throw new NdbException("table " + table, NdbFailure.badRequest(problem.get()));
        }
        return new JtieRows(ndb, found.get());
    }

    @Override
    public void forget(String table) {
        JtieRows known = rows.remove(table);
        if (known != null) {
            known.close();
            try {
                connection.forget(database, known.table());
            } catch (NdbException e) {
                // The dictionary cannot be opened: asking for the table again will say so.
                return;
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            // The connection cannot be ended while there is an Ndb object: it waits for it, for ever.
            try {
                rows.values().forEach(JtieRows::close);
            } finally {
                rows.clear();
                Ndb.delete(ndb);
            }
        }
    }
}

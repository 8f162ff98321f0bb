package io.ycsbdrill.binding.ndb.jtie;

import com.mysql.ndbjtie.ndbapi.Ndb;
import com.mysql.ndbjtie.ndbapi.NdbDictionary;
import com.mysql.ndbjtie.ndbapi.Ndb_cluster_connection;
import io.ycsbdrill.binding.ndb.client.NdbConnection;
import io.ycsbdrill.binding.ndb.client.NdbException;
import io.ycsbdrill.binding.ndb.client.NdbSession;
import io.ycsbdrill.binding.ndb.client.NdbTableShape;
import io.ycsbdrill.binding.ndb.client.TableDefinition;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One cluster connection with its dictionary, which all of its sessions share. Records of tables that went out of date are
 * kept until the end, because sessions may still be using them.
 */
final class JtieConnection implements NdbConnection {
    private static final int NO_SUCH_TABLE = 723;
    private static final int NO_SUCH_OBJECT = 4243;

    /**
     * Up to so many sessions receive their replies themselves, which saves a switch to another thread for each reply; of more, a thread
     * of the library receives for all, from its own number of waiting threads on. Measured: docs/measurements/native.md.
     */
    private static final int OWN_RECEIVERS = 16;

    private final Ndb_cluster_connection connection;
    private final Map<String, Ndb> dictionaries = new HashMap<>();
    private final Map<String, JtieTable> tables = new HashMap<>();
    private int sessions;
    private int libraryReceivesFrom;
    private boolean closed;

    JtieConnection(Ndb_cluster_connection connection) {
        this.connection = connection;
    }

    @Override
    public int nodeId() {
        return connection.node_id();
    }

    @Override
    public synchronized Optional<NdbTableShape> table(String database, String table) throws NdbException {
        return find(database, table).map(JtieTable::shape);
    }

    @Override
    public synchronized void createTable(String database, TableDefinition definition) throws NdbException {
        new TableMaker(dictionary(database)).make(definition);
    }

    @Override
    public synchronized NdbSession session(String database) throws NdbException {
        NdbSession session = new JtieSession(this, open(database), database);
        sessions++;
        chooseReceiver();
        return session;
    }

    private void chooseReceiver() {
        try {
            if (sessions == 1) {
                libraryReceivesFrom = connection.get_recv_thread_activation_threshold();
                connection.set_recv_thread_activation_threshold(OWN_RECEIVERS);
            } else if (sessions == OWN_RECEIVERS + 1) {
                connection.set_recv_thread_activation_threshold(libraryReceivesFrom);
            }
        } catch (NoSuchMethodError e) {
            // A library whose declarations lack it; its default is as correct.
        }
    }

    /** Looks the table up in the cache, then in the cluster. */
    synchronized Optional<JtieTable> find(String database, String name) throws NdbException {
        JtieTable known = tables.get(database + '/' + name);
        if (known != null) {
            return Optional.of(known);
        }
        NdbDictionary.Dictionary dictionary = dictionary(database);
        NdbDictionary.TableConst table = dictionary.getTable(name);
        if (table == null) {
            int code = dictionary.getNdbError().code();
            if (code == NO_SUCH_TABLE || code == NO_SUCH_OBJECT) {
                return Optional.empty();
            }
            throw Failures.exception("table " + name + " cannot be looked up", dictionary.getNdbError());
        }
        JtieTable found = JtieTable.of(dictionary, table, name);
        tables.put(database + '/' + name, found);
        return Optional.of(found);
    }

    /** Removes a table from the cache, unless it has been looked up again since. */
    synchronized void forget(String database, JtieTable outOfDate) throws NdbException {
        if (tables.remove(database + '/' + outOfDate.name(), outOfDate)) {
            NdbDictionary.Dictionary dictionary = dictionary(database);
            dictionary.invalidateIndex("PRIMARY", outOfDate.name());
            dictionary.invalidateTable(outOfDate.name());
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            tables.clear();
            dictionaries.values().forEach(Ndb::delete);
            dictionaries.clear();
            Ndb_cluster_connection.delete(connection);
        }
    }

    private NdbDictionary.Dictionary dictionary(String database) throws NdbException {
        Ndb ndb = dictionaries.get(database);
        if (ndb == null) {
            ndb = open(database);
            dictionaries.put(database, ndb);
        }
        return ndb.getDictionary();
    }

    private Ndb open(String database) throws NdbException {
        if (closed) {
            throw new IllegalStateException("the connection is closed");
        }
        Ndb ndb = Ndb.create(connection, database, "def");
        if (ndb.init(JtieSession.TRANSACTIONS) != 0) {
            NdbException e = Failures.exception("a session cannot be opened", ndb.getNdbError());
            Ndb.delete(ndb);
            throw e;
        }
        return ndb;
    }
}

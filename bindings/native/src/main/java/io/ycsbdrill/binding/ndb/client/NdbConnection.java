package io.ycsbdrill.binding.ndb.client;

import java.util.Optional;

/** One connection to the cluster. Thread-safe. */
public interface NdbConnection extends AutoCloseable {

    /** The API node id that the management server assigned. */
    int nodeId();

    /**
     * Looks a table up in the dictionary.
     *
     * @return empty when there is no such table
     */
    Optional<NdbTableShape> table(String database, String table) throws NdbException;

    /** Creates a table with an ordered index on its key; if it exists, that is an error. SQL nodes will not see it. */
    void createTable(String database, TableDefinition definition) throws NdbException;

    /** Opens a session, which must be closed before this connection. */
    NdbSession session(String database) throws NdbException;

    /** Closes the connection; all of its sessions must be closed. Closing twice is harmless. */
    @Override
    void close();
}

package io.ycsbdrill.binding.ndb.client;

/** A session of the client library; used by one thread at a time. */
public interface NdbSession extends AutoCloseable {

    /**
     * The rows of a table.
     *
     * @throws NdbException when there is no such table or it cannot be used; see {@link TableShape#problem}
     */
    NdbRows rows(String table) throws NdbException;

    /** Forgets what is known of the table, because the cluster said that it is out of date; {@link #rows} asks anew. */
    void forget(String table);

    /** Closing twice is harmless. */
    @Override
    void close();
}

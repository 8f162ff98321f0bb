package io.ycsbdrill.binding.ndb.client;

/** A session of the client library; used by one thread at a time. */
public interface NdbSession extends AutoCloseable {

    /**
     * The rows of a table.
     *
     * @throws NdbException when there is no such table or it cannot be used; see {@link NdbTableShape#problem}
     */
    NdbRows rows(String table) throws NdbException;

    /** Discards the cached table, because the cluster reported it as out of date; {@link #rows} looks it up again. */
    void forget(String table);

    /** Closing twice is harmless. */
    @Override
    void close();
}

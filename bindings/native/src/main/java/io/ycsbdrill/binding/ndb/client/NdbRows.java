package io.ycsbdrill.binding.ndb.client;

import java.util.List;

/**
 * The rows of one table, each call a transaction of its own, but for those between {@link #begin} and the end. Values are arrays of bytes by column number, as they are stored
 * (without a length in front). Used by one thread at a time. No call throws for what the cluster answers: null means
 * that it did what was asked.
 */
public interface NdbRows {

    NdbTableShape shape();

    /** The number of the partition that a key belongs to, whether there is such a row or not; -1 when the library does not say. Sends nothing. */
    int partition(byte[] key);

    /**
     * Reads committed values.
     *
     * @param values filled at the numbers of the columns; null where the row has NULL; untouched on failure
     */
    NdbFailure read(byte[] key, ColumnSet columns, byte[][] values);

    /**
     * Reads the copy of the data node that is nearest to this connection, if that is connected and has one; else of another.
     *
     * @param values as in {@link #read}
     */
    NdbFailure readNearest(byte[] key, ColumnSet columns, byte[][] values);

    /**
     * Begins a transaction at the node of this key's primary replica. Until {@link #commit} or {@link #abort} calls belong to it; writes are
     * sent with the next read or the commit, which then report their failures. Every failure but that of a missing row to read means
     * that nothing of it was applied, and must be followed by {@link #abort}; that of a commit may leave the result unknown.
     */
    NdbFailure begin(byte[] key);

    /** As {@link #read}, and locks the row until the end of the transaction. */
    NdbFailure readForUpdate(byte[] key, ColumnSet columns, byte[][] values);

    NdbFailure commit();

    /** Ends a transaction; harmless when there is none. */
    void abort();

    /** Inserts a row; columns whose value is null get their default, NULL. */
    NdbFailure insert(byte[] key, byte[][] values);

    /**
     * Inserts rows in one transaction and one request, each on its own: one that fails does not keep the others from being
     * inserted, unless the transaction as a whole fails.
     *
     * @param keys one or more
     * @param values as in {@link #insert}, as many as keys
     * @param failures set for each row; null where it was inserted. Untouched when the transaction failed
     * @return why the transaction failed; null when it was committed
     */
    NdbFailure insertAll(List<byte[]> keys, List<byte[][]> values, NdbFailure... failures);

    /** Updates the columns whose value is not null. */
    NdbFailure update(byte[] key, byte[][] values);

    NdbFailure delete(byte[] key);

    /**
     * Reads rows in key order.
     *
     * @param lowest first key wanted, included
     * @param limit at most so many rows, 1 or more
     * @param batch rows asked of each partition at a time, or 0 to choose by limit and partitions
     * @param rows the values of each row are added, as in {@link #read}; may be filled in part on failure
     */
    NdbFailure scan(byte[] lowest, int limit, int batch, ColumnSet columns, List<byte[][]> rows);
}

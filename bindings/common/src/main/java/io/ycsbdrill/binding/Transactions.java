package io.ycsbdrill.binding;

import java.util.Map;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * A binding ({@link site.ycsb.DB}) that can make several of its operations one transaction: all of them take effect, or none.
 *
 * <pre>{@code
 * begin("usertable", "a");                                  // OK, or nothing was begun
 * readForUpdate("usertable", "a", null, row);               // no other transaction changes it until the end
 * update("usertable", "a", changed);                        // the binding's own operations belong to the transaction
 * commit();                                                 // OK: all of it is there
 * }</pre>
 *
 * <p>Between {@link #begin} and the end, {@link site.ycsb.DB#read}, {@code insert}, {@code update} and {@code delete} belong to the
 * transaction, and nothing else goes through this object. {@code read} gives committed values or the transaction's own, and holds off no
 * one. Writes may be kept back until a later call, which then reports their failures. A {@code scan} need not be possible.
 *
 * <p>Every status other than {@link Status#OK} and {@link Status#NOT_FOUND}, of whichever call, means that the transaction is over and
 * nothing of it was applied; its reason is one of
 * <ul>
 *   <li>{@link Statuses#DEADLOCK}, {@link Statuses#LOCK_TIMEOUT}, {@link Statuses#CONFLICT}: it lost against another transaction, and may
 *       succeed when it is done again from the start;
 *   <li>{@link Statuses#TEMPORARY}, {@link Statuses#UNAVAILABLE}: the same, for a reason in the cluster;
 *   <li>any other status: it will fail again.
 * </ul>
 * Only {@link #commit} may return {@link Statuses#UNKNOWN}: then all of it was applied, or nothing, and nobody knows. So
 * {@link Outcome#of} with {@code write = true} judges every one of these statuses rightly.
 *
 * <p>One transaction at a time for each object, used by one thread like the binding itself.
 */
public interface Transactions {

    /**
     * Begins a transaction.
     *
     * @param table of {@code key}
     * @param key of a row that the transaction will touch, so that it can begin at the node that holds it
     * @return OK when it has begun; {@link Status#NOT_IMPLEMENTED} when this server, or the way it is set up, has no transactions
     * @throws IllegalStateException when one is open already, which is left as it is
     */
    Status begin(String table, String key);

    /**
     * Reads a row and keeps other transactions from changing it until this one ends, or makes {@link #commit} fail when one has.
     *
     * @param fields the wanted ones, or null for all
     * @param result gets the values
     * @return OK, {@link Status#NOT_FOUND}, or why the transaction is over; {@link Statuses#FAILED} when none is open
     */
    Status readForUpdate(String table, String key, Set<String> fields, Map<String, ByteIterator> result);

    /**
     * Ends the transaction by making all of it take effect.
     *
     * @return OK; {@link Statuses#UNKNOWN} when it may have been applied; else why nothing of it was applied, {@link Statuses#FAILED} when
     *     none is open. Never null
     */
    Status commit();

    /**
     * Ends the transaction so that nothing of it takes effect. Harmless when there is none, also after {@link site.ycsb.DB#cleanup}, which
     * ends an open one.
     */
    void abort();
}

package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.FieldCodec;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.embedded.ClusterLinks.Choice;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.ClientException;
import org.apache.ignite.client.ClientTransaction;
import org.apache.ignite.transactions.TransactionConcurrency;
import org.apache.ignite.transactions.TransactionIsolation;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * An open transaction: all of its requests go through one node. A pessimistic one locks what it reads for update and what it writes; an
 * optimistic one locks nothing before its commit, which fails when anything that it has read was changed. Owned by one thread.
 */
final class OpenTransaction {
    private final Choice choice;
    private final boolean optimistic;
    private final ClientTransaction transaction;
    /** By a pessimistic one. Ignite's reads still find a row that was deleted by a step of the same transaction. */
    private final Set<String> deleted = new HashSet<>();

    /** @throws ClientException when it cannot be begun */
    OpenTransaction(Choice choice, EmbeddedSettings settings) {
        this.choice = choice;
        optimistic = settings.transactions() == EmbeddedSettings.TransactionKind.OPTIMISTIC;
        transaction = choice.connection()
                .client()
                .transactions()
                .txStart(
                        optimistic ? TransactionConcurrency.OPTIMISTIC : TransactionConcurrency.PESSIMISTIC,
                        optimistic ? TransactionIsolation.SERIALIZABLE : TransactionIsolation.READ_COMMITTED,
                        settings.transactionTimeout().toMillis());
    }

    Choice choice() {
        return choice;
    }

    Status read(String table, String key, boolean forUpdate, Set<String> fields, Map<String, ByteIterator> result) {
        byte[] row = forUpdate && !optimistic
                ? step(table, key, RowStep.Kind.LOCK, null)
                : rows(table).get(key);
        if (row == null || deleted.contains(table + " " + key)) {
            return Status.NOT_FOUND;
        }
        FieldCodec.decode(row, fields, result);
        return Status.OK;
    }

    Status insert(String table, String key, byte[] row) {
        deleted.remove(table + " " + key);
        boolean inserted =
                optimistic ? rows(table).putIfAbsent(key, row) : step(table, key, RowStep.Kind.INSERT, row) == null;
        return inserted ? Status.OK : Statuses.DUPLICATE_KEY;
    }

    /** @param changes an encoded row */
    Status update(String table, String key, byte[] changes) {
        byte[] row = optimistic ? rows(table).get(key) : step(table, key, RowStep.Kind.UPDATE, changes);
        if (row == null) {
            return Status.NOT_FOUND;
        }
        if (optimistic) {
            rows(table).put(key, FieldCodec.merge(row, changes));
        }
        return Status.OK;
    }

    Status delete(String table, String key) {
        if (optimistic) {
            return rows(table).remove(key) ? Status.OK : Status.NOT_FOUND;
        }
        boolean there = step(table, key, RowStep.Kind.DELETE, null) != null;
        deleted.add(table + " " + key);
        return there ? Status.OK : Status.NOT_FOUND;
    }

    private byte[] step(String table, String key, RowStep.Kind kind, byte[] argument) {
        return rows(table).invoke(key, new RowStep(), kind.name(), argument);
    }

    void commit() {
        transaction.commit();
    }

    /** Also of one that cannot be reached any more: its node rolls it back when the connection ends. */
    void rollback() {
        try {
            transaction.close();
        } catch (RuntimeException e) {
            // Without a commit nothing of it is applied.
        }
    }

    private ClientCache<String, byte[]> rows(String table) {
        return choice.connection().table(table);
    }
}

package io.ycsbdrill.binding.embedded;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.ChecksProperties;
import io.ycsbdrill.binding.FieldCodec;
import io.ycsbdrill.binding.KeyOwners;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.Transactions;
import io.ycsbdrill.binding.embedded.ClusterLinks.Choice;
import io.ycsbdrill.binding.servers.Shared;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Vector;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.ignite.client.ClientCache;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB's interface to the embedded cluster. A row is one value, all of its fields in one byte array; an update merges its
 * fields in the node that is primary for the key, in one atomic step. Nothing is retried here: an operation that fails is
 * reported, after a short pause when no answer came, so that a failing client does not spin.
 *
 * <p>One instance per thread, as YCSB does it; the connections are shared by all instances with the same properties.
 * Properties: see docs/embedded.md.
 */
public final class EmbeddedBinding extends DB
        implements BulkInserts, ChecksProperties, KeyOwners, NodeReads, Reconnects, Transactions {
    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedBinding.class);
    private static final Status NO_TRANSACTIONS = new Status(
            Status.NOT_IMPLEMENTED.getName(),
            "the binding is set up without transactions: set embedded.transactions to pessimistic or optimistic");
    private static final long PAUSE_NANOS = 5_000_000;
    private static final Shared<EmbeddedSettings, ClusterLinks> OPEN = new Shared<>(ClusterLinks::open);

    private EmbeddedSettings settings;
    private ClusterLinks links;
    private OpenTransaction open;

    @Override
    public void checkProperties() throws DBException {
        EmbeddedSettings.of(getProperties());
    }

    @Override
    public void init() throws DBException {
        if (links != null) {
            return;
        }
        settings = EmbeddedSettings.of(getProperties());
        links = OPEN.acquire(settings);
    }

    @Override
    public void cleanup() {
        if (links != null) {
            abort();
            links = null;
            OPEN.release(settings);
        }
    }

    /** The connections are those of all instances with the same properties. */
    @Override
    public List<Server> reconnects() {
        return links == null ? List.of() : links.reconnects();
    }

    /** The primary copy answers, unless a node's own storage is read. */
    @Override
    public Guarantee guarantee() {
        return new Guarantee(true, 1);
    }

    @Override
    public Nodes nodes() {
        return EmbeddedNodes.of(links, settings, getProperties().getProperty("table", "usertable"));
    }

    @Override
    public Owners owners(String table) {
        return EmbeddedNodes.owners(links, table);
    }

    @Override
    public int partition(String table, String key) {
        return links.partition(table, key);
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        if (open != null) {
            return inTransaction(() -> open.read(table, key, false, fields, result));
        }
        if (settings.local()) {
            return readLocal(table, List.of(key), fields, List.of(result)).get(0);
        }
        return run(table, links.choose(table, key), false, (rows, choice) -> {
            byte[] row = rows.get(key);
            if (row == null) {
                return Status.NOT_FOUND;
            }
            FieldCodec.decode(row, fields, result);
            return Status.OK;
        });
    }

    @Override
    public int rowsAtOnce() {
        return 32;
    }

    @Override
    public List<Status> readAll(String table, List<String> keys, List<Map<String, ByteIterator>> rows) {
        return readLocal(table, keys, null, rows);
    }

    private List<Status> readLocal(
            String table, List<String> keys, Set<String> fields, List<Map<String, ByteIterator>> results) {
        String[] arguments = Stream.concat(Stream.of(table), keys.stream()).toArray(String[]::new);
        List<Status> statuses = new ArrayList<>();
        Status all = run(table, links.any(), false, (rows, choice) -> {
            for (Object row : NodeTasks.execute(choice, settings, LocalCopyTask.class, arguments)) {
                statuses.add(NodeTasks.copy((byte[]) row, fields, results.get(statuses.size())));
            }
            return Statuses.UNAVAILABLE; // of those for which there was no room
        });
        statuses.addAll(Collections.nCopies(keys.size() - statuses.size(), all));
        return statuses;
    }

    @Override
    public Status scan(
            String table, String start, int limit, Set<String> fields, Vector<HashMap<String, ByteIterator>> result) {
        if (limit <= 0) {
            return Status.OK;
        }
        return run(table, links.any(table), false, (rows, choice) -> {
            Object[] found = NodeTasks.execute(choice, settings, ScanTask.class, new Object[] {table, start, limit});
            for (Object row : found) {
                HashMap<String, ByteIterator> values = new HashMap<>();
                FieldCodec.decode((byte[]) row, fields, values);
                result.add(values);
            }
            return Status.OK;
        });
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        byte[] row = FieldCodec.encode(values);
        if (open != null) {
            return inTransaction(() -> open.insert(table, key, row));
        }
        return run(
                table,
                links.choose(table, key),
                true,
                (rows, choice) ->
                        rows.putIfAbsent(key, row) ? Status.OK : denied(table, choice, Statuses.DUPLICATE_KEY));
    }

    /** By one request to one node, which passes the rows on to their primaries. In a transaction that is open, row by row. */
    @Override
    public List<Status> insertAll(String table, List<Row> rows) {
        if (open != null) {
            return rows.stream()
                    .map(row -> insert(table, row.key(), row.values()))
                    .toList();
        }
        RowBatch batch = new RowBatch(rows);
        Status all = run(
                table,
                links.choose(table, batch.firstKey()),
                true,
                (cache, choice) -> batch.insert(cache, () -> denied(table, choice, Statuses.DUPLICATE_KEY)));
        return batch.statuses(all);
    }

    @Override
    public int rowsOfALoad() {
        return 100;
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        byte[] changes = FieldCodec.encode(values);
        if (open != null) {
            return inTransaction(() -> open.update(table, key, changes));
        }
        return run(table, links.choose(table, key), true, (rows, choice) -> {
            Boolean found = rows.invoke(key, new MergeFields(), changes);
            return Boolean.TRUE.equals(found) ? Status.OK : Status.NOT_FOUND;
        });
    }

    @Override
    public Status delete(String table, String key) {
        if (open != null) {
            return inTransaction(() -> open.delete(table, key));
        }
        return run(
                table,
                links.choose(table, key),
                true,
                (rows, choice) -> rows.remove(key) ? Status.OK : denied(table, choice, Status.NOT_FOUND));
    }

    @Override
    public Status begin(String table, String key) {
        if (open != null) {
            throw new IllegalStateException("a transaction is open already");
        }
        if (settings.transactions() == EmbeddedSettings.TransactionKind.NONE) {
            return NO_TRANSACTIONS;
        }
        Optional<Choice> chosen = links.choose(table, key);
        if (chosen.isEmpty()) {
            LockSupport.parkNanos(PAUSE_NANOS);
            return Statuses.UNAVAILABLE;
        }
        try {
            open = new OpenTransaction(chosen.get(), settings);
            return Status.OK;
        } catch (RuntimeException e) {
            return ended(chosen.get(), e, false);
        }
    }

    @Override
    public Status readForUpdate(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return open == null ? Statuses.FAILED : inTransaction(() -> open.read(table, key, true, fields, result));
    }

    @Override
    public Status commit() {
        if (open == null) {
            return Statuses.FAILED;
        }
        OpenTransaction committing = open;
        open = null;
        try {
            committing.commit();
            return Status.OK;
        } catch (RuntimeException e) {
            return ended(committing.choice(), e, true);
        } finally {
            committing.rollback();
        }
    }

    @Override
    public void abort() {
        if (open != null) {
            open.rollback();
            open = null;
        }
    }

    private Status inTransaction(Supplier<Status> operation) {
        Status status;
        try {
            status = operation.get();
        } catch (RuntimeException e) {
            status = ended(open.choice(), e, false);
        }
        if (!status.isOk() && !status.equals(Status.NOT_FOUND)) {
            abort();
        }
        return status;
    }

    private Status ended(Choice choice, RuntimeException e, boolean committing) {
        if (ClientFailures.linkLost(e)) {
            links.lost(choice);
        }
        LOG.debug("a transaction at {} ended", choice.link().endpoint(), e);
        Status status = ClientFailures.ofTransaction(e, committing);
        if (status.equals(Statuses.UNAVAILABLE) || status.equals(Statuses.UNKNOWN)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return status;
    }

    /**
     * A node that passes an insert or delete on to a primary that then dies does it again, and may find its own first
     * attempt. So its "no" counts only if the cluster has not changed. It is asked always: whether it was the primary
     * itself is known only as of a moment before.
     */
    private Status denied(String table, Choice choice, Status no) {
        Status status = denied(no, choice.version(), links.versionNow(table, choice));
        if (status.equals(Statuses.UNKNOWN)) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
        return status;
    }

    /** @param now empty when that is not known */
    static Status denied(Status no, Routes.Version before, Optional<Routes.Version> now) {
        return now.filter(before::equals).isPresent() ? no : Statuses.UNKNOWN;
    }

    private Status run(
            String table,
            Optional<Choice> chosen,
            boolean write,
            BiFunction<ClientCache<String, byte[]>, Choice, Status> operation) {
        if (chosen.isEmpty()) {
            LockSupport.parkNanos(PAUSE_NANOS);
            return Statuses.UNAVAILABLE;
        }
        Choice choice = chosen.get();
        try {
            return operation.apply(choice.connection().table(table), choice);
        } catch (RuntimeException e) {
            if (ClientFailures.linkLost(e)) {
                links.lost(choice);
            }
            LOG.debug("an operation on {} at {} failed", table, choice.link().endpoint(), e);
            LockSupport.parkNanos(PAUSE_NANOS);
            return ClientFailures.status(e, write);
        }
    }
}

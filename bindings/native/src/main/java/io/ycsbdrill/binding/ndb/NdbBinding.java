package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.BadRequestException;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.ChecksProperties;
import io.ycsbdrill.binding.KeyOwners;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.Transactions;
import io.ycsbdrill.binding.ndb.client.ColumnSet;
import io.ycsbdrill.binding.ndb.client.NdbFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB on NDB Cluster or RonDB, through the engine's own client. Each operation is one transaction that begins at the node of
 * the key's primary replica, unless several are made one; nothing is retried, so every attempt is in the measurement. Properties, statuses and
 * behaviour under faults are in {@code docs/ndb-binding.md}.
 *
 * <p>One object per thread, as YCSB does it; objects with the same properties share connections.
 */
public class NdbBinding extends DB
        implements BulkInserts, ChecksProperties, KeyOwners, NodeReads, Reconnects, Transactions {
    private NdbProperties settings;
    private NdbThread thread;
    private NearestProof nearest;

    @Override
    public void checkProperties() throws DBException {
        NdbProperties.of(getProperties());
    }

    @Override
    public void checkInstallation() throws DBException {
        SharedClusters.installation(NdbProperties.of(getProperties()));
    }

    @Override
    public void init() throws DBException {
        NdbProperties checked = NdbProperties.of(getProperties());
        SharedNdbCluster cluster = SharedClusters.OPEN.acquire(checked);
        thread = new NdbThread(cluster, checked.fieldNames());
        nearest = cluster.nearest();
        settings = checked;
    }

    /** Harmless when called again, or without {@link #init}. */
    @Override
    public void cleanup() {
        if (thread != null) {
            thread.close();
            thread = null;
            SharedClusters.OPEN.release(settings);
        }
    }

    /** A connection counts as lost when the whole cluster is; the client library handles the loss of single data nodes. */
    @Override
    public List<Server> reconnects() {
        return thread == null ? List.of() : thread.reconnects();
    }

    /** A commit is acknowledged when all replicas have it, and reads see what was committed. */
    @Override
    public Guarantee guarantee() {
        return new Guarantee(true, 1);
    }

    @Override
    public Nodes nodes() {
        List<Node> nodes = settings.slots().nodes(settings.connectString());
        if (nodes.isEmpty()) {
            return Nodes.none("NDB clients read the row of the cluster, not the copy of one data node, unless "
                    + NodeSlots.PROPERTY + " is set");
        }
        return settings.sql().isEmpty()
                ? Nodes.none("without ndb.sql nothing tells which data node answers")
                : new Nodes(nodes, nodes.size(), Duration.ZERO, "");
    }

    @Override
    public Owners owners(String table) throws Exception {
        if (!thread.opens(table)) {
            return Owners.unknown("table " + table + " cannot be used");
        }
        return PrimaryReplicas.of(settings, NdbInstallation.find(settings.home(), System.getenv()), table);
    }

    @Override
    public int partition(String table, String key) {
        return thread.partition(table, key);
    }

    @Override
    public String doubt() {
        return nearest == null ? "" : nearest.doubt();
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return read(table, key, false, fields, result);
    }

    private Status read(
            String table, String key, boolean forUpdate, Set<String> fields, Map<String, ByteIterator> result) {
        return thread.run(table, "read", false, (rows, format) -> {
            ColumnSet columns = format.columns(fields);
            byte[][] values = new byte[rows.shape().columns().size()][];
            NdbFailure failure;
            if (forUpdate) {
                failure = rows.readForUpdate(format.key(key), columns, values);
            } else if (nearest == null || thread.inTransaction()) {
                failure = rows.read(format.key(key), columns, values);
            } else {
                nearest.reads();
                failure = rows.readNearest(format.key(key), columns, values);
            }
            if (failure == null) {
                format.fill(result, columns, values);
            }
            return failure;
        });
    }

    @Override
    public Status begin(String table, String key) {
        return thread.begin(table, key);
    }

    @Override
    public Status readForUpdate(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return thread.inTransaction() ? read(table, key, true, fields, result) : Statuses.FAILED;
    }

    @Override
    public Status commit() {
        return thread.commit();
    }

    @Override
    public void abort() {
        if (thread != null) {
            thread.abort();
        }
    }

    @Override
    public Status scan(
            String table,
            String startkey,
            int recordcount,
            Set<String> fields,
            Vector<HashMap<String, ByteIterator>> result) {
        if (recordcount < 1) {
            return recordcount == 0 ? Status.OK : Status.BAD_REQUEST;
        }
        return thread.run(table, "scan", false, (rows, format) -> {
            ColumnSet columns = format.columns(fields);
            List<byte[][]> found = new ArrayList<>(Math.min(recordcount, 1024));
            var failure = rows.scan(format.key(startkey), recordcount, settings.scanBatch(), columns, found);
            if (failure == null) {
                for (byte[][] values : found) {
                    HashMap<String, ByteIterator> row = new HashMap<>(columns.numbers().length * 2);
                    format.fill(row, columns, values);
                    result.add(row);
                }
            }
            return failure;
        });
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return thread.run(table, "update", true, (rows, format) -> rows.update(format.key(key), format.values(values)));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return thread.run(table, "insert", true, (rows, format) -> rows.insert(format.key(key), format.values(values)));
    }

    @Override
    public int rowsOfALoad() {
        return 100;
    }

    /** Inserts the rows in one transaction, each independently of the others. */
    @Override
    public List<Status> insertAll(String table, List<Row> rows) {
        NdbFailure[] failures = new NdbFailure[rows.size()];
        Status all = thread.run(table, "insert", true, (ndbRows, format) -> {
            List<Integer> sent = new ArrayList<>();
            List<byte[]> keys = new ArrayList<>();
            List<byte[][]> values = new ArrayList<>();
            for (int i = 0; i < failures.length; i++) {
                failures[i] = null;
                try {
                    byte[] key = format.key(rows.get(i).key());
                    values.add(format.values(rows.get(i).values()));
                    keys.add(key);
                    sent.add(i);
                } catch (BadRequestException e) {
                    failures[i] = NdbFailure.badRequest(e.getMessage());
                }
            }
            if (sent.isEmpty()) {
                return null;
            }
            NdbFailure[] ofSent = new NdbFailure[sent.size()];
            NdbFailure failure = ndbRows.insertAll(keys, values, ofSent);
            for (int i = 0; failure == null && i < ofSent.length; i++) {
                failures[sent.get(i)] = ofSent[i];
            }
            return failure;
        });
        List<Status> statuses = new ArrayList<>(failures.length);
        for (NdbFailure failure : failures) {
            if (failure == null) {
                statuses.add(all);
            } else {
                thread.report(failure, "insert");
                statuses.add(NdbStatuses.of(failure, true));
            }
        }
        return statuses;
    }

    @Override
    public Status delete(String table, String key) {
        return thread.run(table, "delete", true, (rows, format) -> rows.delete(format.key(key)));
    }
}

package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.ChecksProperties;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.OwnServer;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.Transactions;
import io.ycsbdrill.binding.jdbc.JdbcSettings.Reads;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.Vector;
import java.util.function.Function;
import java.util.stream.IntStream;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB on an SQL table, through JDBC. One connection per object; each operation is one transaction, unless several are made one; nothing is retried, so
 * every attempt is in the measurement. Properties, statuses and behaviour under faults are in {@code docs/jdbc.md}.
 *
 * <p>One object per thread, as YCSB does it; objects with the same properties share their knowledge of the servers.
 */
public class JdbcBinding extends DB
        implements BulkInserts, ChecksProperties, NodeReads, OwnServer, Reconnects, Transactions {
    /** Maximum number of parameters in a statement: PostgreSQL's limit, the smallest known. */
    private static final int MOST_PARAMETERS = 32_767;

    /** Within this time a replica is expected to have what is no longer written. */
    private static final Duration REPLICAS_SETTLE = Duration.ofSeconds(30);

    private JdbcSettings settings;
    private JdbcThread thread;
    private OptionalInt number = OptionalInt.empty();
    private String transactionTable;

    @Override
    public void checkProperties() throws DBException {
        new Connector(JdbcSettings.of(getProperties(), System.getenv()));
    }

    @Override
    public void thread(int ofAll) {
        number = OptionalInt.of(ofAll);
    }

    @Override
    public void init() throws DBException {
        JdbcSettings checked = JdbcSettings.of(getProperties(), System.getenv());
        thread = SharedServers.OPEN.join(
                checked, database -> new JdbcThread(database.connector(), database.servers(), number, checked));
        settings = checked;
    }

    /** Harmless when called again, or without {@link #init}. */
    @Override
    public void cleanup() {
        if (thread != null) {
            SharedServers.OPEN.leave(settings, thread);
            thread = null;
        }
    }

    @Override
    public Nodes nodes() throws SQLException, DBException {
        Connector connector = new Connector(settings);
        if (settings.url(0).isPostgresql()) {
            return new PostgresqlNodes(
                            settings.servers(), url -> PostgresqlNodes.identity(connector, url), REPLICAS_SETTLE)
                    .nodes();
        }
        return new GaleraNodes(settings.servers(), url -> GaleraNodes.facts(connector, url)).nodes();
    }

    /**
     * A PostgreSQL primary shows what it has acknowledged, and a client that writes reads from no standby; another client may, as long
     * as it has written nothing. Of other servers' promises nothing is known, nor of those behind a proxy that may send each statement to
     * another server. A replica may need a while to show what its primary has
     * acknowledged.
     */
    @Override
    public Guarantee guarantee() {
        if (settings != null && settings.reads() == Reads.ANY) {
            return new Guarantee(false, 1, REPLICAS_SETTLE);
        }
        return thread != null && direct() ? new Guarantee(true, 1, Duration.ZERO, true) : Guarantee.NONE;
    }

    /** False when no server can be asked now. */
    private boolean direct() {
        try {
            return PostgresqlNodes.direct(new Connector(settings), settings.servers());
        } catch (DBException e) {
            return false;
        }
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return thread.run(table, "read", false, (rows, link) -> rows.read(link, key, fields, result));
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
        return thread.run(table, "scan", false, (rows, link) -> rows.scan(link, startkey, recordcount, fields, result));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return thread.run(table, "update", true, (rows, link) -> rows.update(link, key, values));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return thread.run(table, "insert", true, (rows, link) -> rows.insert(link, key, values));
    }

    /**
     * Rows with the same fields go into one statement, which inserts all or none. When the server refuses one for a row's
     * sake, its rows are inserted one by one, so that each gets its own status.
     */
    @Override
    public List<Status> insertAll(String table, List<Row> rows) {
        List<Status> statuses = new ArrayList<>(rows.size());
        while (statuses.size() < rows.size()) {
            int from = statuses.size();
            Set<String> fields = rows.get(from).values().keySet();
            int most = Math.max(1, MOST_PARAMETERS / (1 + fields.size()));
            List<Row> together = new ArrayList<>();
            for (int i = from; i < rows.size() && together.size() < most; i++) {
                if (!rows.get(i).values().keySet().equals(fields)) {
                    break;
                }
                together.add(rows.get(i));
            }
            statuses.addAll(insertTogether(table, together));
        }
        return statuses;
    }

    private List<Status> insertTogether(String table, List<Row> rows) {
        // A refused statement and the single rows after it read the values twice.
        Map<String, Map<String, byte[]>> bytes = new HashMap<>();
        rows.forEach(row -> bytes.put(row.key(), bytes(row.values())));
        Function<Row, Row> fresh = row -> new Row(row.key(), iterators(bytes.get(row.key())));
        boolean[][] each = new boolean[1][];
        Status status = thread.run(table, "insert", true, (tableRows, link) -> {
            List<Row> sent = rows.stream().map(fresh).toList();
            if (tableRows.transactions()) {
                return tableRows.insertAll(link, sent);
            }
            each[0] = tableRows.insertEach(link, sent);
            return true;
        });
        if (each[0] != null) {
            // The server says of a row that is missing neither why nor whether it may come yet.
            return IntStream.range(0, rows.size())
                    .mapToObj(i -> each[0][i] ? Status.OK : Statuses.UNKNOWN)
                    .toList();
        }
        if (rows.size() == 1 || !refused(status)) {
            return Collections.nCopies(rows.size(), status);
        }
        return rows.stream()
                .map(fresh)
                .map(row -> insert(table, row.key(), row.values()))
                .toList();
    }

    /** Whether nothing was inserted and one row may be the reason. */
    private static boolean refused(Status status) {
        return status.equals(Statuses.DUPLICATE_KEY)
                || status.equals(Status.BAD_REQUEST)
                || status.equals(Statuses.FAILED);
    }

    private static Map<String, byte[]> bytes(Map<String, ByteIterator> values) {
        Map<String, byte[]> bytes = new HashMap<>();
        values.forEach((field, value) -> bytes.put(field, value.toArray()));
        return bytes;
    }

    private static Map<String, ByteIterator> iterators(Map<String, byte[]> bytes) {
        Map<String, ByteIterator> values = new HashMap<>();
        bytes.forEach((field, value) -> values.put(field, new ByteArrayByteIterator(value)));
        return values;
    }

    @Override
    public Status delete(String table, String key) {
        return thread.run(table, "delete", true, (rows, link) -> rows.delete(link, key));
    }

    /** The connection leaves autocommit for good: single operations are then committed by a request of their own. */
    @Override
    public Status begin(String table, String key) {
        transactionTable = table;
        return thread.begin(table);
    }

    @Override
    public Status readForUpdate(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return thread.inTransaction()
                ? thread.run(table, "read", false, (rows, link) -> rows.readForUpdate(link, key, fields, result))
                : Statuses.FAILED;
    }

    @Override
    public Status commit() {
        return thread.commit(transactionTable);
    }

    @Override
    public void abort() {
        if (thread != null) {
            thread.abort();
        }
    }

    @Override
    public List<Reconnects.Server> reconnects() {
        return thread == null ? List.of() : thread.reconnects();
    }
}

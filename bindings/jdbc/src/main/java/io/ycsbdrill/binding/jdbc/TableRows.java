package io.ycsbdrill.binding.jdbc;

import io.ycsbdrill.binding.BadRequestException;
import io.ycsbdrill.binding.BulkInserts;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.stream.Collectors;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * One table through one connection: its statements, prepared once per operation and set of fields. Each method returns
 * whether there was such a row. Owned by one thread.
 */
final class TableRows implements AutoCloseable {
    private final Connection connection;
    private final TableShape shape;
    private final int fetchSize;
    private final Map<String, Column> byAnyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final StatementCache reads = new StatementCache(this::prepareRead);
    private final StatementCache readsForUpdate = new StatementCache(this::prepareReadForUpdate);
    private final StatementCache scans = new StatementCache(this::prepareScan);
    private final StatementCache updates = new StatementCache(this::prepareUpdate);
    private final StatementCache inserts = new StatementCache(fields -> prepareInsert(fields, 1));
    /** Statements by number of rows. */
    private final Map<Integer, StatementCache> bulkInserts = new HashMap<>();

    private PreparedStatement delete;

    TableRows(Connection connection, TableShape shape, int fetchSize) {
        this.connection = connection;
        this.shape = shape;
        this.fetchSize = fetchSize;
        shape.fields().forEach(column -> byAnyCase.put(column.name(), column));
    }

    /** A prepared statement and the columns that its parameters or results stand for, in order. */
    record Prepared(PreparedStatement statement, Column[] columns) {}

    boolean read(Link link, String key, Set<String> fields, Map<String, ByteIterator> result)
            throws SQLException, BadRequestException {
        return read(link, reads.of(fields), key, result);
    }

    /** Reads a row and locks it until the end of the transaction. */
    boolean readForUpdate(Link link, String key, Set<String> fields, Map<String, ByteIterator> result)
            throws SQLException, BadRequestException {
        return read(link, readsForUpdate.of(fields), key, result);
    }

    /** Whether several statements can be one transaction, and one statement inserts all of its rows or none. */
    boolean transactions() {
        return shape.dialect().transactions();
    }

    private boolean read(Link link, Prepared read, String key, Map<String, ByteIterator> result)
            throws SQLException, BadRequestException {
        shape.key().bindText(read.statement, 1, key);
        link.sending();
        byte[][] values;
        try (ResultSet rows = read.statement.executeQuery()) {
            if (!rows.next()) {
                link.commit();
                return false;
            }
            values = values(rows, read.columns);
        }
        link.commit();
        for (int i = 0; i < values.length; i++) {
            fill(result, read.columns[i], values[i]);
        }
        return true;
    }

    boolean scan(Link link, String start, int limit, Set<String> fields, Vector<HashMap<String, ByteIterator>> result)
            throws SQLException, BadRequestException {
        Prepared scan = scans.of(fields);
        shape.key().bindText(scan.statement, 1, start);
        scan.statement.setInt(2, limit);
        link.sending();
        List<HashMap<String, ByteIterator>> found = new ArrayList<>(Math.min(limit, 1024));
        try (ResultSet rows = scan.statement.executeQuery()) {
            while (rows.next()) {
                HashMap<String, ByteIterator> row = new HashMap<>(scan.columns.length * 4 / 3 + 1);
                for (int i = 0; i < scan.columns.length; i++) {
                    fill(row, scan.columns[i], scan.columns[i].value(rows, i + 1));
                }
                found.add(row);
            }
        }
        link.commit();
        result.addAll(found);
        return true;
    }

    boolean update(Link link, String key, Map<String, ByteIterator> values) throws SQLException, BadRequestException {
        if (values.isEmpty()) {
            throw new BadRequestException("an update without fields");
        }
        Prepared update = updates.of(values.keySet());
        bind(update, 1, values);
        shape.key().bindText(update.statement, update.columns.length + 1, key);
        return write(link, update.statement);
    }

    boolean insert(Link link, String key, Map<String, ByteIterator> values) throws SQLException, BadRequestException {
        Prepared insert = inserts.of(values.keySet());
        shape.key().bindText(insert.statement, 1, key);
        bind(insert, 2, values);
        if (!write(link, insert.statement)) {
            throw new SQLException("the server accepted the insert but reports that it added no row");
        }
        return true;
    }

    /**
     * Inserts rows with the same fields by one request, each row independently of the others.
     *
     * @return whether the server has confirmed the row, by row
     */
    boolean[] insertEach(Link link, List<BulkInserts.Row> rows) throws SQLException, BadRequestException {
        Prepared insert = inserts.of(rows.get(0).values().keySet());
        insert.statement.clearBatch();
        for (BulkInserts.Row row : rows) {
            shape.key().bindText(insert.statement, 1, row.key());
            bind(insert, 2, row.values());
            insert.statement.addBatch();
        }
        link.sending();
        int[] counts = executed(insert.statement);
        boolean[] inserted = new boolean[rows.size()];
        for (int i = 0; i < inserted.length && i < counts.length; i++) {
            inserted[i] = counts[i] == 1;
        }
        return inserted;
    }

    /** The result when such a request fails: the reason belongs to one row, and nothing is known of the others. */
    private static int[] executed(PreparedStatement batch) throws SQLException {
        try {
            return batch.executeBatch();
        } catch (BatchUpdateException e) {
            if (JdbcStatuses.brokenLink(Failure.of(e, true, false))) {
                throw e;
            }
            throw new SQLException(e.getMessage(), e);
        }
    }

    /** Inserts rows with the same fields by one statement, which inserts all or none. */
    boolean insertAll(Link link, List<BulkInserts.Row> rows) throws SQLException, BadRequestException {
        Prepared insert = bulkInserts
                .computeIfAbsent(rows.size(), size -> new StatementCache(fields -> prepareInsert(fields, size)))
                .of(rows.get(0).values().keySet());
        int parameter = 1;
        for (BulkInserts.Row row : rows) {
            shape.key().bindText(insert.statement, parameter, row.key());
            bind(insert, parameter + 1, row.values());
            parameter += 1 + insert.columns.length;
        }
        link.sending();
        int inserted = insert.statement.executeUpdate();
        link.commit();
        if (inserted != rows.size()) {
            throw new SQLException("the server accepted an insert of " + rows.size() + " rows but reports " + inserted);
        }
        return true;
    }

    boolean delete(Link link, String key) throws SQLException {
        if (delete == null) {
            delete = connection.prepareStatement("DELETE FROM " + table() + " WHERE " + keyName() + " = ?");
        }
        shape.key().bindText(delete, 1, key);
        return write(link, delete);
    }

    /** Closes the prepared statements, which frees them on the server. */
    @Override
    public void close() {
        for (StatementCache cache : List.of(reads, readsForUpdate, scans, updates, inserts)) {
            cache.close();
        }
        bulkInserts.values().forEach(StatementCache::close);
        if (delete != null) {
            StatementCache.close(delete);
        }
    }

    private static boolean write(Link link, PreparedStatement statement) throws SQLException {
        link.sending();
        boolean any = statement.executeUpdate() > 0;
        link.commit();
        return any;
    }

    private static void bind(Prepared prepared, int first, Map<String, ByteIterator> values)
            throws SQLException, BadRequestException {
        for (int i = 0; i < prepared.columns.length; i++) {
            Column column = prepared.columns[i];
            column.bind(
                    prepared.statement, first + i, values.get(column.field()).toArray());
        }
    }

    private static byte[][] values(ResultSet row, Column... columns) throws SQLException {
        byte[][] values = new byte[columns.length][];
        for (int i = 0; i < columns.length; i++) {
            values[i] = columns[i].value(row, i + 1);
        }
        return values;
    }

    /** Reads the columns of a row; those that are NULL are left out. */
    private static void fill(Map<String, ByteIterator> result, Column column, byte[] value) {
        if (value != null) {
            result.put(column.field(), new ByteArrayByteIterator(value));
        }
    }

    private Prepared prepareRead(Set<String> fields) throws SQLException, BadRequestException {
        Column[] columns = columns(fields);
        return prepared("SELECT " + list(columns) + " FROM " + table() + " WHERE " + keyName() + " = ?", columns);
    }

    private Prepared prepareReadForUpdate(Set<String> fields) throws SQLException, BadRequestException {
        Column[] columns = columns(fields);
        return prepared(
                "SELECT " + list(columns) + " FROM " + table() + " WHERE " + keyName() + " = ? FOR UPDATE", columns);
    }

    private Prepared prepareScan(Set<String> fields) throws SQLException, BadRequestException {
        Column[] columns = columns(fields);
        Prepared scan = prepared(
                "SELECT " + list(columns) + " FROM " + table() + " WHERE " + keyName() + " >= ? ORDER BY " + keyName()
                        + " LIMIT ?",
                columns);
        if (fetchSize > 0) {
            scan.statement.setFetchSize(fetchSize);
        }
        return scan;
    }

    private Prepared prepareUpdate(Set<String> fields) throws SQLException, BadRequestException {
        Column[] columns = columns(fields);
        String assignments = List.of(columns).stream()
                .map(c -> shape.quoted(c.name()) + " = ?")
                .collect(Collectors.joining(", "));
        return prepared("UPDATE " + table() + " SET " + assignments + " WHERE " + keyName() + " = ?", columns);
    }

    private Prepared prepareInsert(Set<String> fields, int rows) throws SQLException, BadRequestException {
        Column[] columns = columns(fields);
        String names = columns.length == 0 ? keyName() : keyName() + ", " + list(columns);
        String row = "(?" + ", ?".repeat(columns.length) + ")";
        return prepared(
                "INSERT INTO " + table() + " (" + names + ") VALUES " + row + (", " + row).repeat(rows - 1), columns);
    }

    private Prepared prepared(String sql, Column... columns) throws SQLException {
        return new Prepared(connection.prepareStatement(sql), columns);
    }

    /** @param fields null for all; the columns then name themselves as the caller does */
    private Column[] columns(Set<String> fields) throws BadRequestException {
        if (fields == null) {
            return shape.fields().toArray(Column[]::new);
        }
        Column[] columns = new Column[fields.size()];
        int i = 0;
        for (String field : fields) {
            Column column = byAnyCase.get(field);
            if (column == null) {
                throw new BadRequestException(
                        "no field " + field + " in table " + shape.table() + "; it has " + byAnyCase.keySet());
            }
            columns[i++] = column.named(field);
        }
        return columns;
    }

    private String table() {
        return shape.quoted(shape.table());
    }

    private String keyName() {
        return shape.quoted(shape.key().name());
    }

    /** Selects at least one column, even when no field is requested. */
    private String list(Column... columns) {
        if (columns.length == 0) {
            return keyName();
        }
        return List.of(columns).stream().map(c -> shape.quoted(c.name())).collect(Collectors.joining(", "));
    }
}

package io.ycsbdrill.binding.rest;

import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.ChecksProperties;
import io.ycsbdrill.binding.NodeReads;
import io.ycsbdrill.binding.OwnServer;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.rest.dialect.Dialect;
import io.ycsbdrill.binding.rest.http.Endpoint;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.Vector;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB on a server with an HTTP interface. Nothing is retried, so every attempt is in the measurement. Properties, dialects,
 * statuses and behaviour under faults are in {@code docs/rest.md}.
 *
 * <p>One object per thread, as YCSB does it; objects with the same properties share their knowledge of the servers.
 */
public class RestBinding extends DB implements BulkInserts, ChecksProperties, NodeReads, OwnServer, Reconnects {
    private RestSettings settings;
    private Dialect dialect;
    private RestThread thread;
    private OptionalInt number = OptionalInt.empty();

    @Override
    public void checkProperties() throws DBException {
        RestSettings.of(getProperties(), System.getenv());
    }

    @Override
    public Optional<String> insertsOnly() throws DBException {
        return RestSettings.of(getProperties(), System.getenv()).dialect().insertsOnly();
    }

    @Override
    public void thread(int ofAll) {
        number = OptionalInt.of(ofAll);
    }

    @Override
    public void init() throws DBException {
        RestSettings checked = RestSettings.of(getProperties(), System.getenv());
        thread = RestServers.OPEN.join(checked, servers -> new RestThread(servers, number));
        settings = checked;
        dialect = checked.dialect();
    }

    /** Harmless when called again, or without {@link #init}. */
    @Override
    public void cleanup() {
        if (thread != null) {
            RestServers.OPEN.leave(settings, thread);
            thread = null;
        }
    }

    @Override
    public Guarantee guarantee() {
        return dialect.guarantee();
    }

    /** The endpoints, where each server answers from its own copy. */
    @Override
    public Nodes nodes() throws IOException {
        return thread.ask(http -> dialect.nodes(
                http,
                settings.http().endpoints().stream().map(Endpoint::toString).toList()));
    }

    @Override
    public Status read(String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return thread.run("READ", false, status -> status, http -> dialect.read(http, table, key, fields, result));
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
        Dialect.Scan scan = new Dialect.Scan(table, startkey, recordcount, fields, result);
        return thread.run("SCAN", false, status -> status, http -> dialect.scan(http, scan));
    }

    @Override
    public Status update(String table, String key, Map<String, ByteIterator> values) {
        return thread.run("UPDATE", true, status -> status, http -> dialect.update(http, table, key, values));
    }

    @Override
    public Status insert(String table, String key, Map<String, ByteIterator> values) {
        return thread.run("INSERT", true, status -> status, http -> dialect.insert(http, table, key, values));
    }

    /** Inserts the rows by one request where the server supports that, otherwise row by row. */
    @Override
    public List<Status> insertAll(String table, List<Row> rows) {
        if (dialect instanceof Dialect.Bulk bulk) {
            return thread.run(
                    "INSERT",
                    true,
                    status -> Collections.nCopies(rows.size(), status),
                    http -> bulk.insertAll(http, table, rows));
        }
        return rows.stream().map(row -> insert(table, row.key(), row.values())).toList();
    }

    @Override
    public Status delete(String table, String key) {
        return thread.run("DELETE", true, status -> status, http -> dialect.delete(http, table, key));
    }

    @Override
    public List<Reconnects.Server> reconnects() {
        return thread == null ? List.of() : thread.reconnects();
    }
}

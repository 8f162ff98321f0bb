package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.NodeReads.Guarantee;
import io.ycsbdrill.binding.NodeReads.Nodes;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Reply;
import io.ycsbdrill.binding.rest.http.Request;
import io.ycsbdrill.binding.rest.http.StatusTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * The HTTP endpoint of the embedded cluster's nodes ({@code docs/embedded.md} has its requests and replies).
 *
 * @param table created when it is missing
 * @param local whether reads give the copy of the node that is asked, whatever the others have
 */
record IgniteDialect(String table, boolean local) implements Dialect.Bulk {
    private static final JsonRow ROW = new JsonRow(StandardCharsets.ISO_8859_1);
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final StatusTable STATUSES = StatusTable.HTTP
            .with(Status.NOT_FOUND, NOT_FOUND)
            .with(Statuses.DUPLICATE_KEY, CONFLICT)
            .with(Statuses.FAILED, 410)
            .with(Statuses.NOT_HELD, 421)
            .with(Statuses.UNAVAILABLE, 503);

    static IgniteDialect of(BindingProperties properties) {
        return new IgniteDialect(properties.text("table", "usertable"), properties.flag("rest.ignite.local", false));
    }

    /** The primary copy answers, unless a node's own storage is read. */
    @Override
    public Guarantee guarantee() {
        return new Guarantee(true, 1);
    }

    @Override
    public StatusTable statuses() {
        return STATUSES;
    }

    @Override
    public void prepare(Exchange http) throws IOException, DBException {
        http.changing("PUT").path("/tables").segment(table);
        http.require();
    }

    @Override
    public void probe(Exchange http) throws IOException {
        http.asking("GET").path("/tables").segment(table);
        http.require();
    }

    @Override
    public Nodes nodes(Exchange http, List<String> endpoints) throws IOException {
        http.asking("GET").path("/tables").segment(table);
        http.require();
        int copies = 0;
        int nodes = 0;
        try (JsonParser in = http.last().json()) {
            JsonRow.expect(in, in.nextToken(), JsonToken.START_OBJECT);
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String name = in.currentName();
                int value = in.nextIntValue(0);
                copies = name.equals("copies") ? value : copies;
                nodes = name.equals("nodes") ? value : nodes;
            }
        }
        return endpoints.size() == nodes
                ? EndpointNodes.of(endpoints, copies, Duration.ZERO, Map.of("rest.ignite.local", "true"))
                : Nodes.none("rest.endpoints names " + endpoints.size() + " of " + nodes + " nodes; name all of them to"
                        + " have their copies compared");
    }

    @Override
    public Status read(Exchange http, String table, String key, Set<String> fields, Map<String, ByteIterator> result)
            throws IOException {
        Request request = row(http.asking("GET"), table, key);
        if (local) {
            request.query("copy", "local");
        }
        fields(request, fields);
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return http.status(reply);
        }
        try (JsonParser in = reply.json()) {
            in.nextToken();
            ROW.read(in, fields, null, result);
        }
        return Status.OK;
    }

    @Override
    public Status scan(Exchange http, Scan scan) throws IOException {
        Request request =
                http.asking("GET").path("/tables").segment(scan.table()).path("/rows");
        fields(request.query("from", scan.start()).query("limit", Integer.toString(scan.count())), scan.fields());
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return http.status(reply);
        }
        try (JsonParser in = reply.json()) {
            in.nextToken();
            scan.addAll(in, row -> ROW.read(in, scan.fields(), null, row));
        }
        return Status.OK;
    }

    @Override
    public Status insert(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        return write(http, "POST", table, key, values);
    }

    @Override
    public Status update(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        return write(http, "PATCH", table, key, values);
    }

    @Override
    public Status delete(Exchange http, String table, String key) throws IOException {
        row(http.changing("DELETE"), table, key);
        return done(http);
    }

    @Override
    public List<Status> insertAll(Exchange http, String table, List<BulkInserts.Row> rows) throws IOException {
        JsonGenerator out = http.changing("POST")
                .path("/tables")
                .segment(table)
                .path("/rows")
                .json();
        out.writeStartObject();
        for (BulkInserts.Row row : rows) {
            out.writeObjectFieldStart(row.key());
            ROW.write(out, row.values());
            out.writeEndObject();
        }
        out.writeEndObject();
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return Collections.nCopies(rows.size(), http.status(reply));
        }
        List<Status> statuses = new ArrayList<>(rows.size());
        try (JsonParser in = reply.json()) {
            JsonRow.expect(in, in.nextToken(), JsonToken.START_ARRAY);
            while (in.nextToken() != JsonToken.END_ARRAY) {
                int code = in.getIntValue();
                statuses.add(code == 201 ? Status.OK : STATUSES.of(code, true));
            }
        }
        return Bulk.each(rows, statuses);
    }

    private static Status write(
            Exchange http, String method, String table, String key, Map<String, ByteIterator> values)
            throws IOException {
        JsonGenerator out = row(http.changing(method), table, key).json();
        out.writeStartObject();
        ROW.write(out, values);
        out.writeEndObject();
        return done(http);
    }

    private static Status done(Exchange http) throws IOException {
        Reply reply = http.send();
        return reply.isSuccess() ? Status.OK : http.status(reply);
    }

    private static Request row(Request request, String table, String key) {
        return request.path("/tables").segment(table).path("/rows").segment(key);
    }

    private static void fields(Request request, Set<String> fields) {
        if (fields != null) {
            fields.forEach(field -> request.query("field", field));
        }
    }
}

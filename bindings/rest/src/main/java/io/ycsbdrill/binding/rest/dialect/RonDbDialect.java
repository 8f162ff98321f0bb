package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.NodeReads.Guarantee;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Reply;
import io.ycsbdrill.binding.rest.http.Request;
import io.ycsbdrill.binding.rest.http.StatusTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * RonDB's REST server. A single write is a batch of one: there is no other way.
 *
 * @param version of the API, which is part of each path
 * @param writes whether the server must be able to write
 */
record RonDbDialect(String database, String table, String version, RonDbColumns columns, boolean writes)
        implements Dialect.Bulk {
    private static final String ABSENT_KEY = "ycsb-drill-no-such-key";

    static RonDbDialect of(BindingProperties properties) {
        String version = properties.text("rest.rondb.version", "0.1.0");
        if (!List.of("0.1.0", "0.2.0").contains(version)) {
            properties.problem("rest.rondb.version", version, "0.1.0 or 0.2.0");
        }
        return new RonDbDialect(
                properties.text("rest.rondb.database", "ycsb"),
                properties.text("table", "usertable"),
                version,
                RonDbColumns.of(properties),
                properties.flag("rest.rondb.writes", WorkloadFields.writes(properties)));
    }

    /** The same value as with the NDB API below it. */
    @Override
    public Guarantee guarantee() {
        return new Guarantee(true, 1);
    }

    @Override
    public StatusTable statuses() {
        return StatusTable.HTTP;
    }

    @Override
    public boolean makesTable() {
        return false;
    }

    @Override
    public void prepare(Exchange http) throws IOException, DBException {
        probe(http);
        askForRow(http, table, ABSENT_KEY, null);
        Reply reply = http.send();
        boolean there = reply.isSuccess() || reply.code() == 404 && !RonDbErrors.isNoTable(reply.line());
        if (!there) {
            throw new DBException(
                    "the table " + database + "." + table + " with the columns " + columns.key() + ", "
                            + String.join(", ", columns.columns().values()) + " cannot be read (" + reply.line()
                            + "); see rest.rondb.* in docs/rest.md for other names, or create it with the native or jdbc binding");
        }
        if (writes) {
            requireWrites(http);
        }
    }

    /** The change of a row that does not exist changes nothing, but needs the endpoint and the right to write. */
    private void requireWrites(Exchange http) throws IOException, DBException {
        writeRows(
                http.asking("POST"),
                table,
                "pk-update",
                List.of(new BulkInserts.Row(
                        ABSENT_KEY, Map.of(columns.allFields().get(0), new ByteArrayByteIterator(new byte[] {'x'})))));
        Reply reply = http.send();
        if (reply.code() == 404 || reply.code() == 405) {
            throw new DBException("this RonDB REST server cannot write: it has no /" + version + "/batchwrite ("
                    + reply.line()
                    + "), which servers before 2026 do not have. Load with the native or jdbc binding and"
                    + " run a workload that only reads (workloadc), or set rest.rondb.writes=false: then every write is"
                    + " counted as not implemented");
        }
        if (!reply.isSuccess()) {
            throw new DBException("this RonDB REST server rejected the write: " + reply.line()
                    + "; check rest.api-key, or set rest.rondb.writes=false to read only");
        }
    }

    /** In both versions it is asked as 0.1.0. */
    @Override
    public void probe(Exchange http) throws IOException {
        http.asking("GET").path("/0.1.0/health");
        Reply reply = http.send();
        if (reply.isSuccess()) {
            if (!new String(reply.body(), StandardCharsets.UTF_8).strip().equals("1")) {
                throw new IOException("the REST server has no connection to the cluster (health is not 1)");
            }
        } else if (reply.code() == 404) {
            // Older servers have no health; a ping is all that they know.
            http.asking("GET").path("/0.1.0/ping");
            http.require();
        } else {
            throw new IOException("/0.1.0/health: " + reply.line());
        }
    }

    @Override
    public Status read(Exchange http, String table, String key, Set<String> fields, Map<String, ByteIterator> result)
            throws IOException {
        askForRow(http, table, key, fields);
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return RonDbErrors.ofOne(reply, false);
        }
        try (JsonParser in = reply.json()) {
            JsonRow.enter(in, "data");
            columns.read(in, fields, result);
        }
        return Status.OK;
    }

    private void askForRow(Exchange http, String table, String key, Set<String> fields) throws IOException {
        JsonGenerator out = operation(http.asking("POST"), table, "/pk-read").json();
        out.writeStartObject();
        columns.writeKey(out, key);
        columns.writeNames(out, fields, false);
        out.writeEndObject();
    }

    @Override
    public Status scan(Exchange http, Scan scan) throws IOException {
        JsonGenerator out =
                operation(http.asking("POST"), scan.table(), "/scan").json();
        out.writeStartObject();
        out.writeNumberField("limit", scan.count());
        // Without the key the server may fail (NDB error 4341).
        columns.writeNames(out, scan.fields(), true);
        out.writeObjectFieldStart("index");
        out.writeStringField("name", "PRIMARY");
        out.writeArrayFieldStart("key_columns");
        out.writeString(columns.key());
        out.writeEndArray();
        out.writeStringField("order", "asc");
        out.writeArrayFieldStart("ranges");
        out.writeStartObject();
        out.writeObjectFieldStart("lower");
        out.writeArrayFieldStart("values");
        out.writeString(columns.text(scan.start().getBytes(StandardCharsets.UTF_8)));
        out.writeEndArray();
        out.writeBooleanField("inclusive", true);
        out.writeEndObject();
        out.writeEndObject();
        out.writeEndArray();
        out.writeEndObject();
        out.writeEndObject();
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            // 404 is never a row here.
            return reply.code() == 404 ? Statuses.FAILED : RonDbErrors.ofOne(reply, false);
        }
        try (JsonParser in = reply.json()) {
            JsonRow.enter(in, "data");
            scan.addAll(in, row -> columns.read(in, scan.fields(), row));
        }
        return Status.OK;
    }

    @Override
    public Status insert(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        return change(http, table, "pk-insert", key, values);
    }

    @Override
    public Status update(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        return change(http, table, "pk-update", key, values);
    }

    @Override
    public Status delete(Exchange http, String table, String key) throws IOException {
        return change(http, table, "pk-delete", key, Map.of());
    }

    @Override
    public List<Status> insertAll(Exchange http, String table, List<BulkInserts.Row> rows) throws IOException {
        return changeAll(http, table, "pk-insert", rows);
    }

    private Status change(Exchange http, String table, String what, String key, Map<String, ByteIterator> values)
            throws IOException {
        return changeAll(http, table, what, List.of(new BulkInserts.Row(key, values)))
                .get(0);
    }

    private List<Status> changeAll(Exchange http, String table, String what, List<BulkInserts.Row> rows)
            throws IOException {
        if (!writes) {
            return Collections.nCopies(rows.size(), Status.NOT_IMPLEMENTED);
        }
        Request request = http.changing(what.equals("pk-delete") ? "DELETE" : "POST");
        writeRows(request, table, what, rows);
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            boolean several = rows.size() > 1 || reply.code() == 404;
            return Collections.nCopies(
                    rows.size(), several ? RonDbErrors.ofSeveral(reply) : RonDbErrors.ofOne(reply, true));
        }
        List<Status> statuses = new ArrayList<>(rows.size());
        try (JsonParser in = reply.json()) {
            JsonRow.enter(in, "result");
            JsonRow.expect(in, in.currentToken(), JsonToken.START_ARRAY);
            while (in.nextToken() != JsonToken.END_ARRAY) {
                statuses.add(rowStatus(in));
            }
        }
        return Bulk.each(rows, statuses);
    }

    private void writeRows(Request request, String table, String what, List<BulkInserts.Row> rows) throws IOException {
        boolean delete = what.equals("pk-delete");
        JsonGenerator out = request.path("/" + version + (delete ? "/batchdelete" : "/batchwrite"))
                .json();
        out.writeStartObject();
        out.writeArrayFieldStart("operations");
        for (BulkInserts.Row row : rows) {
            out.writeStartObject();
            out.writeStringField("method", "POST");
            out.writeStringField("relative-url", database + "/" + table + "/" + what);
            out.writeObjectFieldStart("body");
            columns.writeKey(out, row.key());
            if (!delete) {
                columns.writeValues(out, row.values());
            }
            out.writeEndObject();
            out.writeEndObject();
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** One of the results: {@code {"code":200,"body":{...}}}. */
    private static Status rowStatus(JsonParser in) throws IOException {
        JsonRow.expect(in, in.currentToken(), JsonToken.START_OBJECT);
        int code = 0;
        boolean noTable = false;
        int depth = 1;
        while (depth > 0) {
            JsonToken token = in.nextToken();
            if (token == null) {
                throw new IOException("the reply ends within a result");
            } else if (token.isStructStart()) {
                depth++;
            } else if (token.isStructEnd()) {
                depth--;
            } else if (depth == 1
                    && token == JsonToken.VALUE_NUMBER_INT
                    && in.currentName().equals("code")) {
                code = in.getIntValue();
            } else if (token == JsonToken.VALUE_STRING) {
                noTable |= RonDbErrors.isNoTable(in.getText());
            }
        }
        if (code == 404 && noTable) {
            return Statuses.FAILED;
        }
        return code == 200 ? Status.OK : RonDbErrors.ROWS.of(code, true);
    }

    private Request operation(Request request, String table, String suffix) {
        return request.path("/" + version).segment(database).segment(table).path(suffix);
    }
}

package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Reply;
import io.ycsbdrill.binding.rest.http.Request;
import io.ycsbdrill.binding.rest.http.StatusTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/** HarperDB's operations API, for loads: inserts of one or many rows. What else there is goes by {@link HarperDbDialect}. */
record HarperDbOperationsDialect(String database, String table) implements Dialect.Bulk {
    private static final String KEY = "id";
    private static final JsonRow ROW = new JsonRow(StandardCharsets.ISO_8859_1);

    static HarperDbOperationsDialect of(BindingProperties properties) {
        return new HarperDbOperationsDialect(database(properties), properties.text("table", "usertable"));
    }

    static String database(BindingProperties properties) {
        return properties.text("rest.harperdb-operations.database", "ycsb");
    }

    @Override
    public Optional<String> insertsOnly() {
        return Optional.of(
                "rest.dialect=harperdb-operations can only insert; to read and change rows use rest.dialect=harperdb,"
                        + " with rest.endpoints at the REST interface (port 9926)");
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
        describe(http, database, table, "rest.endpoints must be its addresses (port 9925), not those of REST");
    }

    /** @param advice for who has no such table there */
    private static Reply describe(Exchange http, String database, String table, String advice)
            throws IOException, DBException {
        JsonGenerator out = operation(http.asking("POST"), "describe_table", database, table);
        out.writeEndObject();
        Reply reply = http.send();
        HarperDbDialect.requireLogin(reply);
        if (!reply.isSuccess()) {
            throw new DBException("HarperDB's operations API has no table " + database + "." + table + " ("
                    + reply.line() + "); " + advice);
        }
        return reply;
    }

    /** How long rows of a table stay after their last write, as {@code 60s}; empty when they stay for ever. */
    static String expiration(Exchange http, String database, String table) throws IOException, DBException {
        Reply reply =
                describe(http, database, table, "set rest.harperdb-operations.database to the database that it is in");
        String found = "";
        try (JsonParser in = reply.json()) {
            JsonRow.expect(in, in.nextToken(), JsonToken.START_OBJECT);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String member = in.currentName();
                in.nextToken();
                if (member.equals("expiration")) {
                    found = in.getText();
                } else {
                    in.skipChildren();
                }
            }
        }
        return found;
    }

    @Override
    public void probe(Exchange http) throws IOException {
        http.asking("GET").path("/health");
        http.require();
    }

    @Override
    public Status insert(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        return insertAll(http, table, List.of(new BulkInserts.Row(key, values))).get(0);
    }

    /** Inserts the rows; those that exist already are skipped. */
    @Override
    public List<Status> insertAll(Exchange http, String table, List<BulkInserts.Row> rows) throws IOException {
        JsonGenerator out = operation(http.changing("POST"), "insert", database, table);
        ROW.writeAll(out, "records", KEY, rows);
        out.writeEndObject();
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return Collections.nCopies(rows.size(), http.status(reply));
        }
        Set<String> inserted = new HashSet<>();
        Set<String> skipped = new HashSet<>();
        read(reply, inserted, skipped);
        return rows.stream()
                .map(row -> inserted.contains(row.key())
                        ? Status.OK
                        : skipped.contains(row.key()) ? Statuses.DUPLICATE_KEY : Statuses.UNKNOWN)
                .toList();
    }

    private static JsonGenerator operation(Request request, String name, String database, String table)
            throws IOException {
        JsonGenerator out = request.path("/").json();
        out.writeStartObject();
        out.writeStringField("operation", name);
        out.writeStringField("database", database);
        out.writeStringField("table", table);
        return out;
    }

    private static void read(Reply reply, Set<String> inserted, Set<String> skipped) throws IOException {
        try (JsonParser in = reply.json()) {
            JsonRow.expect(in, in.nextToken(), JsonToken.START_OBJECT);
            while (in.nextToken() == JsonToken.FIELD_NAME) {
                String member = in.currentName();
                in.nextToken();
                if (member.equals("inserted_hashes")) {
                    keys(in, inserted);
                } else if (member.equals("skipped_hashes")) {
                    keys(in, skipped);
                } else {
                    in.skipChildren();
                }
            }
        }
    }

    private static void keys(JsonParser in, Set<String> to) throws IOException {
        JsonRow.expect(in, in.currentToken(), JsonToken.START_ARRAY);
        while (in.nextToken() != JsonToken.END_ARRAY) {
            to.add(in.getText());
        }
    }

    @Override
    public Status read(Exchange http, String table, String key, Set<String> fields, Map<String, ByteIterator> result) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status scan(Exchange http, Scan scan) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status update(Exchange http, String table, String key, Map<String, ByteIterator> values) {
        return Status.NOT_IMPLEMENTED;
    }

    @Override
    public Status delete(Exchange http, String table, String key) {
        return Status.NOT_IMPLEMENTED;
    }
}

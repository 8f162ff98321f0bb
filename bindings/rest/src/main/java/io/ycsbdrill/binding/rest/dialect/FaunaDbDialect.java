package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
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
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * FaunaDB's query language FQL v10. A row is a document with its key in a field of its own, which an index finds, since the
 * ids of documents are numbers.
 *
 * @param ttl how long a document stays after its last write; empty for ever
 * @param create whether to make the collection when it is missing
 */
record FaunaDbDialect(String table, List<String> fields, Optional<Duration> ttl, boolean create)
        implements Dialect.Bulk {
    static final String KEY = "ycsb_key";
    /** One character for each byte, so that any bytes come back as they were. */
    static final JsonRow ROW = new JsonRow(StandardCharsets.ISO_8859_1);

    private static final StatusTable STATUSES = StatusTable.HTTP.with(Statuses.TEMPORARY, 409);
    private static final String DUPLICATE = "constraint_failure";
    /** The server's default for a query, and the most that it accepts. */
    private static final Duration SERVER_TIMEOUT = Duration.ofMinutes(2);

    private static final Duration LONGEST_TIMEOUT = Duration.ofMinutes(10);
    /** The most rows in one page; more is an invalid request. */
    private static final int LARGEST_SCAN = 16_000;

    static FaunaDbDialect of(BindingProperties properties) {
        String table = properties.text("table", "usertable");
        if (!table.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            properties.problem("table", table, "a name that FQL accepts: letters, digits and _");
        }
        int longest = properties.integer("maxscanlength", 1000, 1, Integer.MAX_VALUE);
        if (longest > LARGEST_SCAN && WorkloadFields.scans(properties)) {
            properties.problem(
                    "maxscanlength",
                    Integer.toString(longest),
                    "1 to " + LARGEST_SCAN + ", which FaunaDB returns at most");
        }
        return new FaunaDbDialect(
                table,
                WorkloadFields.names(properties),
                properties.timeToLive(),
                properties.flag("rest.faunadb.create", true));
    }

    /** Transactions are strictly serialised, and reads show at least what the client has seen; of other clients nobody tells it. */
    @Override
    public Guarantee guarantee() {
        return new Guarantee(true, 1, Duration.ZERO, true);
    }

    @Override
    public StatusTable statuses() {
        return STATUSES;
    }

    /** More than the two minutes that the server itself tries. */
    @Override
    public Duration defaultTimeout() {
        return SERVER_TIMEOUT.plusSeconds(5);
    }

    /**
     * Plain JSON; no type checks, which the queries of this dialect do not need; and the server ends a query shortly before the
     * client gives it up, so that no abandoned query is still at work.
     */
    @Override
    public Map<String, String> headers(Duration timeout) {
        Duration bound = timeout.minus(min(Duration.ofSeconds(5), timeout.dividedBy(10)));
        return Map.of(
                "x-format",
                "simple",
                "x-typecheck",
                "false",
                "x-query-timeout-ms",
                Long.toString(min(bound, LONGEST_TIMEOUT).toMillis()));
    }

    private static Duration min(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    @Override
    public void prepare(Exchange http) throws IOException, DBException {
        JsonGenerator out = query(
                http,
                create,
                create
                        ? "if (Collection.byName(name).exists()) { true } else { Collection.create({ name: name, indexes: {"
                                + " byKey: { terms: [{ field: \"" + KEY + "\" }] }, inOrder: { values: [{ field: \""
                                + KEY
                                + "\" }] } }, constraints: [{ unique: [\"" + KEY + "\"] }] })\n true }"
                        : "Collection.byName(name).exists()");
        out.writeStringField("name", table);
        end(out);
        Reply reply = http.send();
        if (reply.code() == 401) {
            throw new DBException(
                    "FaunaDB rejected the credentials (" + reply.line() + "): give a key's secret as rest.token");
        }
        if (!FaunaDbReply.truth(http, http.require(reply))) {
            throw new DBException(
                    "collection " + table
                            + " does not exist; create it with the indexes of docs/rest.md, or leave rest.faunadb.create at true");
        }
    }

    @Override
    public void probe(Exchange http) throws IOException {
        http.asking("GET").path("/ping?scope=write");
        http.require();
    }

    @Override
    public Status read(Exchange http, String table, String key, Set<String> wanted, Map<String, ByteIterator> result)
            throws IOException {
        JsonGenerator out = query(http, false, table + ".byKey(key) " + projection(wanted));
        out.writeStringField("key", key);
        end(out);
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return status(http, reply);
        }
        int rows = FaunaDbReply.rows(http, reply, wanted, 1, row -> result.putAll(row));
        return rows == 0 ? Status.NOT_FOUND : Status.OK;
    }

    @Override
    public Status scan(Exchange http, Scan scan) throws IOException {
        JsonGenerator out = query(
                http, false, scan.table() + ".inOrder({ from: start }).pageSize(count) " + projection(scan.fields()));
        out.writeStringField("start", scan.start());
        out.writeNumberField("count", scan.count());
        end(out);
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return status(http, reply);
        }
        FaunaDbReply.rows(http, reply, scan.fields(), scan.count(), scan.result()::add);
        return Status.OK;
    }

    @Override
    public Status insert(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        JsonGenerator out = query(http, true, table + ".create(" + written("row") + ")\ntrue");
        out.writeObjectFieldStart("row");
        out.writeStringField(KEY, key);
        ROW.write(out, values);
        out.writeEndObject();
        end(out);
        Reply reply = http.send();
        return reply.isSuccess() ? done(http, reply, Statuses.UNKNOWN) : status(http, reply);
    }

    /** Inserts the rows in one transaction, whose reply says for each row whether it was created; existing ones stay as they are. */
    @Override
    public List<Status> insertAll(Exchange http, String table, List<BulkInserts.Row> rows) throws IOException {
        JsonGenerator out = query(
                http,
                true,
                "rows.map(row => if (" + table + ".byKey(row." + KEY + ").isEmpty()) { " + table + ".create("
                        + written("row") + ")\n true } else { false })");
        ROW.writeAll(out, "rows", KEY, rows);
        end(out);
        Reply reply = http.send();
        if (reply.isSuccess()) {
            return FaunaDbReply.made(http, reply, rows);
        }
        Status status = status(http, reply);
        // The reply does not say which row existed already; none was inserted.
        return Collections.nCopies(rows.size(), status == Statuses.DUPLICATE_KEY ? Statuses.FAILED : status);
    }

    @Override
    public Status update(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        JsonGenerator out = query(http, true, ofRow(table, "row.update(" + written("values") + ")"));
        out.writeStringField("key", key);
        out.writeObjectFieldStart("values");
        ROW.write(out, values);
        out.writeEndObject();
        end(out);
        Reply reply = http.send();
        return reply.isSuccess() ? done(http, reply, Status.NOT_FOUND) : status(http, reply);
    }

    @Override
    public Status delete(Exchange http, String table, String key) throws IOException {
        JsonGenerator out = query(http, true, ofRow(table, "row.delete()"));
        out.writeStringField("key", key);
        end(out);
        Reply reply = http.send();
        return reply.isSuccess() ? done(http, reply, Status.NOT_FOUND) : status(http, reply);
    }

    /** The fields of a document as they are written: with the time at which it expires. */
    private String written(String fields) {
        return ttl.map(time ->
                        "Object.assign(" + fields + ", { ttl: Time.now().add(" + time.toSeconds() + ", \"seconds\") })")
                .orElse(fields);
    }

    /** A query that applies a change to the row, if it exists, and returns whether it did. */
    private static String ofRow(String table, String change) {
        return "let row = " + table + ".byKey(key).first()\nif (row == null) { false } else { " + change + "\n true }";
    }

    private String projection(Set<String> wanted) {
        return "{ " + String.join(", ", wanted == null || wanted.isEmpty() ? fields : wanted) + " }";
    }

    /**
     * Starts a query, up to its arguments. A node answers a query that only reads from what it knows so far, so it is told what this
     * client has seen, as FaunaDB's own drivers do; it waits until it knows that much. A change that finds nothing to change only
     * reads, too, and is asked to be certain of that: right after a collection was made, what is waited for is not enough.
     */
    private static JsonGenerator query(Exchange http, boolean change, String query) throws IOException {
        Request request = (change ? http.changing("POST") : http.asking("POST")).path("/query/1");
        if (http.lastSeen() > 0) {
            request.header("x-last-txn-ts", Long.toString(http.lastSeen()));
        }
        if (change) {
            request.header("x-linearized", "true");
        }
        JsonGenerator out = request.json();
        out.writeStartObject();
        out.writeStringField("query", query);
        out.writeObjectFieldStart("arguments");
        return out;
    }

    private static void end(JsonGenerator out) throws IOException {
        out.writeEndObject();
        out.writeEndObject();
    }

    private static Status done(Exchange http, Reply reply, Status otherwise) throws IOException {
        return FaunaDbReply.truth(http, reply) ? Status.OK : otherwise;
    }

    private static Status status(Exchange http, Reply reply) {
        if (reply.code() == 400) {
            try (JsonParser in = reply.json()) {
                JsonRow.enter(in, "error");
                JsonRow.member(in, "code");
                return DUPLICATE.equals(in.getText()) ? Statuses.DUPLICATE_KEY : Status.BAD_REQUEST;
            } catch (IOException e) {
                return Status.BAD_REQUEST;
            }
        }
        boolean late = reply.code() == 440 || reply.code() == 503;
        return late && !http.changed() ? Statuses.TIMEOUT : http.status(reply);
    }
}

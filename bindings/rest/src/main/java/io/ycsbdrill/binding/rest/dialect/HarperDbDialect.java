package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.NodeReads.Guarantee;
import io.ycsbdrill.binding.NodeReads.Nodes;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.http.Endpoint;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Reply;
import io.ycsbdrill.binding.rest.http.Request;
import io.ycsbdrill.binding.rest.http.StatusTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * HarperDB's REST interface. It has no insert of many rows: that is part of another interface, on another port.
 *
 * @param database of the table, for that interface, the operations API
 * @param ttl how long a row is to stay after its last write, by the table's definition; empty when nothing is said of that
 * @param replace whether an update replaces the entire row (PUT) instead of changing some of its fields (PATCH)
 * @param operationsPort of the operations API, on the same hosts
 * @param operationsTls whether it is asked over TLS; empty for the same as the interface that serves
 */
public record HarperDbDialect(
        String table,
        String database,
        Optional<Duration> ttl,
        boolean replace,
        int operationsPort,
        Optional<Boolean> operationsTls)
        implements Dialect {
    private static final String KEY = "id";
    private static final String SCHEME = "rest.harperdb.operations.scheme";
    /** One character for each byte, so that any bytes come back as they were. */
    private static final JsonRow ROW = new JsonRow(StandardCharsets.ISO_8859_1);

    /** For a write to reach all servers, which is done after it was acknowledged. */
    static final Duration REPLICATION = Duration.ofSeconds(30);

    private static final StatusTable STATUSES = StatusTable.HTTP.with(Statuses.DUPLICATE_KEY, 409);
    private static final Pattern SERVER_TIME = Pattern.compile("hdb;\\s*dur=([0-9]+(?:\\.[0-9]+)?)");

    static HarperDbDialect of(BindingProperties properties) {
        boolean replace = properties.flag("rest.harperdb.replace", false);
        boolean allFields =
                properties.flag("writeallfields", false) || properties.integer("fieldcount", 10, 1, 100_000) == 1;
        if (replace && !allFields) {
            properties.problem(
                    "rest.harperdb.replace",
                    "true",
                    "writeallfields=true with it: a row that is replaced by one field has lost the others");
        }
        return new HarperDbDialect(
                properties.text("table", "usertable"),
                HarperDbOperationsDialect.database(properties),
                properties.timeToLive(),
                replace,
                properties.integer("rest.harperdb.operations.port", 9925, 1, 65_535),
                tls(properties));
    }

    private static Optional<Boolean> tls(BindingProperties properties) {
        Optional<String> scheme = properties.optionalText(SCHEME);
        scheme.filter(text -> !text.equals("http") && !text.equals("https"))
                .ifPresent(text -> properties.problem(
                        SCHEME, text, "http or https; without it the scheme of rest.endpoints is used"));
        return scheme.map("https"::equals);
    }

    /** The server's operations API. */
    @Override
    public Endpoint management(Endpoint server) {
        return new Endpoint(operationsTls.orElse(server.tls()), server.host(), operationsPort, "");
    }

    @Override
    public StatusTable statuses() {
        return STATUSES;
    }

    @Override
    public boolean makesTable() {
        return false;
    }

    @Override
    public void prepare(Exchange http) throws IOException, DBException {
        first(http);
        Reply reply = http.send();
        if (reply.code() == 404) {
            throw new DBException(
                    "there is nothing at /" + table + "/ (" + reply.line() + "): the table needs a component"
                            + " with rest: true and @export, which must be installed before the server starts; see docs/rest.md."
                            + " Names are case-sensitive");
        }
        requireLogin(reply);
        http.require(reply);
    }

    @Override
    public boolean asksManagement() {
        return ttl.isPresent();
    }

    /** Rows expire as the table was defined. */
    @Override
    public void prepareManagement(Exchange http) throws IOException, DBException {
        String wanted = ttl.orElseThrow().toSeconds() + "s";
        String found = HarperDbOperationsDialect.expiration(http, database, table);
        if (!found.equals(wanted)) {
            throw new DBException("record.ttl=" + wanted + ", but table " + database + "." + table
                    + (found.isEmpty() ? " keeps its rows" : " was defined with an expiration of " + found)
                    + ": define it with @table(expiration: " + ttl.orElseThrow().toSeconds()
                    + "), as `cluster up harper --record-ttl` does, or correct record.ttl");
        }
    }

    /** @throws DBException when the server has not taken the credentials */
    static void requireLogin(Reply reply) throws DBException {
        if (reply.code() == 401 || reply.code() == 403) {
            throw new DBException("HarperDB rejected the credentials (" + reply.line()
                    + "): set rest.user and rest.password, or rest.token");
        }
    }

    @Override
    public void probe(Exchange http) throws IOException {
        first(http);
        http.require();
    }

    /** Asks for no more than one row. */
    private void first(Exchange http) {
        http.asking("GET").segment(table).path("/?id=ge=%20&limit(1)");
    }

    /** Writes reach the other nodes later, and a node that was down catches up. */
    @Override
    public Guarantee guarantee() {
        return new Guarantee(false, 1, REPLICATION);
    }

    @Override
    public Nodes nodes(Exchange http, List<String> endpoints) {
        return EndpointNodes.of(endpoints, endpoints.size(), REPLICATION, Map.of());
    }

    @Override
    public Status read(Exchange http, String table, String key, Set<String> fields, Map<String, ByteIterator> result)
            throws IOException {
        Request request = http.asking("GET").segment(table).segmentWithoutDots(key);
        select(request, '?', fields);
        Reply reply = send(http);
        if (!reply.isSuccess()) {
            // Where a row is missing, there is no body. A missing table or field comes with an explanation.
            return reply.code() == 404 && reply.body().length == 0 ? Status.NOT_FOUND : http.status(reply);
        }
        try (JsonParser in = reply.json()) {
            in.nextToken();
            ROW.read(in, fields, KEY, result);
        }
        return Status.OK;
    }

    @Override
    public Status scan(Exchange http, Scan scan) throws IOException {
        Request request = http.asking("GET")
                .segment(scan.table())
                .path("/?id=ge=")
                .encoded(scan.start())
                .path("&limit(" + scan.count() + ")");
        select(request, '&', scan.fields());
        Reply reply = send(http);
        if (!reply.isSuccess()) {
            return http.status(reply);
        }
        try (JsonParser in = reply.json()) {
            in.nextToken();
            scan.addAll(in, row -> ROW.read(in, scan.fields(), KEY, row));
        }
        return Status.OK;
    }

    @Override
    public Status insert(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        if (values.containsKey(KEY)) {
            return Status.BAD_REQUEST;
        }
        JsonGenerator out = http.changing("POST").segment(table).path("/").json();
        out.writeStartObject();
        out.writeStringField(KEY, key);
        return write(http, out, values);
    }

    @Override
    public Status update(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        if (values.containsKey(KEY)) {
            return Status.BAD_REQUEST;
        }
        JsonGenerator out = http.changing(replace ? "PUT" : "PATCH")
                .segment(table)
                .segmentWithoutDots(key)
                .json();
        out.writeStartObject();
        return write(http, out, values);
    }

    @Override
    public Status delete(Exchange http, String table, String key) throws IOException {
        http.changing("DELETE").segment(table).segmentWithoutDots(key);
        Reply reply = send(http);
        return reply.isSuccess() ? Status.OK : http.status(reply);
    }

    private static Status write(Exchange http, JsonGenerator out, Map<String, ByteIterator> values) throws IOException {
        ROW.write(out, values);
        out.writeEndObject();
        Reply reply = send(http);
        return reply.isSuccess() ? Status.OK : http.status(reply);
    }

    /** With the key, since of a single property the server need not make an object. */
    private static void select(Request request, char before, Set<String> fields) {
        if (fields != null) {
            request.path(before + "select(" + KEY);
            fields.forEach(field -> request.path(",").encoded(field));
            request.path(")");
        }
    }

    private static Reply send(Exchange http) throws IOException {
        Reply reply = http.send();
        String timing = reply.header("Server-Timing");
        if (timing != null) {
            Matcher time = SERVER_TIME.matcher(timing);
            if (time.find()) {
                http.serverMillis(Double.parseDouble(time.group(1)));
            }
        }
        return reply;
    }
}

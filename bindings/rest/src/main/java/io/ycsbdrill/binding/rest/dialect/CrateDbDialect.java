package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.BulkInserts;
import io.ycsbdrill.binding.NodeReads.Guarantee;
import io.ycsbdrill.binding.Statuses;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Reply;
import io.ycsbdrill.binding.rest.http.StatusTable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * CrateDB's SQL over HTTP.
 *
 * @param schema empty for the server's default
 * @param fields the table's, by name
 * @param create whether to make the table when it is missing
 * @param shards 0 for the server's default
 * @param replicas as in SQL; empty for the server's default
 */
record CrateDbDialect(
        Optional<String> schema,
        String table,
        List<String> fields,
        boolean create,
        int shards,
        Optional<String> replicas)
        implements Dialect.Bulk {
    private static final String KEY = "ycsb_key";

    static CrateDbDialect of(BindingProperties properties) {
        String replicas = properties.text("rest.cratedb.replicas", "");
        if (!replicas.matches("|\\d+|\\d+-(\\d+|all)")) {
            properties.problem("rest.cratedb.replicas", replicas, "a number or a range, as 1 or 0-1");
        }
        return new CrateDbDialect(
                properties.optionalText("rest.cratedb.schema"),
                properties.text("table", "usertable"),
                WorkloadFields.names(properties),
                properties.flag("rest.cratedb.create", true),
                properties.integer("rest.cratedb.shards", 0, 0, 1000),
                replicas.isEmpty() ? Optional.empty() : Optional.of(replicas));
    }

    /** A write is acknowledged when all active copies have it; a lookup by primary key is answered by any of them, usually two or three. */
    @Override
    public Guarantee guarantee() {
        return new Guarantee(true, 3);
    }

    @Override
    public StatusTable statuses() {
        return CrateDbReply.WRITES;
    }

    @Override
    public Map<String, String> headers(Duration timeout) {
        return schema.map(name -> Map.of("Default-Schema", name)).orElse(Map.of());
    }

    /** The server holds a write to a shard without a primary for a minute, and then refuses it with a reason. */
    @Override
    public Duration defaultTimeout() {
        return Duration.ofSeconds(75);
    }

    @Override
    public void prepare(Exchange http) throws IOException, DBException {
        probe(http);
        if (create) {
            ask(http, true, definition(), List.of());
            http.require();
        }
        requireLayout(http);
        requireColumns(http);
    }

    private String definition() {
        String columns =
                fields.stream().map(field -> ", " + quoted(field) + " text").collect(Collectors.joining());
        return "create table if not exists " + quoted(table) + " (" + quoted(KEY) + " text primary key" + columns + ")"
                + (shards == 0 ? "" : " clustered into " + shards + " shards")
                + replicas.map(number -> " with (number_of_replicas = '" + number + "')")
                        .orElse("");
    }

    /** Checks that an existing table is the requested one; otherwise the run would measure something else. */
    private void requireLayout(Exchange http) throws IOException, DBException {
        ask(
                http,
                false,
                "select number_of_shards, number_of_replicas from information_schema.tables"
                        + " where table_schema = ? and table_name = ?",
                List.of(schema.orElse("doc"), table));
        List<Map<String, ByteIterator>> rows = new ArrayList<>();
        CrateDbReply.read(http, http.require(), null, null, rows::add);
        if (rows.isEmpty()) {
            throw new DBException("table " + schema.orElse("doc") + "." + table
                    + " does not exist; create it, or leave rest.cratedb.create at true");
        }
        String hasShards = rows.get(0).get("number_of_shards").toString();
        String hasReplicas = rows.get(0).get("number_of_replicas").toString();
        if (shards != 0 && !hasShards.equals(Integer.toString(shards))
                || replicas.isPresent() && !hasReplicas.equals(replicas.get())) {
            throw new DBException("the table " + table + " has " + hasShards + " shards and number_of_replicas "
                    + hasReplicas
                    + ", not what rest.cratedb.shards and rest.cratedb.replicas ask for; drop it, or leave"
                    + " these properties unset");
        }
    }

    private void requireColumns(Exchange http) throws IOException, DBException {
        String columns = fields.stream().map(field -> ", " + quoted(field)).collect(Collectors.joining());
        ask(http, false, "select " + quoted(KEY) + columns + " from " + quoted(table) + " limit 0", List.of());
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            throw new DBException(
                    "the table " + table + " cannot be read by its columns " + quoted(KEY) + columns
                            + " (" + reply.line()
                            + "); names are case-sensitive. Drop it so that it is created again, or choose another by table=NAME");
        }
    }

    @Override
    public void probe(Exchange http) throws IOException {
        http.asking("GET").path("/");
        http.require();
    }

    /** From {@code {"version":{"number":...}}}. */
    @Override
    public Optional<String> version(Exchange http) throws IOException {
        try (JsonParser in = http.last().json()) {
            JsonRow.enter(in, "version");
            JsonRow.member(in, "number");
            return Optional.of(in.getText());
        }
    }

    @Override
    public Status read(Exchange http, String table, String key, Set<String> wanted, Map<String, ByteIterator> result)
            throws IOException {
        String statement = "select " + names(wanted) + " from " + quoted(table) + " where " + quoted(KEY) + " = ?";
        ask(http, false, statement, List.of(key));
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return CrateDbReply.status(reply, false);
        }
        int[] rows = {0};
        CrateDbReply.read(http, reply, wanted, KEY, row -> {
            rows[0]++;
            result.putAll(row);
        });
        return rows[0] == 0 ? Status.NOT_FOUND : Status.OK;
    }

    @Override
    public Status scan(Exchange http, Scan scan) throws IOException {
        ask(
                http,
                false,
                "select " + names(scan.fields()) + " from " + quoted(scan.table()) + " where " + quoted(KEY)
                        + " >= ? order by " + quoted(KEY) + " limit " + scan.count(),
                List.of(scan.start()));
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return CrateDbReply.status(reply, false);
        }
        CrateDbReply.read(http, reply, scan.fields(), KEY, scan.result()::add);
        return Status.OK;
    }

    @Override
    public Status insert(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        ask(http, true, insertion(table, values.keySet()), arguments(key, values, values.keySet()));
        return changed(http, Statuses.UNKNOWN);
    }

    @Override
    public Status update(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        String changes =
                values.keySet().stream().map(name -> quoted(name) + " = ?").collect(Collectors.joining(", "));
        List<String> arguments = arguments(key, values, values.keySet());
        Collections.rotate(arguments, -1);
        ask(http, true, "update " + quoted(table) + " set " + changes + " where " + quoted(KEY) + " = ?", arguments);
        return changed(http, Status.NOT_FOUND);
    }

    @Override
    public Status delete(Exchange http, String table, String key) throws IOException {
        ask(http, true, "delete from " + quoted(table) + " where " + quoted(KEY) + " = ?", List.of(key));
        return changed(http, Status.NOT_FOUND);
    }

    @Override
    public List<Status> insertAll(Exchange http, String table, List<BulkInserts.Row> rows) throws IOException {
        Set<String> columns = new LinkedHashSet<>();
        rows.forEach(row -> columns.addAll(row.values().keySet()));
        JsonGenerator out = statement(http, true, insertion(table, columns));
        out.writeArrayFieldStart("bulk_args");
        for (BulkInserts.Row row : rows) {
            write(out, arguments(row.key(), row.values(), columns));
        }
        out.writeEndArray();
        out.writeEndObject();
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return Collections.nCopies(rows.size(), CrateDbReply.status(reply, true));
        }
        return Bulk.each(rows, CrateDbReply.read(http, reply).results());
    }

    /** @param none what it means that no row was changed */
    private static Status changed(Exchange http, Status none) throws IOException {
        Reply reply = http.send();
        if (!reply.isSuccess()) {
            return CrateDbReply.status(reply, true);
        }
        int rows = CrateDbReply.read(http, reply).rowCount();
        // A negative count means that the server does not know.
        return rows == 1 ? Status.OK : rows == 0 ? none : Statuses.UNKNOWN;
    }

    private static String insertion(String table, Set<String> columns) {
        return "insert into " + quoted(table) + " (" + quoted(KEY)
                + columns.stream().map(name -> ", " + quoted(name)).collect(Collectors.joining()) + ") values (?"
                + ", ?".repeat(columns.size()) + ")";
    }

    /** The key and then the columns; null for one that is not there. Reads every iterator to its end. */
    private static List<String> arguments(String key, Map<String, ByteIterator> values, Set<String> columns) {
        List<String> arguments = new ArrayList<>(columns.size() + 1);
        arguments.add(key);
        for (String column : columns) {
            ByteIterator value = values.get(column);
            arguments.add(value == null ? null : CrateDbReply.ROW.text(value));
        }
        return arguments;
    }

    private void ask(Exchange http, boolean change, String statement, List<String> arguments) throws IOException {
        JsonGenerator out = statement(http, change, statement);
        if (!arguments.isEmpty()) {
            out.writeFieldName("args");
            write(out, arguments);
        }
        out.writeEndObject();
    }

    private static JsonGenerator statement(Exchange http, boolean change, String statement) throws IOException {
        JsonGenerator out = (change ? http.changing("POST") : http.asking("POST"))
                .path("/_sql")
                .json();
        out.writeStartObject();
        out.writeStringField("stmt", statement);
        return out;
    }

    private static void write(JsonGenerator out, List<String> arguments) throws IOException {
        out.writeStartArray();
        for (String argument : arguments) {
            out.writeString(argument);
        }
        out.writeEndArray();
    }

    private static String names(Set<String> wanted) {
        return wanted == null
                ? "*"
                : wanted.isEmpty()
                        ? quoted(KEY)
                        : wanted.stream().map(CrateDbDialect::quoted).collect(Collectors.joining(", "));
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}

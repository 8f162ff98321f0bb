package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.binding.BindingProperties;
import io.ycsbdrill.binding.rest.http.Exchange;
import io.ycsbdrill.binding.rest.http.Reply;
import io.ycsbdrill.binding.rest.http.Request;
import io.ycsbdrill.binding.rest.http.StatusTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

/**
 * A server whose requests are in a file: see {@link TemplateFile}. An operation that the file does not have is not
 * implemented.
 *
 * @param operations by their names, {@code read} and so on
 * @param codes HTTP statuses that mean the same for all operations
 * @param headers of all requests
 * @param type of the bodies
 * @param key the member of a row in a reply that is no field
 * @param fields the names of all of the table's fields
 * @param base64 whether keys and rows are strings of that form in bodies and replies
 * @param absent what it means when a reply has no row at its place; empty for a reply that is not understood
 */
record GenericDialect(
        Map<String, Operation> operations,
        String probeMethod,
        String probePath,
        Map<Integer, Status> codes,
        Map<String, String> headers,
        String type,
        Optional<String> key,
        JsonRow rows,
        List<String> fields,
        boolean base64,
        Optional<Status> absent)
        implements Dialect {

    /**
     * @param place the members, from the outside in, that lead to the row or rows in the reply; empty for the reply itself
     * @param codes HTTP statuses with a meaning of their own
     */
    record Operation(
            String method, Template path, Optional<Template> body, List<String> place, Map<Integer, Status> codes) {

        /** The meaning of a reply that is not a success. */
        Status status(Exchange http, Reply reply) {
            Status own = codes.get(reply.code());
            return own == null ? http.status(reply) : own;
        }
    }

    GenericDialect {
        operations = Map.copyOf(operations);
        codes = Map.copyOf(codes);
        headers = Map.copyOf(headers);
        fields = List.copyOf(fields);
    }

    @Override
    public Map<String, String> headers(Duration timeout) {
        return headers;
    }

    static Dialect of(BindingProperties properties) {
        String file =
                properties.requiredText("rest.generic.file", "a file with the server's requests; see docs/rest.md");
        List<String> fields = WorkloadFields.names(properties);
        try {
            GenericDialect dialect = TemplateFile.read(Path.of(file), fields);
            if (dialect.base64
                    && dialect.operations.containsKey("update")
                    && !properties.flag("writeallfields", false)) {
                properties.problem(
                        "writeallfields",
                        "false",
                        "true with encoding = base64: a row is one value there, and one that is replaced by one field has"
                                + " lost the others");
            }
            return dialect;
        } catch (IOException e) {
            properties.problem("rest.generic.file", file, "a file that can be read: " + FileReason.of(e));
        } catch (IllegalArgumentException e) {
            properties.problem("rest.generic.file", file, "a valid file: " + e.getMessage());
        }
        return new GenericDialect(
                Map.of(),
                "GET",
                "/",
                Map.of(),
                Map.of(),
                TemplateFile.JSON,
                Optional.empty(),
                new JsonRow(StandardCharsets.UTF_8),
                fields,
                false,
                Optional.empty());
    }

    @Override
    public StatusTable statuses() {
        StatusTable table = StatusTable.HTTP;
        for (Map.Entry<Integer, Status> code : codes.entrySet()) {
            table = table.with(code.getValue(), code.getKey());
        }
        return table;
    }

    @Override
    public boolean makesTable() {
        return false;
    }

    /** Any reply will do: what the file asks for need not be there before the load. */
    @Override
    public void prepare(Exchange http) throws IOException {
        http.asking(probeMethod).path(probePath);
        http.send();
    }

    @Override
    public void probe(Exchange http) throws IOException {
        http.asking(probeMethod).path(probePath);
        if (http.send().code() >= 500) {
            throw new IOException(http.last().line());
        }
    }

    @Override
    public Status read(Exchange http, String table, String key, Set<String> wanted, Map<String, ByteIterator> result)
            throws IOException {
        Operation operation = operations.get("read");
        if (operation == null) {
            return Status.NOT_IMPLEMENTED;
        }
        Reply reply = ask(http, operation, false, Template.Filling.reading(table, key, 1, wanted, fields));
        if (!reply.isSuccess()) {
            return operation.status(http, reply);
        }
        try (JsonParser in = reply.json()) {
            String missing = enter(in, operation.place());
            if (!missing.isEmpty() && absent.isPresent()) {
                return absent.get();
            }
            require(missing);
            if (in.currentToken() == JsonToken.VALUE_NULL) {
                return Status.NOT_FOUND;
            }
            if (base64) {
                JsonRow.expect(in, in.currentToken(), JsonToken.VALUE_STRING);
                rows.read(in.getBinaryValue(), wanted, result);
            } else {
                rows.read(in, wanted, this.key.orElse(null), result);
            }
        }
        return Status.OK;
    }

    @Override
    public Status scan(Exchange http, Scan scan) throws IOException {
        Operation operation = operations.get("scan");
        if (operation == null) {
            return Status.NOT_IMPLEMENTED;
        }
        Reply reply = ask(
                http,
                operation,
                false,
                Template.Filling.reading(scan.table(), scan.start(), scan.count(), scan.fields(), fields));
        if (!reply.isSuccess()) {
            return operation.status(http, reply);
        }
        try (JsonParser in = reply.json()) {
            require(enter(in, operation.place()));
            scan.addAll(in, row -> rows.read(in, scan.fields(), key.orElse(null), row));
        }
        return Status.OK;
    }

    @Override
    public Status insert(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        return change(http, "insert", Template.Filling.writing(table, key, values));
    }

    @Override
    public Status update(Exchange http, String table, String key, Map<String, ByteIterator> values) throws IOException {
        return change(http, "update", Template.Filling.writing(table, key, values));
    }

    @Override
    public Status delete(Exchange http, String table, String key) throws IOException {
        return change(http, "delete", Template.Filling.writing(table, key, Map.of()));
    }

    private Status change(Exchange http, String name, Template.Filling filling) throws IOException {
        Operation operation = operations.get(name);
        if (operation == null) {
            return Status.NOT_IMPLEMENTED;
        }
        Reply reply = ask(http, operation, true, filling);
        // A status with a meaning is taken at its word, also when it is none of an error: 200 may say that there was no
        // row.
        boolean meant = operation.codes().containsKey(reply.code()) || codes.containsKey(reply.code());
        return reply.isSuccess() && !meant ? Status.OK : operation.status(http, reply);
    }

    private Reply ask(Exchange http, Operation operation, boolean change, Template.Filling filling) throws IOException {
        Request request = change ? http.changing(operation.method()) : http.asking(operation.method());
        operation.path().fillPath(request, filling);
        if (operation.body().isPresent()) {
            operation.body().get().fillBody(request, type, filling, rows, base64);
        }
        return http.send();
    }

    /** Goes to the value at the place: its first token is the current one then. Empty, or what there is not. */
    private static String enter(JsonParser in, List<String> place) throws IOException {
        in.nextToken();
        for (String step : place) {
            if (step.matches("\\d+")) {
                JsonRow.expect(in, in.currentToken(), JsonToken.START_ARRAY);
                in.nextToken();
                for (int i = Integer.parseInt(step); i > 0; i--) {
                    in.skipChildren();
                    in.nextToken();
                }
            } else if (!JsonRow.find(in, step)) {
                return "member " + step;
            }
        }
        boolean nothing = in.currentToken() == null || in.currentToken() == JsonToken.END_ARRAY;
        return nothing ? "value at " + String.join(".", place) : "";
    }

    private static void require(String missing) throws IOException {
        if (!missing.isEmpty()) {
            throw new IOException("the reply has no " + missing);
        }
    }
}

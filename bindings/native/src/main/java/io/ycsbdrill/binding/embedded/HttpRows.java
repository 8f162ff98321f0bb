package io.ycsbdrill.binding.embedded;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.FieldCodec;
import io.ycsbdrill.binding.Statuses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.ignite.Ignite;
import org.apache.ignite.IgniteCache;
import org.apache.ignite.configuration.CacheConfiguration;

/**
 * The cluster's rows as one node serves them: a request is done by the same steps as for the native client, and the reply
 * reports the result. A status below 500 is certain; after 503 nothing was changed; after 500 the result is unknown.
 * Thread-safe.
 */
record HttpRows(Ignite ignite) {
    private static final JsonFactory JSON = new JsonFactory();
    private static final int MOST_ROWS = 100_000;

    /** Whether this node can answer without another node. */
    boolean isHere(HttpCall call) {
        try {
            return call.is("GET", 4)
                    && ignite.cacheNames().contains(call.table())
                    && ignite.affinity(call.table()).isPrimary(ignite.cluster().localNode(), call.key());
        } catch (RuntimeException e) {
            return false;
        }
    }

    /** Answers a call; may wait for other nodes. */
    HttpAnswer answer(HttpCall call) {
        try {
            return called(call);
        } catch (IOException | IllegalArgumentException e) {
            return HttpAnswer.error(400, e.getMessage());
        } catch (RuntimeException e) {
            return HttpAnswer.error(code(e, !call.method().equals("GET")), ClientFailures.cause(e));
        }
    }

    private static int code(RuntimeException e, boolean write) {
        return ClientFailures.status(e, write).equals(Statuses.UNAVAILABLE) ? 503 : 500;
    }

    private HttpAnswer called(HttpCall call) throws IOException {
        if (call.is("PUT", 2)) {
            ignite.getOrCreateCache(call.table());
            return HttpAnswer.of(200);
        }
        if (call.path().size() < 2 || !call.path().get(0).equals("tables")) {
            return HttpAnswer.error(405, "expected /tables/TABLE, /tables/TABLE/rows or /tables/TABLE/rows/KEY");
        }
        IgniteCache<String, byte[]> table = ignite.cache(call.table());
        if (table == null) {
            return HttpAnswer.error(410, "table " + call.table() + " does not exist; PUT /tables/TABLE creates it");
        }
        if (call.is("GET", 2)) {
            return HttpAnswer.of(200, out -> layout(out, table));
        }
        if (call.is("GET", 3)) {
            return scan(call);
        }
        if (call.is("POST", 3)) {
            return insertAll(table, call.body());
        }
        return call.path().size() == 4
                ? row(table, call)
                : HttpAnswer.error(405, call.method() + " is not supported here");
    }

    private HttpAnswer row(IgniteCache<String, byte[]> table, HttpCall call) throws IOException {
        String key = call.key();
        switch (call.method()) {
            case "GET":
                if (call.parameter("copy").isPresent()) {
                    return copy(call);
                }
                byte[] row = table.get(key);
                return row == null ? HttpAnswer.of(404) : HttpAnswer.of(200, out -> write(out, row, call.fields()));
            case "POST":
                byte[] values = FieldCodec.encodeBytes(fields(call.body()));
                return HttpAnswer.of(changed(() -> table.putIfAbsent(key, values), 201, 409));
            case "PATCH":
                byte[] changes = FieldCodec.encodeBytes(fields(call.body()));
                return HttpAnswer.of(Boolean.TRUE.equals(table.invoke(key, new MergeFields(), changes)) ? 204 : 404);
            case "DELETE":
                return HttpAnswer.of(changed(() -> table.remove(key), 204, 404));
            default:
                return HttpAnswer.error(405, call.method() + " is not supported here");
        }
    }

    /** Reads this node's own copy of the row. */
    private HttpAnswer copy(HttpCall call) {
        if (!call.parameter("copy").get().equals("local")) {
            throw new IllegalArgumentException("copy=" + call.parameter("copy").get() + ": expected local");
        }
        byte[] row = LocalCopyTask.copy(ignite, call.table(), call.key());
        if (row == null) {
            return HttpAnswer.error(421, "this node is not assigned a copy of the row");
        }
        return row == LocalCopyTask.NONE
                ? HttpAnswer.of(404)
                : HttpAnswer.of(200, out -> write(out, row, call.fields()));
    }

    /** How many nodes there should be, and how many of them have a copy of each row. */
    @SuppressWarnings("unchecked")
    private void layout(JsonGenerator out, IgniteCache<String, byte[]> table) throws IOException {
        out.writeStartObject();
        out.writeNumberField(
                "copies", 1 + table.getConfiguration(CacheConfiguration.class).getBackups());
        out.writeNumberField("nodes", ignite.cluster().currentBaselineTopology().size());
        out.writeEndObject();
    }

    /**
     * When a node dies, Ignite may make the change again, and find its own first attempt. So a "no" counts only if the cluster
     * has not changed meanwhile.
     *
     * @param change false when the row exists but must not, or is missing but must exist
     */
    private int changed(BooleanSupplier change, int yes, int no) {
        long before = ignite.cluster().topologyVersion();
        if (change.getAsBoolean()) {
            return yes;
        }
        if (ignite.cluster().topologyVersion() != before) {
            throw new IllegalStateException(
                    "the cluster changed during the operation: the write may or may not have been applied");
        }
        return no;
    }

    private HttpAnswer scan(HttpCall call) {
        int limit = Integer.parseInt(call.parameter("limit").orElse("100"));
        if (limit < 1 || limit > MOST_ROWS) {
            throw new IllegalArgumentException("limit=" + limit + ": expected 1 to " + MOST_ROWS);
        }
        Object[] rows = ignite.compute().execute(ScanTask.class, new Object[] {
            call.table(), call.parameter("from").orElse(""), limit
        });
        Set<String> fields = call.fields();
        return HttpAnswer.of(200, out -> {
            out.writeStartArray();
            for (Object row : rows) {
                write(out, (byte[]) row, fields);
            }
            out.writeEndArray();
        });
    }

    /** Inserts each row by itself: a row that exists does not prevent the others from being inserted. */
    private HttpAnswer insertAll(IgniteCache<String, byte[]> table, byte[] body) throws IOException {
        Map<String, Map<String, byte[]>> rows = new LinkedHashMap<>();
        List<Integer> statuses = new ArrayList<>();
        try (JsonParser in = JSON.createParser(body)) {
            expect(in, in.nextToken(), JsonToken.START_OBJECT);
            while (in.nextToken() != JsonToken.END_OBJECT) {
                String key = in.currentName();
                in.nextToken();
                rows.put(key, fields(in));
            }
        }
        for (Map.Entry<String, Map<String, byte[]>> row : rows.entrySet()) {
            byte[] values = FieldCodec.encodeBytes(row.getValue());
            try {
                statuses.add(changed(() -> table.putIfAbsent(row.getKey(), values), 201, 409));
            } catch (RuntimeException e) {
                statuses.add(code(e, true));
            }
        }
        return HttpAnswer.of(200, out -> {
            out.writeStartArray();
            for (int status : statuses) {
                out.writeNumber(status);
            }
            out.writeEndArray();
        });
    }

    private static void write(JsonGenerator out, byte[] row, Set<String> fields) throws IOException {
        out.writeStartObject();
        for (Map.Entry<String, byte[]> field : FieldCodec.decodeBytes(row).entrySet()) {
            if (fields == null || fields.contains(field.getKey())) {
                out.writeFieldName(field.getKey());
                out.writeString(new String(field.getValue(), StandardCharsets.ISO_8859_1));
            }
        }
        out.writeEndObject();
    }

    private static Map<String, byte[]> fields(byte[] body) throws IOException {
        try (JsonParser in = JSON.createParser(body)) {
            in.nextToken();
            return fields(in);
        }
    }

    private static Map<String, byte[]> fields(JsonParser in) throws IOException {
        expect(in, in.currentToken(), JsonToken.START_OBJECT);
        Map<String, byte[]> fields = new LinkedHashMap<>();
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String name = in.currentName();
            expect(in, in.nextToken(), JsonToken.VALUE_STRING);
            fields.put(name, bytes(in.getText()));
        }
        return fields;
    }

    /** Decodes a value, one byte for each character. */
    private static byte[] bytes(String text) {
        if (text.chars().anyMatch(c -> c > 255)) {
            throw new IllegalArgumentException("a value has a character above U+00FF; each character is one byte");
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static void expect(JsonParser in, JsonToken seen, JsonToken expected) throws IOException {
        if (seen != expected) {
            throw new IOException("unexpected: " + seen + " instead of " + expected + " at byte "
                    + in.currentTokenLocation().getByteOffset());
        }
    }
}

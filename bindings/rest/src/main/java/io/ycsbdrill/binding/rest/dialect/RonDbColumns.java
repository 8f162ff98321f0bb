package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.BindingProperties;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * The columns of the table, as RonDB's REST server names and encodes them. Immutable.
 *
 * @param key the primary key's column
 * @param binary whether the columns are VARBINARY, which go as base64; else they are texts
 * @param columns from the field's name to the column's, for all fields
 * @param fields the other way
 */
record RonDbColumns(String key, boolean binary, Map<String, String> columns, Map<String, String> fields) {

    static RonDbColumns of(BindingProperties properties) {
        boolean upper = properties.flag("rest.rondb.uppercase", true);
        Map<String, String> columns = new LinkedHashMap<>();
        Map<String, String> fields = new LinkedHashMap<>();
        for (String field : WorkloadFields.names(properties)) {
            String column = upper ? field.toUpperCase(Locale.ROOT) : field;
            columns.put(field, column);
            fields.put(column, field);
        }
        return new RonDbColumns(
                properties.text("rest.rondb.key", "YCSB_KEY"),
                properties.flag("rest.rondb.binary", true),
                columns,
                fields);
    }

    /** The member {@code filters} that names one row. */
    void writeKey(JsonGenerator out, String value) throws IOException {
        out.writeArrayFieldStart("filters");
        cell(out, key, value.getBytes(StandardCharsets.UTF_8));
        out.writeEndArray();
    }

    /** The member {@code writeColumns}. Reads every iterator to its end. */
    void writeValues(JsonGenerator out, Map<String, ByteIterator> values) throws IOException {
        out.writeArrayFieldStart("writeColumns");
        for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
            cell(out, column(value.getKey()), value.getValue().toArray());
        }
        out.writeEndArray();
    }

    /**
     * The member {@code readColumns}.
     *
     * @param wanted null means all
     * @param withKey whether the key is to be read too
     */
    void writeNames(JsonGenerator out, Set<String> wanted, boolean withKey) throws IOException {
        out.writeArrayFieldStart("readColumns");
        if (withKey) {
            name(out, key);
        }
        for (String field : wanted == null ? columns.keySet() : wanted) {
            name(out, column(field));
        }
        out.writeEndArray();
    }

    private static void name(JsonGenerator out, String column) throws IOException {
        out.writeStartObject();
        out.writeStringField("column", column);
        out.writeEndObject();
    }

    private void cell(JsonGenerator out, String column, byte[] value) throws IOException {
        out.writeStartObject();
        out.writeStringField("column", column);
        out.writeStringField("value", text(value));
        out.writeEndObject();
    }

    private String column(String field) {
        return columns.getOrDefault(field, field);
    }

    /** Bytes as the JSON string that the server expects. */
    String text(byte[] value) {
        return binary ? Base64.getEncoder().encodeToString(value) : new String(value, StandardCharsets.UTF_8);
    }

    /** Reads a row, an object whose start is the last token, up to its end. NULL is left out. */
    void read(JsonParser in, Set<String> wanted, Map<String, ByteIterator> result) throws IOException {
        JsonRow.expect(in, in.currentToken(), JsonToken.START_OBJECT);
        while (in.nextToken() != JsonToken.END_OBJECT) {
            String column = in.currentName();
            JsonToken value = in.nextToken();
            String field = fields.getOrDefault(column, column);
            if (!value.isScalarValue()) {
                in.skipChildren();
            } else if (value != JsonToken.VALUE_NULL
                    && !column.equals(key)
                    && (wanted == null || wanted.contains(field))) {
                result.put(field, new ByteArrayByteIterator(bytes(in)));
            }
        }
    }

    private byte[] bytes(JsonParser in) throws IOException {
        if (binary && in.currentToken() == JsonToken.VALUE_STRING) {
            return in.getBinaryValue();
        }
        return in.getText().getBytes(StandardCharsets.UTF_8);
    }

    /** All fields, in order. */
    List<String> allFields() {
        return List.copyOf(columns.keySet());
    }
}

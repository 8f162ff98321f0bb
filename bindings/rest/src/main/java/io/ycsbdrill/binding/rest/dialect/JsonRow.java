package io.ycsbdrill.binding.rest.dialect;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.ycsbdrill.binding.BulkInserts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * Rows as JSON objects whose values are strings.
 *
 * @param charset what bytes and characters have to do with each other: UTF-8 for texts; ISO-8859-1, one character for each
 *     byte, keeps any bytes
 */
record JsonRow(Charset charset) {
    private static final JsonFactory JSON = new JsonFactory();

    /** Writes a field with an array of rows, each with its key. */
    void writeAll(JsonGenerator out, String name, String keyName, List<BulkInserts.Row> rows) throws IOException {
        out.writeArrayFieldStart(name);
        for (BulkInserts.Row row : rows) {
            out.writeStartObject();
            out.writeStringField(keyName, row.key());
            write(out, row.values());
            out.writeEndObject();
        }
        out.writeEndArray();
    }

    /** Writes the fields of a row, name and value each, into the object that is open. Reads every iterator to its end. */
    void write(JsonGenerator out, Map<String, ByteIterator> values) throws IOException {
        for (Map.Entry<String, ByteIterator> value : values.entrySet()) {
            out.writeFieldName(value.getKey());
            out.writeString(text(value.getValue()));
        }
    }

    /** A row as an object of its own, in UTF-8. */
    byte[] whole(Map<String, ByteIterator> values) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator out = JSON.createGenerator(bytes)) {
            out.writeStartObject();
            write(out, values);
            out.writeEndObject();
        }
        return bytes.toByteArray();
    }

    /** Reads a row that {@link #whole} has written; otherwise as the other {@link #read}. */
    void read(byte[] whole, Set<String> fields, Map<String, ByteIterator> result) throws IOException {
        try (JsonParser in = JSON.createParser(whole)) {
            in.nextToken();
            read(in, fields, null, result);
        }
    }

    /** A value as the text of a JSON string. */
    String text(ByteIterator value) {
        return new String(value.toArray(), charset);
    }

    /**
     * Reads an object whose start was the last token, up to its end. Values that are null, arrays or objects are left out, as
     * absent.
     *
     * @param fields the wanted ones, or null for all
     * @param besides a member that is no field, such as the key; null for none
     */
    void read(JsonParser in, Set<String> fields, String besides, Map<String, ByteIterator> result) throws IOException {
        expect(in, in.currentToken(), JsonToken.START_OBJECT);
        while (in.nextToken() != JsonToken.END_OBJECT) {
            expect(in, in.currentToken(), JsonToken.FIELD_NAME);
            String name = in.currentName();
            JsonToken value = in.nextToken();
            if (!value.isScalarValue()) {
                in.skipChildren();
            } else if (value != JsonToken.VALUE_NULL
                    && !name.equals(besides)
                    && (fields == null || fields.contains(name))) {
                result.put(name, value(in));
            }
        }
    }

    /** The scalar that is the last token, as a value; of numbers and the like, their text. */
    ByteIterator value(JsonParser in) throws IOException {
        int length = in.getTextLength();
        char[] text = in.getTextCharacters();
        int start = in.getTextOffset();
        int highest = charset == StandardCharsets.ISO_8859_1 ? 0xFF : 0x7F;
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            char c = text[start + i];
            if (c > highest) {
                return new ByteArrayByteIterator(in.getText().getBytes(charset));
            }
            bytes[i] = (byte) c;
        }
        return new ByteArrayByteIterator(bytes);
    }

    /** Goes from before the first token to the value of a member of the outermost object. */
    static void enter(JsonParser in, String name) throws IOException {
        in.nextToken();
        member(in, name);
    }

    /** Goes to the value of a member of the object whose start was the last token. */
    static void member(JsonParser in, String name) throws IOException {
        if (!find(in, name)) {
            throw new IOException("the reply has no member " + name);
        }
    }

    /** As {@link #member}, or to the end of the object, when there is no such member. */
    static boolean find(JsonParser in, String name) throws IOException {
        expect(in, in.currentToken(), JsonToken.START_OBJECT);
        while (in.nextToken() == JsonToken.FIELD_NAME) {
            boolean wanted = in.currentName().equals(name);
            in.nextToken();
            if (wanted) {
                return true;
            }
            in.skipChildren();
        }
        return false;
    }

    /** @throws IOException when the token is another one */
    static void expect(JsonParser in, JsonToken seen, JsonToken expected) throws IOException {
        if (seen != expected) {
            throw new IOException("unexpected reply: " + seen + " instead of " + expected + " at byte "
                    + in.currentTokenLocation().getByteOffset());
        }
    }
}

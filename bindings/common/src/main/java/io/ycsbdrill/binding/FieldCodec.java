package io.ycsbdrill.binding;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * One row as one byte array, for engines that store a value, not columns. Format: a version byte, the number of fields as a
 * short, then for each field its name (short length, UTF-8) and its value (int length, bytes), big-endian. Stateless.
 */
public final class FieldCodec {
    private static final byte VERSION = 1;
    private static final int HEADER = 3;

    private FieldCodec() {}

    /** Encodes the fields; reads every iterator to its end. */
    public static byte[] encode(Map<String, ByteIterator> fields) {
        Map<String, byte[]> values = new LinkedHashMap<>(fields.size() * 2);
        fields.forEach((name, value) -> values.put(name, value.toArray()));
        return encodeBytes(values);
    }

    /** Encodes fields given as arrays. */
    public static byte[] encodeBytes(Map<String, byte[]> fields) {
        byte[][] names = new byte[fields.size()][];
        int size = HEADER;
        int i = 0;
        for (Map.Entry<String, byte[]> field : fields.entrySet()) {
            names[i] = field.getKey().getBytes(StandardCharsets.UTF_8);
            size = Math.addExact(size, 6 + names[i].length + field.getValue().length);
            i++;
        }
        ByteBuffer row = ByteBuffer.allocate(size);
        row.put(VERSION).putShort(unsignedShort(names.length, "fields"));
        i = 0;
        for (byte[] value : fields.values()) {
            row.putShort(unsignedShort(names[i].length, "bytes of a field name"))
                    .put(names[i]);
            row.putInt(value.length).put(value);
            i++;
        }
        return row.array();
    }

    /**
     * Decodes a row into a result as YCSB expects it.
     *
     * @param fields the wanted ones, or null for all; those that the row does not have are left out
     * @throws IllegalArgumentException when the array is not a row of this codec
     */
    public static void decode(byte[] row, Set<String> fields, Map<String, ByteIterator> result) {
        decodeBytes(row).forEach((name, value) -> {
            if (fields == null || fields.contains(name)) {
                result.put(name, new ByteArrayByteIterator(value));
            }
        });
    }

    /**
     * Decodes all fields, in stored order.
     *
     * @throws IllegalArgumentException when the array is not a row of this codec
     */
    public static Map<String, byte[]> decodeBytes(byte[] row) {
        if (row.length < HEADER || row[0] != VERSION) {
            throw new IllegalArgumentException("not a row of this codec: " + row.length + " bytes"
                    + (row.length > 0 ? " beginning with " + row[0] + ", expected " + VERSION : ""));
        }
        ByteBuffer in = ByteBuffer.wrap(row, 1, row.length - 1);
        int count = Short.toUnsignedInt(in.getShort());
        Map<String, byte[]> fields = new LinkedHashMap<>(count * 2);
        for (int i = 0; i < count; i++) {
            int nameLength = length(in, 2);
            String name = new String(row, in.position(), nameLength, StandardCharsets.UTF_8);
            in.position(in.position() + nameLength);
            int valueLength = length(in, 4);
            int start = in.position();
            fields.put(name, Arrays.copyOfRange(row, start, start + valueLength));
            in.position(start + valueLength);
        }
        if (in.hasRemaining()) {
            throw new IllegalArgumentException("row of " + row.length + " bytes has " + in.remaining() + " too many");
        }
        return fields;
    }

    /** The row with the fields of the changes, also a row, replaced or added; neither argument is modified. */
    public static byte[] merge(byte[] row, byte[] changes) {
        Map<String, byte[]> fields = decodeBytes(row);
        fields.putAll(decodeBytes(changes));
        return encodeBytes(fields);
    }

    private static int length(ByteBuffer in, int width) {
        if (in.remaining() < width) {
            throw new IllegalArgumentException("row of " + in.limit() + " bytes ends within a length");
        }
        int length = width == 2 ? Short.toUnsignedInt(in.getShort()) : in.getInt();
        if (length < 0 || length > in.remaining()) {
            throw new IllegalArgumentException("row of " + in.limit() + " bytes claims " + length + " bytes where "
                    + in.remaining() + " are left");
        }
        return length;
    }

    private static short unsignedShort(int value, String what) {
        if (value > 0xFFFF) {
            throw new IllegalArgumentException(value + " " + what + "; at most 65535 can be stored");
        }
        return (short) value;
    }
}

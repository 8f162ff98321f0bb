package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.BadRequestException;
import io.ycsbdrill.binding.ndb.client.ColumnSet;
import io.ycsbdrill.binding.ndb.client.ColumnShape;
import io.ycsbdrill.binding.ndb.client.NdbTableShape;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/**
 * Converts a workload's rows to a table's: names to columns without regard to case, keys to bytes in the key column's
 * character set, values as they are. Owned by one thread.
 */
final class RowFormat {
    private final NdbTableShape shape;
    private final ColumnShape key;
    private final CharsetEncoder keyEncoder;
    private final boolean utf8Key;
    private final ColumnShape[] columns;
    private final String[] names;
    private final ColumnSet all;
    private final Map<String, ColumnShape> byAnyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, ColumnShape> byName = new HashMap<>();

    /** @param fieldNames the workload's field names, as results should have them */
    RowFormat(NdbTableShape shape, String... fieldNames) {
        this.shape = shape;
        this.key = shape.key().orElseThrow();
        Charset charset = charset(key);
        this.keyEncoder = charset.newEncoder();
        this.utf8Key = charset.equals(StandardCharsets.UTF_8);
        this.columns = shape.columns().toArray(ColumnShape[]::new);
        this.names = new String[columns.length];
        List<ColumnShape> fields = shape.fields();
        for (ColumnShape field : fields) {
            names[field.number()] = field.name();
            byAnyCase.put(field.name(), field);
            byName.put(field.name(), field);
        }
        for (String name : fieldNames) {
            ColumnShape column = byAnyCase.get(name);
            if (column != null) {
                names[column.number()] = name;
                byName.put(name, column);
            }
        }
        this.all = new ColumnSet(fields.stream().mapToInt(ColumnShape::number).toArray(), columns.length);
    }

    /** The character set of a key column; that of names without one is UTF-8. */
    static Charset charset(ColumnShape key) {
        if (key.charset().startsWith("utf8") || key.charset().equals("binary")) {
            return StandardCharsets.UTF_8;
        }
        return key.charset().equals("latin1") ? StandardCharsets.ISO_8859_1 : StandardCharsets.US_ASCII;
    }

    /** @throws BadRequestException when the key is too long, or cannot be written in the column's character set */
    byte[] key(String text) throws BadRequestException {
        byte[] bytes = utf8Key ? text.getBytes(StandardCharsets.UTF_8) : encoded(text);
        if (bytes.length > key.capacity()) {
            throw new BadRequestException("key of " + bytes.length + " bytes; column " + key.name() + " of table "
                    + shape.name() + " takes " + key.capacity());
        }
        return bytes;
    }

    /**
     * The columns of the named fields.
     *
     * @param fields null for all
     */
    ColumnSet columns(Set<String> fields) throws BadRequestException {
        if (fields == null) {
            return all;
        }
        int[] numbers = new int[fields.size()];
        int i = 0;
        for (String name : fields) {
            numbers[i++] = column(name).number();
        }
        return new ColumnSet(numbers, columns.length);
    }

    /** Values by column number; reads every iterator to its end. */
    byte[][] values(Map<String, ByteIterator> fields) throws BadRequestException {
        byte[][] values = new byte[columns.length][];
        for (Map.Entry<String, ByteIterator> field : fields.entrySet()) {
            ColumnShape column = column(field.getKey());
            byte[] value = field.getValue().toArray();
            if (value.length > column.capacity()) {
                throw new BadRequestException("value of " + value.length + " bytes; column " + column.name()
                        + " of table " + shape.name() + " takes " + column.capacity());
            }
            values[column.number()] = value;
        }
        return values;
    }

    /** Adds the values to a result; those that are NULL are left out. */
    void fill(Map<String, ByteIterator> result, ColumnSet wanted, byte[][] values) {
        for (int number : wanted.numbers()) {
            if (values[number] != null) {
                result.put(names[number], new ByteArrayByteIterator(values[number]));
            }
        }
    }

    private byte[] encoded(String text) throws BadRequestException {
        try {
            ByteBuffer bytes = keyEncoder.encode(CharBuffer.wrap(text));
            byte[] array = new byte[bytes.remaining()];
            bytes.get(array);
            return array;
        } catch (CharacterCodingException e) {
            throw new BadRequestException("key \"" + text + "\" cannot be written in character set " + key.charset()
                    + " of column " + key.name() + " of table " + shape.name());
        }
    }

    private ColumnShape column(String name) throws BadRequestException {
        ColumnShape column = byName.get(name);
        if (column == null) {
            column = byAnyCase.get(name);
            if (column == null) {
                throw new BadRequestException(
                        "no field " + name + " in table " + shape.name() + "; it has " + byAnyCase.keySet());
            }
            byName.put(name, column);
        }
        return column;
    }
}

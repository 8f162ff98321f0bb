package io.ycsbdrill.binding.ndb.client;

import java.util.List;

/**
 * A table to be made: a VARBINARY key, and fields that are VARBINARY, or VARCHAR where they have a collation.
 *
 * @param keyBytes longest key
 * @param fields names of the fields
 * @param fieldLength longest value, in characters where fields have a collation, else in bytes
 * @param tablespace where the fields are kept on disk, or null to keep them in memory
 * @param collation of the fields: {@code utf8mb4_unicode_ci}; or null
 */
public record TableDefinition(
        String name,
        String key,
        int keyBytes,
        List<String> fields,
        int fieldLength,
        String tablespace,
        String collation) {
    /** Maximum size of a row in NDB, without BLOBs. */
    public static final int MAX_ROW_BYTES = 30_000;

    /** On disk, where columns have their full length, the last one must begin before this (NDB error 851; measured on 9.7). */
    public static final int MAX_DISK_OFFSET_BYTES = 8_176;

    public TableDefinition {
        fields = List.copyOf(fields);
    }

    /** The most that a value takes. */
    public int fieldBytes() {
        return collation == null || collation.startsWith("latin1")
                ? fieldLength
                : fieldLength * (collation.startsWith("utf8mb4") ? 4 : 3);
    }

    /** Size of a full row: each column has its length in front and fills whole words. */
    public int rowBytes() {
        return words(keyBytes) + fields.size() * words(fieldBytes());
    }

    /** Where the last field begins when the fields are kept on disk. */
    public int lastFieldOffsetBytes() {
        return (fields.size() - 1) * words(fieldBytes());
    }

    private static int words(int bytes) {
        return (bytes + (bytes > 255 ? 2 : 1) + 3) / 4 * 4;
    }
}

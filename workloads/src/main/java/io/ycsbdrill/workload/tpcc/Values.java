package io.ycsbdrill.workload.tpcc;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;

/** Rows as a binding takes them: {@code field0} has the row, {@code field1} what a two-phase commit intends with it. */
final class Values {
    static final String ROW = "field0";
    static final String INTENT = "field1";
    static final Set<String> ROW_ONLY = Set.of(ROW);
    static final Set<String> BOTH = Set.of(ROW, INTENT);

    static Map<String, ByteIterator> of(Row row) {
        return of(ROW, row.text());
    }

    static Map<String, ByteIterator> of(String field, String text) {
        Map<String, ByteIterator> values = new HashMap<>();
        values.put(field, iterator(text));
        return values;
    }

    static Map<String, ByteIterator> of(String row, String field, String text) {
        Map<String, ByteIterator> values = of(ROW, row);
        values.put(field, iterator(text));
        return values;
    }

    /** The text of a field; empty when there is none. */
    static String text(Map<String, ByteIterator> values, String field) {
        ByteIterator value = values.get(field);
        return value == null ? "" : new String(value.toArray(), StandardCharsets.ISO_8859_1);
    }

    private static ByteIterator iterator(String text) {
        return new ByteArrayByteIterator(text.getBytes(StandardCharsets.ISO_8859_1));
    }
}

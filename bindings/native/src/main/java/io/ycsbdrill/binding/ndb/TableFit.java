package io.ycsbdrill.binding.ndb;

import io.ycsbdrill.binding.ndb.NdbProperties.Storage;
import io.ycsbdrill.binding.ndb.client.ColumnShape;
import io.ycsbdrill.binding.ndb.client.NdbTableShape;
import io.ycsbdrill.binding.ndb.client.TableDefinition;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Checks whether a workload's rows fit a table. Pure. */
final class TableFit {
    /** The table that the binding would create. */
    static TableDefinition definition(NdbProperties settings) {
        List<String> fields = Arrays.stream(settings.fieldNames())
                .map(name -> name.toUpperCase(Locale.ROOT))
                .toList();
        return new TableDefinition(
                settings.table(),
                "YCSB_KEY",
                255,
                fields,
                settings.fieldLength(),
                settings.storage() == Storage.DISK ? settings.tablespace() : null,
                settings.collation().orElse(null));
    }

    /** Lists what is wrong with rows of this size, without asking the cluster; empty if nothing. */
    static List<String> problems(TableDefinition definition) {
        String fields = "fieldcount=" + definition.fields().size() + " fields of fieldlength="
                + definition.fieldLength()
                + (definition.collation() == null
                        ? " bytes "
                        : " characters, which may be " + definition.fieldBytes() + " bytes, ");
        List<String> problems = new ArrayList<>();
        if (definition.rowBytes() > TableDefinition.MAX_ROW_BYTES) {
            problems.add(fields + "make rows of " + definition.rowBytes() + " bytes; NDB stores at most "
                    + TableDefinition.MAX_ROW_BYTES + " in one row: use fewer or shorter fields");
        }
        if (definition.tablespace() != null
                && definition.lastFieldOffsetBytes() > TableDefinition.MAX_DISK_OFFSET_BYTES) {
            problems.add(fields + "do not fit with ndb.storage=disk: the last field would begin at byte "
                    + definition.lastFieldOffsetBytes() + " of the row, and NDB's limit is "
                    + TableDefinition.MAX_DISK_OFFSET_BYTES + "; use fewer, longer fields (16 KB: fieldcount=1,"
                    + " fieldlength=16384)");
        }
        return problems;
    }

    /** Lists what is wrong with an existing table; empty if nothing. */
    static List<String> problems(NdbTableShape shape, NdbProperties settings) {
        if (shape.problem().isPresent()) {
            return List.of(shape.problem().get());
        }
        List<String> problems = new ArrayList<>();
        ColumnShape key = shape.key().orElseThrow();
        if (key.javaCharset() != null && !writesAsciiAsItIs(key.javaCharset())) {
            problems.add("key column " + key.name() + " has character set " + key.charset()
                    + ", which the binding cannot write; use VARBINARY, latin1 or utf8mb4");
        }
        Map<String, ColumnShape> columns = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        shape.columns().forEach(column -> columns.put(column.name(), column));
        List<String> absent = new ArrayList<>();
        List<String> otherType = new ArrayList<>();
        List<String> tooShort = new ArrayList<>();
        List<String> otherCharset = new ArrayList<>();
        for (String name : settings.fieldNames()) {
            ColumnShape column = columns.get(name);
            if (column == null) {
                absent.add(name);
            } else if (column.kind() == ColumnShape.Kind.OTHER) {
                otherType.add(column.name());
            } else if (settings.collation().isPresent()
                    && !settings.collation()
                            .get()
                            .startsWith(column.charset().replaceFirst("^utf8$", "utf8mb3") + "_")) {
                otherCharset.add(column.name() + " (" + column.charset() + ")");
            } else if (column.capacity() < definition(settings).fieldBytes()) {
                tooShort.add(column.name() + " (" + column.capacity() + ")");
            }
        }
        if (!absent.isEmpty()) {
            problems.add("fieldcount=" + settings.fieldCount() + ", but there is no column " + String.join(", ", absent)
                    + "; there are "
                    + shape.columns().stream().map(ColumnShape::name).toList());
        }
        if (!otherType.isEmpty()) {
            problems.add("columns " + String.join(", ", otherType) + " are neither VARCHAR nor VARBINARY");
        }
        if (!otherCharset.isEmpty()) {
            problems.add("ndb.table.collation=" + settings.collation().orElseThrow()
                    + ", but columns have another character set: " + String.join(", ", otherCharset)
                    + "; drop the table, or use another -p table");
        }
        if (!tooShort.isEmpty()) {
            problems.add("fieldlength=" + settings.fieldLength() + ", but columns hold fewer bytes: "
                    + String.join(", ", tooShort));
        }
        return problems;
    }

    private static boolean writesAsciiAsItIs(String javaCharset) {
        if (!Charset.isSupported(javaCharset)) {
            return false;
        }
        return new String(new byte[] {'k', '1'}, Charset.forName(javaCharset)).equals("k1");
    }
}

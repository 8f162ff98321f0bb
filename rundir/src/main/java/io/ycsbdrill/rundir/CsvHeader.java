package io.ycsbdrill.rundir;

import io.ycsbdrill.base.PlainText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The header of a table, by which its rows are read; columns are found by name, so that new ones do no harm. Immutable. */
public final class CsvHeader {
    private final List<String> columns;
    private final Map<String, Integer> indices = new HashMap<>();

    /**
     * @param file for messages
     * @param line null for a file without any line, which has no columns
     * @throws RunFormatException when it is damaged or lacks a column
     */
    public CsvHeader(String file, String line, List<String> required) {
        try {
            columns = line == null ? List.of() : split(line);
        } catch (IllegalArgumentException e) {
            throw new RunFormatException(file + " line 1: " + e.getMessage(), e);
        }
        for (int i = 0; i < columns.size(); i++) {
            indices.put(columns.get(i), i);
        }
        List<String> missing =
                required.stream().filter(name -> !indices.containsKey(name)).toList();
        if (!missing.isEmpty() && line != null) {
            throw new RunFormatException(file + " line 1: no column " + String.join(", ", missing) + "; the header is: "
                    + PlainText.shortened(line, 100));
        }
    }

    /** In the order of the file. */
    public List<String> columns() {
        return columns;
    }

    /** Negative for a column that the file does not have. */
    int indexOf(String column) {
        return indices.getOrDefault(column, -1);
    }

    /** @throws IllegalArgumentException saying what is wrong with the line */
    public CsvRow row(String line) {
        TextFile.requireText(line);
        int[] ends = new int[columns.size()];
        int found = 0;
        if (line.indexOf('"') >= 0) {
            List<String> values = split(line);
            int end = -1;
            for (String value : values) {
                end += value.length() + 1;
                if (found < ends.length) {
                    ends[found] = end;
                }
                found++;
            }
            return row(String.join(",", values), ends, found);
        }
        for (int from = 0; from >= 0; found++) {
            int comma = line.indexOf(',', from);
            if (found < ends.length) {
                ends[found] = comma < 0 ? line.length() : comma;
            }
            from = comma < 0 ? -1 : comma + 1;
        }
        return row(line, ends, found);
    }

    private CsvRow row(String line, int[] ends, int found) {
        if (found != ends.length) {
            throw new IllegalArgumentException(found + " fields instead of " + ends.length);
        }
        return new CsvRow(this, line, ends);
    }

    /** Fields of a line; quoted ones may contain commas and doubled quotes (RFC 4180, without line breaks). */
    static List<String> split(String line) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '"' && quoted && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                field.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        if (quoted) {
            throw new IllegalArgumentException("a quote is not closed");
        }
        fields.add(field.toString());
        return fields;
    }
}

package io.ycsbdrill.report.data;

import io.ycsbdrill.base.PlainText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/** Comma-separated values with a header line; columns are found by name, so that new ones do no harm. */
public final class CsvFile {
    private final TextFile file;
    private final Map<String, Integer> columns = new HashMap<>();
    private final List<Problem> problems;
    private final int fields;

    /**
     * Reads the header.
     *
     * @throws RunFormatException when it is damaged or lacks a column
     */
    public CsvFile(TextFile file, List<Problem> problems, List<String> required) {
        this.file = file;
        this.problems = problems;
        List<String> header = header(file);
        for (int i = 0; i < header.size(); i++) {
            columns.put(header.get(i), i);
        }
        fields = header.size();
        List<String> missing =
                required.stream().filter(name -> !columns.containsKey(name)).toList();
        if (!missing.isEmpty() && !file.lines().isEmpty()) {
            throw new RunFormatException(file.name() + " line 1: no column " + String.join(", ", missing)
                    + "; the header is: "
                    + PlainText.shortened(file.lines().get(0), 100));
        }
    }

    private static List<String> header(TextFile file) {
        try {
            return file.lines().isEmpty() ? List.of() : split(file.lines().get(0));
        } catch (IllegalArgumentException e) {
            throw new RunFormatException(file.name() + " line 1: " + e.getMessage(), e);
        }
    }

    /** Passes each line to the reader; one that it rejects with an IllegalArgumentException is damaged and skipped. */
    public void forEach(Consumer<Row> reader) {
        for (int i = 1; i < file.lines().size(); i++) {
            try {
                if (TextFile.garbled(file.lines().get(i))) {
                    throw new IllegalArgumentException("it is not UTF-8 text");
                }
                List<String> values = split(file.lines().get(i));
                if (values.size() != fields) {
                    throw new IllegalArgumentException(values.size() + " fields instead of " + fields);
                }
                reader.accept(new Row(values));
            } catch (IllegalArgumentException e) {
                problems.add(new Problem(file.name(), i + 1, Problem.Kind.DAMAGED, "damaged line: " + e.getMessage()));
            }
        }
    }

    /** One line. The methods throw IllegalArgumentException naming the column when the value is not what they promise. */
    public final class Row {
        private final List<String> values;

        private Row(List<String> values) {
            this.values = values;
        }

        public String text(String column) {
            Integer index = columns.get(column);
            return index == null ? "" : values.get(index);
        }

        /** A whole number, 0 or more. */
        long count(String column) {
            String text = text(column);
            try {
                long value = Long.parseLong(text);
                if (value >= 0) {
                    return value;
                }
            } catch (NumberFormatException e) {
                // reported below, with the column's name
            }
            throw new IllegalArgumentException(column + " is \"" + text + "\", not a count");
        }

        /** A count that fits into an int. */
        int number32(String column) {
            long count = count(column);
            if (count == Integer.MAX_VALUE || count != (int) count) {
                throw new IllegalArgumentException(column + " is \"" + count + "\", which is too large");
            }
            return (int) count;
        }

        /** The number of a slice or a window in a whole file has a line before it for each earlier one, so it is no larger. */
        Row numbered(String column) {
            if (number32(column) >= file.lines().size()) {
                throw new IllegalArgumentException(column + " is " + text(column) + ", but the file has "
                        + file.lines().size() + " lines");
            }
            return this;
        }

        OptionalDouble number(String column) {
            String text = text(column);
            if (text.isEmpty()) {
                return OptionalDouble.empty();
            }
            try {
                double value = Double.parseDouble(text);
                if (Double.isFinite(value)) {
                    return OptionalDouble.of(value);
                }
            } catch (NumberFormatException e) {
                // reported below, with the column's name
            }
            throw new IllegalArgumentException(column + " is \"" + text + "\", not a number");
        }

        public double required(String column) {
            return number(column).orElseThrow(() -> new IllegalArgumentException(column + " is empty"));
        }

        public double orNaN(String column) {
            return number(column).orElse(Double.NaN);
        }
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

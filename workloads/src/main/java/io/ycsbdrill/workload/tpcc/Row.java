package io.ycsbdrill.workload.tpcc;

/**
 * One row: texts in the order of the table's columns, separated by {@code |} when stored. Amounts are in cents, rates in hundredths of a
 * percent. Owned by one thread.
 */
final class Row {
    private static final char SEPARATOR = '|';

    private final String[] values;

    private Row(String... values) {
        this.values = values;
    }

    /** A row of these values; none may contain a separator. */
    static Row of(Object... values) {
        String[] texts = new String[values.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = String.valueOf(values[i]);
        }
        return new Row(texts);
    }

    static Row parse(String text) {
        int count = 1;
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == SEPARATOR) {
                count++;
            }
        }
        String[] values = new String[count];
        int from = 0;
        for (int i = 0; i < count; i++) {
            int to = text.indexOf(SEPARATOR, from);
            values[i] = text.substring(from, to < 0 ? text.length() : to);
            from = to + 1;
        }
        return new Row(values);
    }

    String text() {
        return String.join(String.valueOf(SEPARATOR), values);
    }

    String get(int column) {
        return values[column];
    }

    int size() {
        return values.length;
    }

    long number(int column) {
        return Long.parseLong(values[column]);
    }

    int id(int column) {
        return Integer.parseInt(values[column]);
    }

    Row set(int column, Object value) {
        values[column] = String.valueOf(value);
        return this;
    }

    Row add(int column, long value) {
        return set(column, number(column) + value);
    }
}

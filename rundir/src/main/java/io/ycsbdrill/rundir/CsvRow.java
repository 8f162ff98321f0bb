package io.ycsbdrill.rundir;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** One row of a table. The methods throw IllegalArgumentException naming the column when the value is not what they promise. */
public final class CsvRow {
    /** A decimal number of so many digits is a whole number divided by a power of ten, both exactly. */
    private static final int EXACT_DIGITS = 15;

    private static final double[] POWERS = new double[EXACT_DIGITS + 1];

    static {
        for (int i = 0; i <= EXACT_DIGITS; i++) {
            POWERS[i] = Double.parseDouble("1e" + i);
        }
    }

    private final CsvHeader header;
    private final String line;
    /** Where each field ends. */
    private final int[] ends;

    CsvRow(CsvHeader header, String line, int[] ends) {
        this.header = header;
        this.line = line;
        this.ends = ends;
    }

    /** Its fields in their order. */
    public List<String> values() {
        List<String> values = new ArrayList<>(ends.length);
        for (int i = 0; i < ends.length; i++) {
            values.add(value(i));
        }
        return values;
    }

    private int start(int field) {
        return field == 0 ? 0 : ends[field - 1] + 1;
    }

    private String value(int field) {
        return line.substring(start(field), ends[field]);
    }

    /** Empty where the file has no such column. */
    public String text(String column) {
        int field = header.indexOf(column);
        return field < 0 ? "" : value(field);
    }

    /** A whole number, 0 or more. */
    public long count(String column) {
        int field = header.indexOf(column);
        try {
            long value = field < 0 ? -1 : Long.parseLong(line, start(field), ends[field], 10);
            if (value >= 0) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below, with the column's name
        }
        throw new IllegalArgumentException(column + " is \"" + text(column) + "\", not a count");
    }

    /** A count that fits into an int. */
    public int number32(String column) {
        long count = count(column);
        if (count == Integer.MAX_VALUE || count != (int) count) {
            throw new IllegalArgumentException(column + " is \"" + count + "\", which is too large");
        }
        return (int) count;
    }

    /** The number of a slice or a window in a whole file has a line before it for each earlier one, so it is no larger. */
    public CsvRow numbered(String column, int lines) {
        if (number32(column) >= lines) {
            throw new IllegalArgumentException(
                    column + " is " + text(column) + ", but the file has " + lines + " lines");
        }
        return this;
    }

    /** Empty where the field is, or the file has no such column. */
    public OptionalDouble number(String column) {
        double value = orNaN(column);
        return Double.isNaN(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    public double required(String column) {
        double value = orNaN(column);
        if (Double.isNaN(value)) {
            throw new IllegalArgumentException(column + " is empty");
        }
        return value;
    }

    public double orNaN(String column) {
        int field = header.indexOf(column);
        if (field < 0 || start(field) == ends[field]) {
            return Double.NaN;
        }
        double value = plain(start(field), ends[field]);
        if (!Double.isNaN(value)) {
            return value;
        }
        try {
            value = Double.parseDouble(value(field));
            if (Double.isFinite(value)) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below, with the column's name
        }
        throw new IllegalArgumentException(column + " is \"" + text(column) + "\", not a number");
    }

    /** A number as a run writes it, as {@link Double#parseDouble} would read it; NaN for one of another form. */
    private double plain(int from, int to) {
        long digits = 0;
        int decimals = -1;
        for (int i = from; i < to; i++) {
            char c = line.charAt(i);
            if (c == '.' && decimals < 0) {
                decimals = 0;
            } else if (c < '0' || c > '9') {
                return Double.NaN;
            } else {
                digits = 10 * digits + c - '0';
                decimals += decimals < 0 ? 0 : 1;
            }
        }
        return to - from > EXACT_DIGITS || decimals == 0 ? Double.NaN : digits / POWERS[Math.max(0, decimals)];
    }
}

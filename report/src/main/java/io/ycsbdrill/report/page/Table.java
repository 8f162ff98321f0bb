package io.ycsbdrill.report.page;

import io.ycsbdrill.report.metric.NumberText;
import java.util.List;
import java.util.stream.Stream;

/**
 * A table of a page, as text.
 *
 * @param caption also its name for screen readers
 * @param headers one for each column
 * @param rows each with as many cells as there are headers; the first one is the header of its row
 */
public record Table(String caption, List<String> headers, List<List<String>> rows) {
    /** In pixels: what a phone has room for, a character of a table there, and what is between columns. */
    private static final double PHONE_WIDTH = 345;

    private static final double PHONE_CHARACTER = 7.3;
    private static final double PHONE_PADDING = 8;

    private static final int SHORT = 20; // longer cells may be broken into lines
    private static final String UNITS = "s|%|ops|ops/s|ms|\u00b5s|MB|MB/s|types|writes|\u00d7";

    /** Whether a cell is a number, or stands for one, and so is aligned to the right. */
    static boolean isNumber(String cell) {
        return isAbsent(cell) || cell.matches("([\u2265\u2264] )?-?[0-9][0-9,.e+-]*( of [0-9.]+)?( (" + UNITS + "))?");
    }

    private static boolean isAbsent(String cell) {
        return cell.isEmpty() || cell.equals(NumberText.ABSENT) || cell.equals("\u2013");
    }

    private Stream<String> cells(int column) {
        return rows.stream().map(row -> row.get(column));
    }

    /** Whether all that a column has are numbers: then its header is aligned with them. */
    boolean isOfNumbers(int column) {
        return column > 0
                && cells(column).allMatch(Table::isNumber)
                && !cells(column).allMatch(Table::isAbsent);
    }

    /** The class of a cell: a number ({@code n}), or of a column whose cells are so short that each is one line ({@code w}); null for others. */
    String kind(int column, String cell) {
        return isNumber(cell) && cells(column).anyMatch(each -> isNumber(each) && !isAbsent(each))
                ? "n"
                : cells(column).allMatch(each -> each.length() <= SHORT) ? "w" : null;
    }

    /** Whether a phone has room for all of its columns; else each row is a block of its own there. */
    boolean fitsPhone() {
        double width = 0;
        for (int column = 0; column < headers.size(); column++) {
            boolean numbers = isOfNumbers(column);
            width += PHONE_PADDING
                    + PHONE_CHARACTER
                            * Stream.concat(cells(column), Stream.of(headers.get(column)))
                                    .mapToInt(text -> numbers && isNumber(text) ? text.length() : broken(text))
                                    .max()
                                    .orElse(0);
        }
        return width <= PHONE_WIDTH;
    }

    /** The characters that a text needs at least: its longest word, and some more for one that is long. */
    private static int broken(String text) {
        return Math.max(
                Math.min(text.length(), SHORT - 8),
                Stream.of(text.split("[ -]")).mapToInt(String::length).max().orElse(0));
    }
}

package io.ycsbdrill.report.page;

import io.ycsbdrill.report.metric.NumberText;
import java.util.List;

/**
 * A table of a page, as text.
 *
 * @param caption also its name for screen readers
 * @param headers one for each column
 * @param rows each with as many cells as there are headers; the first one is the header of its row
 */
public record Table(String caption, List<String> headers, List<List<String>> rows) {
    /** Whether a cell is a number, or stands for one, and so is aligned to the right. */
    static boolean isNumber(String cell) {
        return cell.equals(NumberText.ABSENT)
                || cell.equals("\u2013")
                || cell.matches("(\u2265 )?-?[0-9][0-9,.e+-]*( (s|%|ops|ops/s|ms|types|writes|\u00d7))?");
    }

    /** Whether all that a column has are numbers: then its header is aligned with them. */
    boolean isOfNumbers(int column) {
        return column > 0
                && rows.stream()
                        .map(row -> row.get(column))
                        .filter(cell -> !cell.isEmpty())
                        .allMatch(Table::isNumber);
    }
}

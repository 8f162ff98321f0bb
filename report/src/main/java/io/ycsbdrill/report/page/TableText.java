package io.ycsbdrill.report.page;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

/** Tables for a terminal and as Markdown. Stateless. */
public final class TableText {
    /** More rows than anybody reads there; the page has them all. */
    private static final int MOST_ROWS = 40;

    private TableText() {}

    /** In columns. */
    public static String plain(Table table) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(table.headers());
        rows.addAll(table.rows().subList(0, Math.min(MOST_ROWS, table.rows().size())));
        return table.caption() + "\n" + columns(rows, column -> false) + more(table);
    }

    /**
     * Rows of as many cells each, as lines in which the cells of a column are as wide as its widest one.
     *
     * @param right the columns that are aligned to the right
     */
    public static String columns(List<List<String>> rows, IntPredicate right) {
        int[] widths = new int[rows.isEmpty() ? 0 : rows.get(0).size()];
        rows.forEach(row -> {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        });
        StringBuilder text = new StringBuilder();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("  ");
            for (int i = 0; i < widths.length; i++) {
                String pad = " ".repeat(widths[i] - row.get(i).length());
                line.append(right.test(i) ? pad + row.get(i) : row.get(i) + pad).append("  ");
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        return text.toString();
    }

    private static String more(Table table) {
        return table.rows().size() > MOST_ROWS
                ? "  ... and " + (table.rows().size() - MOST_ROWS) + " more; the page has them all\n"
                : "";
    }

    /** With its caption. */
    public static String markdown(Table table) {
        StringBuilder text =
                new StringBuilder("**").append(escaped(table.caption())).append("**\n\n");
        line(text, table.headers());
        line(text, table.headers().stream().map(header -> "---").toList());
        table.rows().stream().limit(MOST_ROWS).forEach(row -> line(text, row));
        return text + more(table).replaceFirst("^  ", "\n");
    }

    private static void line(StringBuilder text, List<String> cells) {
        text.append('|');
        cells.forEach(cell -> text.append(' ')
                .append(cell.equals("---") ? cell : escaped(cell))
                .append(" |"));
        text.append('\n');
    }

    /** Text that Markdown shows as it is. */
    public static String escaped(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replaceAll("\\s+", " ");
    }
}

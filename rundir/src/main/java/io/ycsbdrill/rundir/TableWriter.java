package io.ycsbdrill.rundir;

import java.io.IOException;
import java.io.Writer;
import java.util.List;

/** Writes a table of comma-separated values, row by row. Owned by one thread at a time. */
public final class TableWriter implements AutoCloseable {
    private final int columns;
    private final Writer out;

    /** Begins with the header, which is in the file when this returns. */
    public TableWriter(RunTable table, Writer out) throws IOException {
        this(table.columns(), out);
        flush();
    }

    /** Begins a table whose columns are not always the same. */
    public TableWriter(List<String> columns, Writer out) throws IOException {
        this.columns = columns.size();
        this.out = out;
        row(columns.toArray());
    }

    /** @param cells one for each column; null for an empty one */
    public void row(Object... cells) throws IOException {
        if (cells.length != columns) {
            throw new IllegalArgumentException(cells.length + " cells for " + columns + " columns");
        }
        for (int i = 0; i < cells.length; i++) {
            if (i > 0) {
                out.write(',');
            }
            if (cells[i] != null) {
                out.write(cell(cells[i].toString()));
            }
        }
        out.write('\n');
    }

    /** On one line, in quotes where it has commas or quotes, and without what a reader takes for damage. */
    private static String cell(String given) {
        String text = TextFile.written(given);
        String line = text.indexOf('\n') < 0 && text.indexOf('\r') < 0 ? text : text.replaceAll("\\s*\\R\\s*", " ");
        return line.indexOf(',') >= 0 || line.indexOf('"') >= 0 ? '"' + line.replace("\"", "\"\"") + '"' : line;
    }

    public void flush() throws IOException {
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}

package io.ycsbdrill.rundir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Reads a table row by row, however long it is; whatever is wrong with it names the file and the line. For one thread. */
public final class TableReader implements AutoCloseable {
    private final CompleteLines lines;
    private final CsvHeader header;

    /**
     * @param file none when it is not there
     * @param closed whether the run was closed, so that every line must be complete
     * @throws RunFormatException when one is not, or the header lacks a column
     */
    public TableReader(Path file, boolean closed, List<String> required) throws IOException {
        lines = new CompleteLines(file, closed);
        try {
            header = new CsvHeader(file.toString(), lines.next(), required);
        } catch (RuntimeException e) {
            lines.close();
            throw e;
        }
    }

    /** In the order of the file; none when it has no line. */
    public List<String> columns() {
        return header.columns();
    }

    /**
     * What the next row says; null after the last one.
     *
     * @param reader throws an IllegalArgumentException or ArithmeticException when the row is damaged
     * @throws RunFormatException when it is
     */
    public <T> T next(Function<CsvRow, T> reader) throws IOException {
        String line = lines.next();
        try {
            return line == null ? null : reader.apply(header.row(line));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new RunFormatException(lines.file() + " line " + lines.number() + ": damaged: " + e.getMessage(), e);
        }
    }

    /** The file, for messages. */
    public Path file() {
        return lines.file();
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}

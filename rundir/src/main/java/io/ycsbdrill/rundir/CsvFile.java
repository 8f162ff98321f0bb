package io.ycsbdrill.rundir;

import java.util.List;
import java.util.function.Consumer;

/** A whole table whose damaged rows are left out, each a problem. */
public final class CsvFile {
    private final TextFile file;
    private final CsvHeader header;
    private final List<Problem> problems;

    /**
     * Reads the header.
     *
     * @throws RunFormatException when it is damaged or lacks a column
     */
    public CsvFile(TextFile file, List<Problem> problems, List<String> required) {
        this.file = file;
        this.problems = problems;
        header = new CsvHeader(
                file.name(), file.lines().isEmpty() ? null : file.lines().get(0), required);
    }

    /** In the order of the file; none when it has no line. */
    public List<String> columns() {
        return header.columns();
    }

    /** Passes each row to the reader; one that it rejects with an IllegalArgumentException is damaged and skipped. */
    public void forEach(Consumer<CsvRow> reader) {
        for (int i = 1; i < file.lines().size(); i++) {
            try {
                reader.accept(header.row(file.lines().get(i)));
            } catch (IllegalArgumentException e) {
                problems.add(new Problem(file.name(), i + 1, Problem.Kind.DAMAGED, "damaged line: " + e.getMessage()));
            }
        }
    }
}

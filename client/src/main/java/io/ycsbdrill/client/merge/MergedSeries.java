package io.ycsbdrill.client.merge;

import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.PlainText;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.rundir.CsvRow;
import io.ycsbdrill.rundir.RunTable;
import io.ycsbdrill.rundir.TableReader;
import io.ycsbdrill.rundir.TableWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What each client says of itself, {@code client.csv} and {@code threads.csv}, and of the servers, {@code nodes.csv}: each row with its client and moved in time. */
record MergedSeries(List<AlignedClient> clients) {
    private static final List<RunTable> SERIES = List.of(RunTable.CLIENT, RunTable.NODES, RunTable.THREADS);
    private static final Set<String> TIMES = Set.of("at_s", "start_s", "end_s", "from_s", "until_s");
    private static final int MOST_DIGITS = 30;

    /** Whether each row of these tables of a client can be moved in time: before anything is written. */
    static void check(ClientFiles files) throws IOException {
        for (RunTable table : RunTable.values()) {
            if (SERIES.contains(table) || table == RunTable.PHASES) {
                try (TableReader from = files.open(table)) {
                    for (CsvRow row = from.next(each -> each); row != null; row = from.next(each -> each)) {
                        for (String column : from.columns()) {
                            moved(from.file(), column, row, Integer.MAX_VALUE, 0);
                        }
                    }
                }
            }
        }
    }

    void write(RunDirectory directory) throws IOException {
        for (RunTable table : SERIES) {
            List<AlignedClient> having = clients.stream()
                    .filter(client -> client.files().started()
                            && InputFile.isThere(client.files().directory().resolve(table.file())))
                    .toList();
            if (!having.isEmpty()) {
                add(having, table, "client", directory);
            }
        }
    }

    /**
     * Writes a table of clients anew, row by row, as a day of many clients does not fit into memory.
     *
     * @param first an additional column in front, with the client's number; empty for none
     */
    static void add(List<AlignedClient> clients, RunTable table, String first, RunDirectory directory)
            throws IOException {
        List<String> columns = new ArrayList<>(first.isEmpty() ? List.of() : List.of(first));
        for (AlignedClient client : clients) {
            try (TableReader header = client.files().open(table)) {
                header.columns().stream()
                        .filter(column -> !columns.contains(column))
                        .forEach(columns::add);
            }
        }
        try (TableWriter to = new TableWriter(columns, directory.stream(table.file()))) {
            for (AlignedClient client : clients) {
                try (TableReader from = client.files().open(table)) {
                    for (CsvRow row = from.next(each -> each); row != null; row = from.next(each -> each)) {
                        List<Object> cells = new ArrayList<>();
                        for (String column : columns) {
                            cells.add(
                                    column.equals(first)
                                            ? client.number()
                                            : moved(
                                                    from.file(),
                                                    column,
                                                    row,
                                                    client.sliceShift(),
                                                    client.offsetNanos()));
                        }
                        to.row(cells.toArray());
                    }
                }
            }
        }
    }

    private static String moved(Path file, String column, CsvRow row, int slices, long nanos) {
        String text = row.text(column);
        if (column.equals("slice")) {
            return later(file, text, slices);
        }
        return text.isEmpty() || !TIMES.contains(column) ? text : moved(file, text, nanos);
    }

    /**
     * So many seconds, and so many nanoseconds more.
     *
     * @throws MergeException when the text is no time that a run writes: an exponent could ask for more digits than there is memory
     */
    static String moved(Path file, String seconds, long nanos) {
        try {
            BigDecimal time = new BigDecimal(seconds);
            if (time.precision() <= MOST_DIGITS && Math.abs((long) time.scale()) <= MOST_DIGITS) {
                return time.add(BigDecimal.valueOf(nanos, 9))
                        .stripTrailingZeros()
                        .toPlainString();
            }
            throw damaged(file, seconds);
        } catch (NumberFormatException e) {
            throw damaged(file, seconds);
        }
    }

    private static String later(Path file, String slice, int slices) {
        try {
            return Long.toString(Math.addExact(Long.parseLong(slice), slices));
        } catch (NumberFormatException | ArithmeticException e) {
            throw damaged(file, slice);
        }
    }

    private static MergeException damaged(Path file, String text) {
        return new MergeException(file + ": damaged: \"" + PlainText.shortened(text, 40)
                + "\" is no time or slice; copy it again or leave it out");
    }
}

package io.ycsbdrill.rundir;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files of real runs: what was read is written as the same bytes. A change of the format fails here. */
class GoldenFilesTest {
    private static final Path RUN = Path.of("src/test/resources/run");

    @ParameterizedTest
    @EnumSource
    void aTableIsWrittenAsItWasRead(RunTable table) throws IOException {
        Path file = RUN.resolve(table.file());
        StringWriter text = new StringWriter();
        try (TableReader from = new TableReader(file, true, table.columns());
                TableWriter to = new TableWriter(table, text)) {
            for (CsvRow row = from.next(each -> each); row != null; row = from.next(each -> each)) {
                List<Object> cells = new ArrayList<>();
                for (String column : table.columns()) {
                    cells.add(row.text(column));
                }
                to.row(cells.toArray());
            }
        }

        assertThat(text).hasToString(Files.readString(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {RunFile.HISTOGRAMS, RunFile.TOTALS})
    void aHistogramIsWrittenAsItWasRead(String name) throws IOException {
        for (String text : Files.readAllLines(RUN.resolve(name))) {
            HistogramLine line = HistogramLine.of(text);
            HistogramLine again = HistogramLine.of(line.operation(), line.outcome(), line.measure(), line.histogram());

            assertThat(line.json()).isEqualTo(text);
            assertThat(again.encoded()).isEqualTo(line.encoded());
            assertThat(again.values()).isEqualTo(line.values());
        }
    }

    @Test
    void aWindowHasItsLatencies() throws IOException {
        try (TableReader windows = new TableReader(RUN.resolve("windows.csv"), true, RunTable.WINDOWS.required())) {
            CsvRow row = windows.next(each -> each);
            Window window = Window.of(row);

            for (Latency latency : Latency.values()) {
                assertThat(window.service().get(latency))
                        .isEqualTo(Double.parseDouble(row.text("service_" + latency.label() + "_us")));
            }
            assertThat(window.ok()).isEqualTo(row.count("ok"));
        }
    }
}

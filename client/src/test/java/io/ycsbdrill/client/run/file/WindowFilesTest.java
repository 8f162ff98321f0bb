package io.ycsbdrill.client.run.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.RunFiles;
import io.ycsbdrill.client.run.measure.OperationTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WindowFilesTest {
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    /** As a disk leaves it that was full for a while. */
    @ParameterizedTest
    @ValueSource(
            strings = {"2", "2,", "2,2,", "2,2,3", "2,2,3,RE", "2,2,3,READ,1,0,0,,1", "2,2,3,READ,1,0,0,,1,5,5,5,5"})
    void aRowThatWasCutIsLeftOutWhenTheOthersGetTheirMarkers(String cut) throws IOException {
        Markers markers = new Markers();
        try (WindowFiles files =
                new WindowFiles(RunDirectory.create(directory), new Operations(), markers, SECOND / 10)) {
            files.window(window(0));
            files.window(window(1));
            Files.writeString(directory.resolve("windows.csv"), cut, StandardOpenOption.APPEND);
            markers.add(3 * SECOND / 2, "node-down");

            files.complete(SECOND);
        }

        assertThat(new RunFiles(directory).csv("windows.csv"))
                .extracting(row -> String.join(" ", row.get("window"), row.get("operation"), row.get("markers")))
                .containsExactly("0 READ ", "0 TOTAL ", "1 READ node-down", "1 TOTAL node-down");
    }

    /** From a log or a name of another character set: no row may look like one that a full disk has cut. */
    @Test
    void aCharacterThatWasLostBeforeCostsNoRow() throws IOException {
        Markers markers = new Markers();
        Operations operations = new Operations();
        int sale = operations.id("VENTE\uFFFD");
        try (WindowFiles files = new WindowFiles(RunDirectory.create(directory), operations, markers, SECOND / 10)) {
            Window first = window(0);
            first.add(sale, first.operations().get(Operations.READ));
            files.window(first);
            files.window(window(1));
            markers.add(SECOND / 2, "n\uFFFDud down");

            files.complete(SECOND);
        }

        assertThat(new RunFiles(directory).csv("windows.csv"))
                .extracting(row -> String.join(" ", row.get("window"), row.get("operation"), row.get("markers")))
                .containsExactly(
                        "0 READ n?ud down",
                        "0 VENTE? n?ud down",
                        "0 TOTAL n?ud down",
                        "1 READ ",
                        "1 VENTE? ",
                        "1 TOTAL ");
    }

    /** Engine logs are read with a delay, so that phases are known after the rows were written. */
    @Test
    void aWindowHasTheSecondsOfEachOfItsPhases() throws IOException {
        Markers markers = new Markers();
        try (WindowFiles files =
                new WindowFiles(RunDirectory.create(directory), new Operations(), markers, SECOND / 10)) {
            for (int i = 0; i < 4; i++) {
                files.window(window(i));
            }
            markers.phase(SECOND * 11 / 10, "fault");
            markers.phase(SECOND * 115 / 100, "down");
            markers.phase(SECOND * 18 / 10, "local-recovery");
            markers.phase(SECOND * 2, "synchronise");
            markers.phase(SECOND * 25 / 10, "down");

            files.complete(SECOND);
        }

        assertThat(new RunFiles(directory)
                        .csv("windows.csv").stream()
                                .filter(row -> row.get("operation").equals("TOTAL"))
                                .map(row -> row.get("phase") + "|" + row.get("phases")))
                .containsExactly(
                        "|",
                        "local-recovery|none:0.1;fault:0.05;down:0.65;local-recovery:0.2",
                        "down|synchronise:0.5;down:0.5",
                        "down|down:1");
    }

    private static Window window(int index) {
        Histogram micros = new Histogram(3);
        micros.recordValue(5_000);
        OperationTotals read = new OperationTotals();
        read.add(Outcome.OK, 1, micros, null);
        Window window = new Window(index, index * SECOND, (index + 1) * SECOND);
        window.add(Operations.READ, read);
        return window;
    }
}

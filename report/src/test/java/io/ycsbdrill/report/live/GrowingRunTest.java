package io.ycsbdrill.report.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GrowingRunTest {
    @TempDir
    private Path directory;

    @Test
    void leavesOutANumberForWhichThereIsNoRoom() throws IOException {
        Files.writeString(directory.resolve("slices.csv"), """
                slice,start_s,operation,ok,failed,unknown,max_service_us
                0,0,TOTAL,1,0,0,1
                2000000000,0.1,READ,1,0,0,1
                2000000000,0.1,TOTAL,1,0,0,1
                1,0.1,TOTAL,1,0,0,1
                """);
        GrowingRun run = new GrowingRun(directory, directory);

        run.poll();

        assertThat(run.nextSlice()).isEqualTo(2);
        assertThat(run.totals()[0]).isEqualTo(2);
    }

    @Test
    void readsALongFileInPieces() throws IOException {
        Path file = directory.resolve("f");
        Files.writeString(file, "one\ntwo\n12345678901234567890\nlast\n");
        GrowingFile growing = new GrowingFile(file, 10);

        assertThat(growing.more()).containsExactly("one", "two");
        assertThat(growing.more()).isEmpty();
        assertThat(growing.more()).isEmpty();
        assertThat(growing.more()).contains("last");
        assertThat(growing.more()).isEmpty();
    }

    @Test
    void readsRegularFilesOnly() throws IOException {
        Files.writeString(directory.resolve("elsewhere"), "one\n");
        Files.createSymbolicLink(directory.resolve("f"), directory.resolve("elsewhere"));

        assertThat(new GrowingFile(directory.resolve("f")).more()).isEmpty();
    }
}

package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.report.experiment.CellRow;
import io.ycsbdrill.report.experiment.ExperimentData;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A real sweep on the embedded cluster, killed in the middle and continued. */
@Tag("process")
@Tag("long")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class ExperimentIT {
    @TempDir
    private Path directory;

    private Child ycsb(String... arguments) throws IOException {
        Files.writeString(directory.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=200
                readproportion=1
                updateproportion=0
                """);
        return new Child(
                directory, Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString()), Child.ycsb(arguments));
    }

    /** As {@code sweep} makes one, but for cells that are shorter than what is judged: what is killed and continued is looked at, not figures. */
    private Child ascent(String threads, String duration) throws IOException {
        Files.writeString(directory.resolve("ascent.yaml"), """
                axes: {threads: %s}
                fixed: {binding: native, workload: w, duration: %s}
                cluster: {engine: embedded}
                ascend: threads
                success: {measured: 0s}
                """.formatted(threads, duration));
        return ycsb("experiment", "ascent.yaml", "--out", "sweep");
    }

    private Path cell(String id) {
        return directory.resolve("sweep/cells").resolve(id);
    }

    /** Processes that have the directory of this test on their command line, apart from what is waited for. */
    private List<String> left() throws IOException {
        List<String> left = new ArrayList<>();
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
            try {
                String line = Files.readString(file, StandardCharsets.ISO_8859_1);
                if (line.contains(directory.toString())) {
                    left.add(line.replace('\0', ' '));
                }
            } catch (IOException e) {
                continue; // ended meanwhile
            }
        }
        return left;
    }

    /** The second one ended the cell of the first one, which recorded it as NA, and both went on. */
    @Test
    @Tag("soak")
    void aSweepThatIsBeingRunIsNotContinuedByAnotherProcess() throws Exception {
        try (Child sweep = ascent("[1]", "5s")) {
            sweep.await(() -> Files.exists(cell("v001-threads-1-r1").resolve("pid")));
            try (Child second = ycsb("experiment", "--resume", "sweep")) {
                assertThat(second.exitCode()).as(second.err()).isEqualTo(2);
                assertThat(second.err()).contains(directory.resolve("sweep") + " is being run by process ");
            }
            assertThat(sweep.exitCode()).as(sweep.err()).isZero();
        }

        assertThat(ExperimentData.read(directory.resolve("sweep")).rows())
                .extracting(CellRow::state)
                .containsExactly("ok", "ok");
    }

    @Test
    @Tag("soak")
    void aSweepThatWasKilledIsContinuedWithWhatIsMissing() throws Exception {
        try (Child sweep = ascent("[1, 2]", "1s")) {
            sweep.await(() -> Files.exists(cell("v001-threads-1-r1").resolve("cell.json"))
                    && Files.exists(cell("v002-threads-2-r1").resolve("pid")));
            sweep.signal("KILL");
            assertThat(sweep.exitCode()).isEqualTo(137);
        }
        String first = Files.readString(cell("v001-threads-1-r1").resolve("cell.json"));
        assertThat(cell("v001-threads-1-r1-aa")).doesNotExist();

        try (Child resumed = ycsb("experiment", "--resume", "sweep")) {
            assertThat(resumed.exitCode()).as(resumed.err()).isZero();
            assertThat(resumed.err()).contains("1 of 3 cells are complete already", "[3/3] ");
            assertThat(resumed.out()).contains("Levels of threads", "What the experiment could see at all");
        }

        assertThat(Files.readString(cell("v001-threads-1-r1").resolve("cell.json")))
                .isEqualTo(first);
        assertThat(ExperimentData.read(directory.resolve("sweep")).rows())
                .extracting(row -> row.cell().id(), CellRow::state)
                .containsExactly(
                        Tuple.tuple("v001-threads-1-r1", "ok"),
                        Tuple.tuple("v002-threads-2-r1", "ok"),
                        Tuple.tuple("v001-threads-1-r1-aa", "ok"));
        assertThat(directory.resolve("sweep/experiment.html"))
                .content()
                .contains("cells/v002-threads-2-r1/run/report.html");
        assertThat(left()).as("processes left behind").isEmpty();
        assertThat(directory.resolve("sweep/state/embedded/cluster")).doesNotExist();
        assertThat(directory.resolve("sweep/state/embedded/cluster.json")).doesNotExist();

        byte[] before = Files.readAllBytes(directory.resolve("sweep/cells.csv"));
        try (Child report = ycsb("report", "sweep")) {
            assertThat(report.exitCode()).as(report.err()).isZero();
            assertThat(report.out()).contains("experiment.html");
        }
        assertThat(Files.readAllBytes(directory.resolve("sweep/cells.csv"))).isEqualTo(before);
    }
}

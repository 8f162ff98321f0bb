package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real comparisons on the embedded cluster: of a variant that is truly slower, and of one with itself. */
@Tag("process")
@Tag("long")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class AbIT {
    @TempDir
    private Path directory;

    private Child ab(String... arguments) throws Exception {
        Files.writeString(directory.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=200
                readproportion=1
                updateproportion=0
                maxexecutiontime=10
                """);
        String[] all = new String[arguments.length + 1];
        all[0] = "ab";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return new Child(
                directory, Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString()), Child.ycsb(all));
    }

    /** Nine cells of ten seconds, and as many starts; AbCommandTest has the gate itself. */
    @Test
    @Tag("soak")
    void aVariantWithAFifthOfTheRateIsWorse() throws Exception {
        try (Child slower = ab(
                "target=50",
                "target=10",
                "-P",
                "w",
                "--pairs",
                "3",
                "--out",
                "slower",
                "--max-worse",
                "50%",
                "--markdown",
                "slower.md",
                "--junit",
                "slower.xml")) {
            assertThat(slower.exitCode()).as(slower.err()).isEqualTo(3);
            assertThat(slower.err()).contains("starting a cluster: embedded", "worse: Throughput: worse, B/A 0.2");
            assertThat(slower.out()).contains("3 of 3 pairs");
        }
        assertThat(directory.resolve("slower.md")).content().contains("| Throughput (ops/s) |", "| **worse** |");
        assertThat(directory.resolve("slower.xml")).content().contains("name=\"Throughput\"><failure");
        assertThat(directory.resolve("slower/state/embedded/cluster"))
                .as("its cluster is gone")
                .doesNotExist();
        assertThat(directory.resolve("slower/state/embedded/cluster.json")).doesNotExist();
    }

    @Test
    @Tag("soak")
    void aVariantWithTheSameRateIsNotWorse() throws Exception {
        try (Child same =
                ab("target=50", "target=50", "-P", "w", "--pairs", "3", "--out", "same", "--max-worse", "1000%")) {
            assertThat(same.exitCode()).as(same.err() + same.out()).isZero();
            assertThat(same.out()).contains("3 of 3 pairs");
        }
    }
}

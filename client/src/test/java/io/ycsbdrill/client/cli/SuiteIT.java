package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A tiny suite on the embedded cluster, killed in its second experiment and continued there, from another directory. */
@Tag("process")
@Tag("soak")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class SuiteIT {
    @TempDir
    private Path directory;

    private Child ycsb(String... arguments) throws IOException {
        return ycsb(directory.resolve("state"), arguments);
    }

    private Child ycsb(Path state, String... arguments) throws IOException {
        return new Child(directory, Map.of("YCSB_DRILL_STATE", state.toString()), Child.ycsb(arguments));
    }

    private Path cell(String id) {
        return directory.resolve("s").resolve(id);
    }

    @Test
    void aSuiteThatWasKilledIsContinuedInTheExperimentInWhichItWas() throws Exception {
        Files.writeString(directory.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=200
                readproportion=1
                updateproportion=0
                """);
        Files.writeString(directory.resolve("tiny.yaml"), """
                title: A tiny suite
                source: {text: nobody, url: https://example.org}
                experiments:
                  first:
                    axes: {threads: [1]}
                    fixed: {binding: native, workload: w, duration: 1s}
                    success: {measured: 0s}   # what is killed and continued is looked at, not figures
                    claims:
                      speed: {quote: it is fast, kind: absolute, claimed: 9, figure: throughput_ops_s, of: {threads: 1}}
                  second:
                    axes: {threads: [1, 2]}
                    fixed: {binding: native, workload: w, duration: 1s}
                    order: interleaved   # so that it is known which cell is killed
                    success: {measured: 0s}   # what is killed and continued is looked at, not figures
                    claims:
                      scaling:
                        {quote: it scales, kind: shape, expect: "> 1", figure: throughput_ops_s, of: {threads: 2}, to: {threads: 1}}
                engines: {embedded: {all: {cluster: {data-nodes: 1, backups: 0}}}}
                scale: {seed: {}}
                """);
        try (Child suite = ycsb("suite", "tiny.yaml", "--scale", "seed", "--out", "s")) {
            suite.await(() -> Files.exists(cell("second/cells/v001-threads-1-r1/cell.json"))
                    && Files.exists(cell("second/cells/v002-threads-2-r1/pid")));
            suite.signal("KILL");
            assertThat(suite.exitCode()).isEqualTo(137);
        }
        assertThat(cell("second/cells/v001-threads-1-r1/cell.json"))
                .as("of the first experiment, whose rows are the same")
                .content()
                .contains("\"prepared\" : \"kept\"");
        assertThat(cell("state/embedded/cluster.json")).as("what was left").exists();
        String first = Files.readString(cell("first/cells/v001-threads-1-r1/cell.json"));
        assertThat(cell("suite.html")).as("after the first experiment").exists();

        // As a suite of an earlier version, which was killed, too.
        try (Child earlier =
                ycsb(cell("first/state"), "cluster", "up", "embedded", "--data-nodes", "1", "--backups", "0")) {
            assertThat(earlier.exitCode()).as(earlier.err()).isZero();
        }
        assertThat(cell("first/state/embedded/cluster.json")).exists();

        try (Child resumed = new Child(
                Files.createDirectory(directory.resolve("elsewhere")),
                Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString()),
                Child.ycsb("suite", "--resume", directory.resolve("s").toString()))) {
            assertThat(resumed.exitCode()).as(resumed.err()).isZero();
            assertThat(resumed.err())
                    .contains("2 of 2 cells are complete already", "1 of 3 cells are complete already", "[3/3] ");
            assertThat(resumed.out())
                    .contains(
                            "suite tiny: 0 reproduced, 0 not reproduced, 2 not comparable, 0 not measured",
                            "first: embedded cluster (Apache Ignite), scale seed, on ",
                            "not comparable (other hardware)",
                            "not comparable (no interval of 1 repeat)");
        }

        assertThat(Files.readString(cell("first/cells/v001-threads-1-r1/cell.json")))
                .isEqualTo(first);
        assertThat(cell("second/cells/v002-threads-2-r1/cell.json")).content().contains("\"prepared\" : \"started\"");
        assertThat(cell("state/embedded/cluster.json")).doesNotExist();
        assertThat(cell("first/state/embedded/cluster.json"))
                .as("what was left there")
                .doesNotExist();
        assertThat(cell("second/state")).doesNotExist();
        assertThat(cell("suite.md"))
                .content()
                .contains("| scaling | it scales | shape | throughput_ops_s of threads=2 to threads=1 | > 1 |");
        byte[] before = Files.readAllBytes(cell("suite.json"));
        try (Child report = ycsb("report", "s")) {
            assertThat(report.exitCode()).as(report.err()).isZero();
            assertThat(report.out()).contains("suite.html");
        }
        assertThat(Files.readAllBytes(cell("suite.json"))).isEqualTo(before);
    }
}

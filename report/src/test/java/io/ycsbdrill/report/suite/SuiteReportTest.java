package io.ycsbdrill.report.suite;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From the files of a real suite, which was interrupted after three of its cells; run directories without their large files. */
class SuiteReportTest {
    private static final Path SAMPLE = Path.of("src/test/resources/suites/warp-tpcc-partial");

    @TempDir
    private Path directory;

    @BeforeEach
    void sample() throws IOException {
        try (Stream<Path> files = Files.walk(SAMPLE)) {
            files.filter(Files::isRegularFile).forEach(file -> {
                Path to = directory.resolve(SAMPLE.relativize(file).toString());
                try {
                    Files.createDirectories(to.getParent());
                    Files.copy(file, to);
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
    }

    private JsonNode json() throws IOException {
        return Json.READER.readTree(directory.resolve("suite.json").toFile());
    }

    @Test
    void everyTableNamesEngineScaleAndMachine() throws IOException {
        String banner = "tpcc: embedded cluster (Apache Ignite), scale small, on one machine with 2 cores, ";

        SuiteReport.Written written = SuiteReport.write(directory);

        assertThat(SuiteReport.isIn(directory)).isTrue();
        assertThat(written.text())
                .contains(banner, "suite warp-tpcc: 0 reproduced, 0 not reproduced, 3 not comparable");
        assertThat(directory.resolve("suite.md"))
                .content()
                .contains(banner, "\n\n**What the source leaves open, and what differs here**\n\n- ");
        assertThat(directory.resolve("suite.html"))
                .content()
                .contains(
                        "<caption>" + banner,
                        "tpcc/experiment.html",
                        "What the source leaves open",
                        "nothing here says that one system is better than another");
        assertThat(directory.resolve("tpcc/experiment.html")).exists();
    }

    @Test
    void gainsOfAnExperimentAreOnThePageOfTheSuite() throws IOException {
        Path plan = directory.resolve("tpcc/plan.json");
        ObjectNode json = (ObjectNode) Json.READER.readTree(plan.toFile());
        json.put("gain", "mode");
        Files.writeString(plan, json.toString());

        SuiteReport.write(directory);

        assertThat(directory.resolve("suite.html"))
                .content()
                .contains(
                        "<caption>Gain of mode=tx over mode=none, throughput (embedded cluster (Apache Ignite), scale small,");
    }

    /** What a person wants to know of faults: one row each. */
    @Test
    void whatDrillsHaveShownIsOneTableOnThePageAndInItsText() throws IOException {
        Path plan = directory.resolve("tpcc/plan.json");
        ObjectNode json = (ObjectNode) Json.READER.readTree(plan.toFile());
        json.put("command", "drill");
        json.putArray("charts")
                .add(json.objectNode().put("x", "mode").put("y", "throughput_ops_s"))
                .add(json.objectNode().put("x", "mode").put("y", "drill_outageSeconds"));
        Files.writeString(plan, json.toString());

        SuiteReport.write(directory);

        assertThat(directory.resolve("suite.md"))
                .content()
                .contains("**What the drills have shown, medians (embedded cluster (Apache Ignite), scale small, ")
                .contains("| Variant | n | Throughput (ops/s) |\n| --- | --- | --- |\n")
                .containsPattern(
                        "\\| mode=none \\| 1 \\| [\\d.,]+ \\|\n\\| mode=tx \\| 1 \\| [\\d.,]+ \\|\n\\| mode=2pc \\| 1 \\| ");
        assertThat(directory.resolve("suite.html")).content().contains("<caption>What the drills have shown");
    }

    @Test
    void claimsAndCellsAreCountedFromTheFiles() throws IOException {
        SuiteReport.Written written = SuiteReport.write(directory);

        assertThat(written.nothingJudged()).isTrue();
        assertThat(written.text()).contains("3 not comparable, 0 not measured: no claim could be judged");
        assertThat(directory.resolve("suite.html")).content().contains("no claim could be judged");
        assertThat(written.counting()).isEqualTo(3);
        JsonNode claims = json().path("experiments").path(0).path("claims");
        assertThat(claims)
                .extracting(claim -> claim.path("result").asText() + ": "
                        + claim.path("reason").asText())
                .containsOnly("not comparable: no interval of 1 repeat");
        assertThat(claims.path(0).path("claimed").path(0).asDouble()).isEqualTo(0.96);
        assertThat(claims.path(1).path("recomputed").asText()).isEqualTo("1 / 0.96");
        assertThat(claims.path(0).path("measured").path("n").asInt()).isEqualTo(1);
        assertThat(directory.resolve("suite.md"))
                .content()
                .contains("begun 2026-11-22 22:21:02Z, last cell ended after 6 min 36 s.");
    }

    @Test
    void whatTheTimeOfASuiteWasForIsSaidWhereItsCellsTellIt() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.filter(each -> each.endsWith("cell.json")).toList()) {
                ObjectNode cell = (ObjectNode) Json.READER.readTree(file.toFile());
                Files.writeString(file, cell.put("clusterSeconds", 20.0).toString());
            }
        }

        SuiteReport.write(directory);

        assertThat(directory.resolve("suite.md"))
                .content()
                .containsPattern(
                        "last cell ended after 6 min 36 s, in cells \\d+ min \\d+ s: \\d+ % under load, \\d+ % for clusters and"
                                + " tables, \\d+ % for starts and ends of cells\\.");
    }

    @Test
    void theClaimsOfAnExperimentThatWasNotRunAreNotMeasured() throws IOException {
        try (Stream<Path> files = Files.walk(directory.resolve("tpcc"))) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }

        SuiteReport.Written written = SuiteReport.write(directory);

        assertThat(written.counting()).isZero();
        assertThat(written.text()).contains("3 not measured", "not measured (its experiment was not run)");
        assertThat(List.of(json().path("experiments").path(0).path("claims")))
                .allSatisfy(claims -> assertThat(claims).hasSize(3));
    }

    @Test
    void aDatabaseOfTheUsersHasNoEngine() throws IOException {
        Path plan = directory.resolve("suite-plan.json");
        ObjectNode json = (ObjectNode) Json.READER.readTree(plan.toFile());
        json.remove("engine");
        Files.writeString(plan, json.toString());

        assertThat(SuiteReport.write(directory).text()).contains("tpcc: a database named by properties, scale small");
    }
}

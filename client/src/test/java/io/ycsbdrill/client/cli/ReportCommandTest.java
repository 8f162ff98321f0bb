package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportCommandTest {
    @TempDir
    Path root;

    private World world;

    @BeforeEach
    void twoRuns() {
        world = new World(root);
        run("a", 8);
        run("b", 8);
        run("c", 16);
    }

    private void run(String name, int threads) {
        world.file(
                name + "/run.json",
                "{\"schema\":1,\"state\":\"complete\",\"endedAt\":\"2026-11-20T12:00:01Z\",\"durationNanos\":1000000000,"
                        + "\"workload\":\"workloadb\",\"binding\":\"native\",\"threads\":" + threads + "}");
        world.file(
                name + "/windows.csv",
                "window,start_s,end_s,operation,ok,failed,unknown\n0,0,1,READ,10,0,0\n0,0,1,TOTAL,10,0,0\n");
    }

    private Path at(String name) {
        return root.resolve("cwd").resolve(name);
    }

    @Test
    void reportWritesThePageAndSaysWhere() {
        int exitCode = world.execute("report", "a", "b");

        assertThat(exitCode).isZero();
        assertThat(at("a/report.html")).isNotEmptyFile();
        assertThat(at("b/report.html")).isNotEmptyFile();
        assertThat(world.out()).contains("a/report.html", "b/report.html");
    }

    @Test
    void ofADirectoryThatIsNoRunAndOfTheOthersNothingIsMade() {
        world.file("notes/text", "no run");

        int exitCode = world.execute("report", "a", "nothing", "b", "notes");

        assertThat(exitCode).isEqualTo(2);
        assertThat(world.err()).contains("nothing is not there", "notes is not a run directory");
        assertThat(at("a/report.html")).doesNotExist();
        assertThat(at("b/report.html")).doesNotExist();
    }

    @Test
    void junitFileIsWrittenForOneRunOnly() {
        assertThat(world.execute("report", "--junit", "drill.xml", "a")).isZero();
        assertThat(at("drill.xml")).content().contains("<testsuite");
        assertThat(world.execute("report", "--junit", "drill.xml", "a", "b")).isEqualTo(2);
    }

    @Test
    void aRunThatWasKilledHasNoJson() {
        assertThat(world.execute("report", "--json", "a")).isEqualTo(1);
        assertThat(world.err()).contains("error: --json: ", "summary.json");
        assertThat(world.out()).isEmpty();
    }

    @Test
    void aComparisonAsJsonIsNothingElse() throws IOException {
        assertThat(world.execute("compare", "a", "b", "--json")).isZero();

        JsonNode json = Json.READER.readTree(world.out());
        assertThat(json.at("/a/directory").asText()).endsWith("a");
        assertThat(json.path("differences")).isEmpty();
        assertThat(json.at("/figures/0").toString())
                .isEqualTo(
                        "{\"operation\":\"all\",\"figure\":\"throughput (ops/s)\",\"a\":10.0,\"b\":10.0,\"ratio\":1.0}");
        assertThat(json.toString()).contains("p99 (ms)").doesNotContain("NaN", "null");
        assertThat(at("compare.html")).exists();
    }

    @Test
    void runsThatAreNotAlikeHaveNoJsonUnlessForced() throws IOException {
        assertThat(world.execute("compare", "a", "c", "--json")).isEqualTo(1);
        assertThat(world.out()).isEmpty();

        assertThat(world.execute("compare", "a", "c", "--json", "--force")).isZero();
        assertThat(Json.READER.readTree(world.out()).at("/differences/0").asText())
                .contains("threads: A has 8, B has 16");
    }

    @Test
    void likeRunsAreCompared() {
        assertThat(world.execute("compare", "a", "b", "-o", "out/ab.html")).isZero();
        assertThat(at("out/ab.html")).content().contains("1.00 ×");
    }

    @Test
    void unlikeRunsAreRefusedUnlessForced() {
        assertThat(world.execute("compare", "a", "c")).isEqualTo(1);
        assertThat(world.err()).contains("threads: A has 8, B has 16", "--force");
        assertThat(at("compare.html")).doesNotExist();

        assertThat(world.execute("compare", "a", "c", "--force")).isZero();
        assertThat(at("compare.html")).content().contains("not alike");
    }
}

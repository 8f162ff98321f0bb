package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class HistoryCommandTest {
    @TempDir
    private Path root;

    private World world;

    @BeforeEach
    void world() {
        world = new World(root).with(new FakeEngine("embedded")).file("w", """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=20
                operationcount=50
                readproportion=1
                updateproportion=0
                """);
    }

    private void run(String directory) {
        int exitCode = world.execute(
                "run", StoreDb.class.getName(), "-P", "w", "--no-load", "--out", directory, "-target", "1000");
        assertThat(exitCode).as(world.err()).isIn(0, 1);
    }

    @Test
    void theSameAsJsonIsNothingElse() throws IOException {
        for (int i = 1; i <= 6; i++) {
            run("results/r" + i);
        }
        spoil("results/r6");
        world = new World(root); // what the runs have printed is not the history's

        assertThat(world.execute("history", "results", "--json"))
                .as(world.err())
                .isZero();

        assertThat(world.out().strip()).startsWith("{").endsWith("}");
        JsonNode json = Json.READER.readTree(world.out());
        assertThat(json.path("judged").asBoolean()).isTrue();
        assertThat(json.at("/regressions/0").asText()).contains("100,000");
        assertThat(json.at("/series/0/runs")).hasSize(6);
        assertThat(json.at("/series/0/runs/5/directory").asText()).endsWith("r6");
        assertThat(json.at("/series/0/runs/5/figures/failed/value").asDouble()).isEqualTo(100_000);
        assertThat(json.at("/series/0/runs/5/figures/recovery").isMissingNode()).isTrue();
        assertThat(world.out()).doesNotContain("history.html");
    }

    /** As if it had failed often. */
    private void spoil(String directory) throws IOException {
        Path summary = world.directory().resolve(directory).resolve("summary.json");
        Files.writeString(summary, Files.readString(summary).replaceFirst("\"failed\" : \\d+", "\"failed\" : 100000"));
    }

    @Test
    void aRegressionIsShownAndFailsOnlyWhenAskedTo() throws IOException {
        for (int i = 1; i <= 6; i++) {
            run("results/r" + i);
        }
        spoil("results/r6");

        assertThat(world.execute("history", "results")).as(world.err()).isZero();
        assertThat(world.out()).contains("100,000!", "results/history.html");
        assertThat(world.err()).contains("regression: w on");
        assertThat(world.execute("history", "results", "--fail-on-regression", "--out", "page.html"))
                .isEqualTo(3);
        assertThat(world.directory().resolve("page.html")).isNotEmptyFile();
    }

    @Test
    void aGateDoesNotPassWhereNothingCanBeJudgedYet() {
        for (int i = 1; i <= 5; i++) {
            run("results/r" + i);
        }

        assertThat(world.execute("history", "results")).as(world.err()).isZero();
        assertThat(world.out())
                .contains("Nothing to judge yet: the one series has no figure that is known of")
                .doesNotContain("No regression");
        assertThat(world.execute("history", "results", "--fail-on-regression")).isEqualTo(1);
        assertThat(world.err()).contains("error: --fail-on-regression: Nothing to judge yet: the one series");

        run("results/r6");
        assertThat(world.execute("history", "results", "--fail-on-regression"))
                .as(world.err())
                .isIn(0, 3);
        assertThat(world.out()).containsIgnoringCase("regression in the newest run of 1 series");
    }

    @Test
    void nothingToCompareIsAFailure() throws IOException {
        Files.createDirectories(world.directory().resolve("results/empty"));

        assertThat(world.execute("history", "results")).isEqualTo(1);
        assertThat(world.err()).contains("error: no run under");
        assertThat(world.execute("history", "nowhere")).isEqualTo(2);
        assertThat(world.err()).contains("is not a directory");
    }
}

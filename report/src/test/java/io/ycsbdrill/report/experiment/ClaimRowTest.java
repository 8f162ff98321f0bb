package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Claims of an experiment, from its files to its tables. */
class ClaimRowTest {
    @TempDir
    private Path directory;

    private ExperimentFiles files;

    /** Two variants of which the second has twice the throughput and half the latency of the first. */
    private void twice() {
        files = new ExperimentFiles(directory, 3, "1", "2").plan();
        for (int repeat = 1; repeat <= 3; repeat++) {
            double drift = 1 + 0.01 * repeat;
            files.ok(1, repeat, false, 1000 * drift, 400).ok(1, repeat, true, 1001 * drift, 400);
            files.ok(2, repeat, false, (repeat == 2 ? 2010 : 1990) * drift, 200);
        }
    }

    private void claims(String claims) throws IOException {
        Path plan = directory.resolve("plan.json");
        ObjectNode json = (ObjectNode) Json.READER.readTree(plan.toFile());
        json.set("claims", Json.READER.readTree(claims));
        Files.writeString(plan, json.toString());
    }

    private static String claim(String id, String rest) {
        return "{\"id\":\"" + id
                + "\",\"quote\":\"in its <words>\",\"figure\":\"throughput_ops_s\",\"of\":{\"threads\":\"2\"}," + rest
                + "}";
    }

    private JsonNode json() throws IOException {
        return Json.READER
                .readTree(directory.resolve("experiment.json").toFile())
                .path("claims");
    }

    @Test
    void theThreeColumnsAndTheWordStandOnEveryOutput() throws IOException {
        twice();
        claims("["
                + claim(
                        "scaling",
                        "\"kind\":\"ratio\",\"claimed\":[1.9,1.9],\"recomputed\":\"20 / 11\",\"recomputedValue\":1.8182,"
                                + "\"tolerance\":0.1,\"to\":{\"threads\":\"1\"}")
                + "]");

        ExperimentReport.Written written = ExperimentReport.write(directory);

        String row =
                "| scaling | in its &lt;words> | ratio | throughput_ops_s of threads=2 to threads=1 | 1.9 | 20 / 11 = 1.82 | 2 (1.97 to 2.03) | reproduced |";
        assertThat(directory.resolve("experiment.md")).content().contains(row);
        assertThat(written.text()).contains("scaling", "2 (1.97 to 2.03)");
        assertThat(directory.resolve("experiment.html"))
                .content()
                .contains("<h2>Claims</h2>", "in its &lt;words&gt;", "2 (1.97 to 2.03)");
        assertThat(written.text())
                .contains("Claims: 1 reproduced, 0 not reproduced")
                .doesNotContain("could be judged");
        assertThat(written.nothingJudged()).isFalse();
        assertThat(json().get(0).path("result").asText()).isEqualTo("reproduced");
        assertThat(json().get(0).path("measured").path("n").asInt()).isEqualTo(3);
    }

    @Test
    void anAbsoluteFigureIsTheMedianAndAQuotientIsOfTheSameCell() throws IOException {
        twice();
        claims("[" + claim("absolute", "\"kind\":\"absolute\",\"claimed\":[51000,51000]") + ","
                + claim("quotient", "\"kind\":\"shape\",\"expect\":{\"more\":true,\"bound\":1}")
                        .replace("throughput_ops_s", "READ_service_max_us / READ_service_mean_us")
                + "]");

        ExperimentReport.write(directory);

        assertThat(directory.resolve("experiment.md"))
                .content()
                .contains(
                        "| absolute | throughput_ops_s of threads=2 | 51,000 ops/s |  | 2,050 ops/s (no interval, n=3) | not comparable (other hardware) |");
        assertThat(json().get(1).path("measured").path("value").asDouble()).isEqualTo(1);
        assertThat(json().get(1).path("reason").asText()).isEqualTo("the interval 1 to 1 does not decide");
    }

    @Test
    void whatWasJudgedIsFirstInTheTable() throws IOException {
        twice();
        claims("[" + claim("never", "\"kind\":\"ratio\",\"notMeasured\":\"there is none\"") + ","
                + claim("figure", "\"kind\":\"absolute\"") + ","
                + claim(
                        "scaling",
                        "\"kind\":\"ratio\",\"claimed\":[1.9,1.9],\"tolerance\":0.1,\"to\":{\"threads\":\"1\"}")
                + "]");

        ExperimentReport.write(directory);

        assertThat(directory.resolve("experiment.md"))
                .content()
                .containsSubsequence("| scaling |", "| figure |", "| never |");
        assertThat(json()).extracting(node -> node.path("id").asText()).containsExactly("never", "figure", "scaling");
    }

    @Test
    void whatIsLackingIsNotMeasuredWithItsReason() throws IOException {
        files = new ExperimentFiles(directory, 3, "1", "2").plan();
        for (int repeat = 1; repeat <= 3; repeat++) {
            files.ok(1, repeat, false, 1000, 400).na(2, repeat, "exit code 1");
        }
        String ratio = "\"kind\":\"ratio\",\"claimed\":[1,1],\"tolerance\":0.1,\"to\":{\"threads\":\"1\"}";
        claims("[" + claim("broken", ratio) + ","
                + claim("unknown", "\"kind\":\"absolute\"")
                        .replace("throughput_ops_s", "drill_none")
                        .replace("\"threads\":\"2\"", "\"threads\":\"1\"")
                + "," + claim("elsewhere", ratio).replace("\"threads\":\"2\"", "\"threads\":\"8\"") + "]");

        ExperimentReport.write(directory);

        assertThat(json()).extracting(node -> node.path("result").asText()).containsOnly("not measured");
        assertThat(json())
                .extracting(node -> node.path("reason").asText())
                .containsExactly(
                        "threads=2: exit code 1",
                        "drill_none is lacking or 0 in a repeat",
                        "the experiment has no such variant");
    }

    /** Nobody knows then by how much the two differ by chance. */
    @Test
    void aDirectionIsNotJudgedWithoutANoiseFloor() throws IOException {
        String faster = "["
                + claim(
                        "faster",
                        "\"kind\":\"shape\",\"expect\":{\"more\":true,\"bound\":1},\"to\":{\"threads\":\"1\"}")
                + "]";
        files = new ExperimentFiles(directory, 3, "1", "2").plan();
        for (int repeat = 1; repeat <= 3; repeat++) {
            files.ok(1, repeat, false, 1000 + repeat, 400).ok(2, repeat, false, 2000, 200);
        }
        claims(faster);

        ExperimentReport.write(directory);

        assertThat(json().get(0).path("result").asText()).isEqualTo("not comparable");
        assertThat(json().get(0).path("reason").asText()).isEqualTo("noise floor not measured");

        twice();
        claims(faster);
        ExperimentReport.write(directory);

        assertThat(json().get(0).path("result").asText()).isEqualTo("reproduced");
    }

    private static String phases(double recovery, double synchronise, double checkpoint) {
        return ("\"overall\":{},\"faults\":[{\"phases\":[{\"phase\":\"local-recovery\",\"seconds\":%s},"
                        + "{\"phase\":\"synchronise\",\"seconds\":%s},{\"phase\":\"wait-checkpoint\",\"seconds\":%s}]}]")
                .formatted(recovery, synchronise, checkpoint);
    }

    /** "Takes the most time" is more than any other, not more than one that was chosen. */
    @Test
    void theLargerOneOfTwoFiguresIsWhatMostIsAbout() throws IOException {
        files = new ExperimentFiles(directory, 3, "1", "2").plan();
        for (int repeat = 1; repeat <= 3; repeat++) {
            files.drill(1, repeat, false, phases(2, 3, 16)).drill(2, repeat, false, phases(2, 20 + repeat, 16));
        }
        String most = claim("most", "\"kind\":\"shape\",\"expect\":{\"more\":true,\"bound\":1}")
                .replace(
                        "throughput_ops_s",
                        "drill_phase_synchronise_seconds / max(drill_phase_local_recovery_seconds, drill_phase_wait_checkpoint_seconds)");
        claims("[" + most + "," + most.replace("\"threads\":\"2\"", "\"threads\":\"1\"") + ","
                + most.replace("drill_phase_wait_checkpoint_seconds", "drill_phase_none_seconds") + "]");

        ExperimentReport.write(directory);

        assertThat(json())
                .extracting(node -> node.path("result").asText())
                .containsExactly("reproduced", "not reproduced", "not measured");
        assertThat(json().get(1).path("measured").path("value").asDouble()).isEqualTo(3 / 16.0);
    }

    /** Those that wait for a node that is out are those that fail. */
    @Test
    void theLongestOperationOfADrillMayHaveFailed() throws IOException {
        files = new ExperimentFiles(directory, 3, "1", "2").operation("UPDATE").plan();
        for (int repeat = 1; repeat <= 3; repeat++) {
            files.drill(2, repeat, false, phases(2, 3, 16));
            Path run = directory.resolve("cells/v002-r" + repeat + "/run/run.json");
            Files.writeString(run, Files.readString(run).replaceFirst("\\{", "{\"drill\":{},"));
            Path totals = directory.resolve("cells/v002-r" + repeat + "/run/totals.jsonl");
            Path longer = directory.resolve("longer/cells/v001-r1/run/totals.jsonl");
            new ExperimentFiles(directory.resolve("longer"), 1, "1")
                    .operation("UPDATE")
                    .ok(1, 1, false, 1, 311_000);
            Files.writeString(
                    totals,
                    Files.readString(totals)
                            + Files.readString(longer).replace("\"outcome\":\"ok\"", "\"outcome\":\"failed\""));
        }
        claims("[" + claim("waiting", "\"kind\":\"absolute\"").replace("throughput_ops_s", "drill_longest_UPDATE_us")
                + "]");

        ExperimentReport.write(directory);

        assertThat(json().get(0).path("measured").path("value").asDouble()).isBetween(310_000.0, 312_000.0);
        assertThat(directory.resolve("experiment.md")).content().containsPattern("31\\d ms");
    }
}

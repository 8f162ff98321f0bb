package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two versions at two numbers of threads: the table of what one gains over the other at each of them. */
class GainsTest {
    @TempDir
    private Path directory;

    private void plan(String more) throws IOException {
        new ExperimentFiles(directory, 3, "1", "2", "1", "2").plan();
        Path file = directory.resolve("plan.json");
        ObjectNode plan = (ObjectNode) Json.READER.readTree(file.toFile());
        plan.setAll((ObjectNode) Json.READER.readTree("{\"axes\":[{\"name\":\"version\",\"levels\":[\"2.6\",\"2.7\"]},"
                + "{\"name\":\"threads\",\"levels\":[\"1\",\"2\"]}]" + more + "}"));
        ArrayNode variants = (ArrayNode) plan.path("variants");
        for (int i = 0; i < 4; i++) {
            ((ObjectNode) variants.get(i).path("levels")).put("version", i < 2 ? "2.6" : "2.7");
        }
        Files.writeString(file, plan.toString());
    }

    private void cells() {
        ExperimentFiles files = new ExperimentFiles(directory, 3, "1", "2", "1", "2");
        for (int repeat = 1; repeat <= 3; repeat++) {
            files.ok(1, repeat, false, 1000 + repeat, 100).ok(1, repeat, true, 1000 + repeat, 100);
            files.ok(3, repeat, false, 1200 + repeat, 100);
            files.ok(2, repeat, false, 2000, 100).na(4, repeat, "99 % of the operations succeeded");
        }
    }

    @Test
    void aLevelThatDoesNotCountHasNoGain() throws IOException {
        plan(",\"gain\":\"version\"");
        cells();

        ExperimentReport.write(directory);

        assertThat(directory.resolve("experiment.md"))
                .content()
                .contains(
                        "**Gain of version=2.7 over version=2.6, throughput**",
                        "| threads=1 | 1,002 | 1,202 | +20 % (+20 to +20) | \u25b2 better |",
                        "| threads=2 | 2,000 | NA | NA |  |");
        assertThat(directory.resolve("experiment.html")).content().contains("<h2>Gain</h2>", "+20 % (+20 to +20)");
    }

    /** Without it nobody can tell whether that is more than the reference differs from itself. */
    @Test
    void withoutANoiseFloorNoGainIsJudged() throws IOException {
        plan(",\"gain\":\"version\"");
        ExperimentFiles files = new ExperimentFiles(directory, 3, "1", "2", "1", "2");
        for (int repeat = 1; repeat <= 3; repeat++) {
            files.ok(1, repeat, false, 1000 + repeat, 100).ok(3, repeat, false, 1200 + repeat, 100);
        }

        ExperimentReport.write(directory);

        assertThat(directory.resolve("experiment.md"))
                .content()
                .contains("| threads=1 | 1,002 | 1,202 | +20 % (+20 to +20) |  |");
    }

    /** On two cores the clients of the second level need what the servers have, and those of the first have a core of their own. */
    @Test
    void serversThatHaveAllCoresAreNotComparedWithOthers() throws IOException {
        cores(2);

        ExperimentReport.write(directory);

        String reason = "with cores=2 the servers have all 2 cores of the machine, and share them with the clients";
        assertThat(directory.resolve("experiment.md"))
                .content()
                .contains(
                        "| all | 1,002 | 1,202 | +20 % (+20 to +20) | not comparable (" + reason + ") |",
                        "| 1.2 (1.2 to 1.2) | not comparable (" + reason + ") |",
                        "| cores=2 | 3 | 1,202 | no interval (n=3) | \u00d71.20 (1.20 to 1.20) | not comparable ("
                                + reason + ") |")
                .doesNotContain("better |", "worse |");
        assertThat(Json.READER
                        .readTree(directory.resolve("experiment.json").toFile())
                        .findValues("comparison"))
                .isEmpty();
    }

    /** As in files of which the run directories are gone. */
    @Test
    void serversOfAMachineWhoseCoresAreNotKnownAreNotComparedWithOthers() throws IOException {
        cores(0);

        ExperimentReport.write(directory);

        assertThat(directory.resolve("experiment.md"))
                .content()
                .contains(
                        "| +20 % (+20 to +20) | not comparable (cores of the machine not known) |",
                        "| 1.2 (1.2 to 1.2) | not comparable (cores of the machine not known) |")
                .doesNotContain("better |");
    }

    @Test
    void serversThatLeaveTheClientsCoresAreCompared() throws IOException {
        cores(4);

        ExperimentReport.write(directory);

        assertThat(directory.resolve("experiment.md"))
                .content()
                .contains("| +20 % (+20 to +20) | \u25b2 better |", "| 1.2 (1.2 to 1.2) | not reproduced |");
    }

    private void cores(int cpus) throws IOException {
        ExperimentFiles files = new ExperimentFiles(directory, 3, "1", "2").plan();
        if (cpus > 0) {
            files.cpus(cpus);
        }
        Path file = directory.resolve("plan.json");
        ObjectNode plan = (ObjectNode) Json.READER.readTree(
                Files.readString(file).replace("\"threads\"", "\"cores\"").replace("\"charts\":[]", """
                        "gain":"cores","claims":[{"id":"twice","quote":"twice the cores","kind":"ratio","claimed":[2,2],
                        "tolerance":0.1,"figure":"throughput_ops_s","of":{"cores":"2"},"to":{"cores":"1"}}],"charts":[]"""));
        Files.writeString(file, plan.toString());
        for (int repeat = 1; repeat <= 3; repeat++) {
            files.ok(1, repeat, false, 1000 + repeat, 100).ok(1, repeat, true, 1000 + repeat, 100);
            files.ok(2, repeat, false, 1200 + repeat, 100);
        }
    }

    private void claim(String figure, String threads) throws IOException {
        plan(
                ",\"gain\":\"version\",\"claims\":[{\"id\":\"a\",\"quote\":\"faster\",\"kind\":\"ratio\",\"claimed\":[2,2],"
                        + "\"tolerance\":0.1,\"figure\":\"" + figure + "\",\"notComparable\":\"both are the same\","
                        + "\"of\":{\"version\":\"2.7\",\"threads\":\"" + threads
                        + "\"},\"to\":{\"version\":\"2.6\"}}]");
        cells();
        ExperimentFiles files = new ExperimentFiles(directory, 3, "1", "2", "1", "2");
        for (int repeat = 1; repeat <= 3; repeat++) {
            files.ok(4, repeat, false, 2600, 100);
        }
        ExperimentReport.write(directory);
    }

    /** A claim about the same levels knows why; what cannot be compared is in no mean. */
    @Test
    void whatAClaimSaysAgainstTheComparisonStandsBesideTheGain() throws IOException {
        claim("throughput_ops_s", "1");

        assertThat(directory.resolve("experiment.md"))
                .content()
                .contains(
                        "| threads=1 | 1,002 | 1,202 | +20 % (+20 to +20) | not comparable (both are the same) |",
                        "| threads=2 | 2,000 | 2,600 | +30 % (+30 to +30) | \u25b2 better |")
                .doesNotContain("Mean gain");
    }

    @Test
    void aClaimAboutOtherLevelsOrAnotherFigureSaysNothingOfAGain() throws IOException {
        claim("READ_service_p99_us", "1");

        assertThat(directory.resolve("experiment.md"))
                .content()
                .contains(
                        "| threads=1 | 1,002 | 1,202 | +20 % (+20 to +20) | \u25b2 better |",
                        "over all comparable levels**", "| all | 2 | +25 % |");
    }

    /** As a text says it: "a mean improvement of 51 % with a standard deviation of 9 %", after one of 121 % was removed. */
    @Test
    void overAllLevelsTheMeanIsAlsoThatWithoutAnOutlier() {
        Map<String, Double> ratios = new LinkedHashMap<>();
        double[] gains = {1.44, 1.60, 1.41, 2.21, 1.52, 1.58, 1.47, 1.55};
        for (int i = 0; i < gains.length; i++) {
            ratios.put("level " + i, gains[i]);
        }

        assertThat(Gains.overAll("Gain", ratios).orElseThrow().rows())
                .containsExactly(
                        List.of("all", "8", "+60 %", "+38 to +81 %", "26 %"),
                        List.of(
                                "without level 3, an outlier by Grubbs' test at 5 %",
                                "7", "+51 %", "+44 to +58 %", "7 %"));

        ratios.put("level 3", 1.62);
        assertThat(Gains.overAll("Gain", ratios).orElseThrow().rows()).hasSize(1);
        assertThat(Gains.overAll("Gain", Map.of("only", 1.5))).isEmpty();
    }

    @Test
    void withoutTheKeyThereIsNoSuchTable() throws IOException {
        plan("");
        cells();

        ExperimentReport.write(directory);

        assertThat(directory.resolve("experiment.html")).content().doesNotContain("Gain");
    }

    @Test
    void everyTableOfAnExperimentOfASuiteNamesEngineScaleAndMachine() throws IOException {
        plan(",\"gain\":\"version\",\"setting\":\"ndb, scale small, on one machine\"");
        cells();

        ExperimentReport.Written written = ExperimentReport.write(directory);

        String page = Files.readString(directory.resolve("experiment.html"));
        assertThat(page.split("<caption>", -1)).hasSizeGreaterThan(5);
        assertThat(page.split("\\(ndb, scale small, on one machine\\)</caption>", -1))
                .hasSameSizeAs(page.split("<caption>", -1));
        assertThat(page).contains("<div class=\"banner\"><strong>ndb, scale small, on one machine</strong>");
        assertThat(written.text()).contains("throughput (ndb, scale small, on one machine)\n");
        assertThat(Files.readString(directory.resolve("experiment.md")))
                .contains("throughput (ndb, scale small, on one machine)**");
    }
}

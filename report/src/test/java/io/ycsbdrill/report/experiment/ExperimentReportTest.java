package io.ycsbdrill.report.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.report.stat.Comparison;
import io.ycsbdrill.rundir.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentReportTest {
    @TempDir
    private Path directory;

    private JsonNode json() throws IOException {
        return Json.READER.readTree(directory.resolve("experiment.json").toFile());
    }

    private String text(String file) throws IOException {
        return Files.readString(directory.resolve(file));
    }

    /** Two variants of which the second is twice as fast, and one that is like the first. */
    private void threeVariants() {
        ExperimentFiles files = new ExperimentFiles(directory, 5, "1", "2", "4").plan();
        for (int repeat = 1; repeat <= 5; repeat++) {
            double drift = 1 + 0.01 * repeat;
            files.ok(1, repeat, false, 1000 * drift, 100, 100, 400).ok(1, repeat, true, 1020 * drift, 100, 110, 400);
            files.ok(2, repeat, false, (repeat % 2 == 0 ? 2010 : 1990) * drift, 100, 100, 200);
            files.ok(3, repeat, false, (repeat % 2 == 0 ? 1005 : 1003) * drift, 100, 100, 400);
        }
    }

    @Test
    void comparesEveryVariantWithTheFirstByPairsAndTheNoiseFloor() throws IOException {
        threeVariants();

        ExperimentData data = ExperimentReport.write(directory).data();

        assertThat(data.ratio(1, CellFigures.THROUGHPUT)).isEmpty();
        assertThat(data.ratio(2, CellFigures.THROUGHPUT).orElseThrow().value()).isCloseTo(1.98, within(0.01));
        assertThat(data.comparison(2, CellFigures.THROUGHPUT)).contains(Comparison.BETTER);
        assertThat(data.floor(CellFigures.THROUGHPUT).ratio()).isCloseTo(1.02, within(1e-6));
        // Its interval excludes 1, but the reference differed from itself by as much.
        assertThat(data.comparison(3, CellFigures.THROUGHPUT)).contains(Comparison.NOT_DISTINGUISHABLE);
        assertThat(data.detectable(2, CellFigures.THROUGHPUT).orElseThrow()).isBetween(1.001, 1.05);
        assertThat(data.comparison(2, "READ_service_p99_us")).contains(Comparison.BETTER);
        assertThat(text("experiment.md"))
                .contains("| threads=2 | 5 |", ", 93.75 % |", "▲ better", "not distinguishable", "±2.0 % (5 pairs)");
    }

    @Test
    void percentilesOfRepeatsAreThoseOfTheirMergedHistograms() throws IOException {
        ExperimentFiles files = new ExperimentFiles(directory, 2, "1").plan();
        files.ok(1, 1, false, 10, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100);
        files.ok(1, 2, false, 10, 5000);

        ExperimentReport.write(directory);

        JsonNode merged = json().path("variants").get(0).path("mergedMicros").path("READ service");
        assertThat(merged.path("p50").asDouble()).isCloseTo(100, within(0.2));
        assertThat(merged.path("p90").asDouble()).isCloseTo(100, within(0.2));
        assertThat(merged.path("p99").asDouble()).isCloseTo(5000, within(5.0));
        assertThat(merged.path("mean").asDouble()).isCloseTo((10 * 100 + 5000) / 11.0, within(2.0));
    }

    @Test
    void aCellThatDoesNotCountEntersNothingAndItsReasonIsShown() throws IOException {
        new ExperimentFiles(directory, 2, "1", "2")
                .plan()
                .ok(1, 1, false, 100, 100)
                .ok(1, 2, false, 100, 100)
                .ok(2, 1, false, 300, 100)
                .na(2, 2, "exit code 1: <it> broke");

        ExperimentData data = ExperimentReport.write(directory).data();

        assertThat(data.sample(2, CellFigures.THROUGHPUT)).containsExactly(300);
        assertThat(text("experiment.html"))
                .contains("exit code 1: &lt;it> broke")
                .doesNotContain("<it>");
        assertThat(text("cells.csv")).contains("exit code 1: <it> broke");
        assertThat(json().path("cells").path("na").asInt()).isEqualTo(1);
        assertThat(text("experiment.html")).contains("no interval (n=1)");
    }

    /** The reference runs twice in each repeat, so that it would find its rows where others never do. */
    @Test
    void variantsWhoseClustersWereNotPreparedAlikeAreMentioned() throws IOException {
        ExperimentFiles files = new ExperimentFiles(directory, 2, "1", "2").plan();
        for (int repeat = 1; repeat <= 2; repeat++) {
            files.ok(1, repeat, false, 100, 100).ok(1, repeat, true, 100, 100).ok(2, repeat, false, 100, 100);
        }
        for (String cell : List.of("v001-r1", "v001-r1-aa", "v001-r2", "v001-r2-aa", "v002-r1", "v002-r2")) {
            String how = cell.startsWith("v001") ? "kept" : "started";
            replace("cells/" + cell + "/cell.json", "\"position\":0", "\"position\":0,\"prepared\":\"" + how + "\"");
        }

        ExperimentReport.write(directory);
        assertThat(json().path("cautions").path(0).asText()).startsWith("Clusters were not prepared alike");

        replace("cells/v001-r1/cell.json", "kept", "started");
        ExperimentReport.write(directory);
        assertThat(json().path("cautions")).as("some are alike, but not all").hasSize(1);

        replace("cells/v002-r1/cell.json", "started", "kept");
        ExperimentReport.write(directory);
        assertThat(json().path("cautions")).isEmpty();
        assertThat(Files.readString(directory.resolve("cells.csv"))).contains("cluster_new", "table_new");
    }

    /** Figures on JVMs that an experiment before has warmed up are not those of the same experiment alone. */
    @Test
    void anExperimentThatBeganOnTheClusterOfAnotherSaysSo() throws IOException {
        new ExperimentFiles(directory, 1, "1").plan().ok(1, 1, false, 100, 100).ok(1, 1, true, 100, 100);
        for (String cell : List.of("v001-r1", "v001-r1-aa")) {
            replace("cells/" + cell + "/cell.json", "\"position\":0", "\"position\":0,\"prepared\":\"kept\"");
        }

        ExperimentReport.write(directory);
        assertThat(json().path("cautions")).hasSize(1);
        assertThat(text("experiment.md")).contains("It began on the cluster that the experiment before it");

        replace("cells/v001-r1/cell.json", "kept", "started");
        ExperimentReport.write(directory);
        assertThat(json().path("cautions")).isEmpty();
    }

    @Test
    void inAnAscentALevelCountsOnlyWithAllItsRepeats() throws IOException {
        new ExperimentFiles(directory, 2, "1", "2")
                .ascending()
                .plan()
                .ok(1, 1, false, 100, 100)
                .ok(1, 2, false, 100, 100)
                .ok(2, 1, false, 300, 100)
                .na(2, 2, "99.9 % of the operations succeeded, 100 % are required");

        ExperimentData data = ExperimentReport.write(directory).data();

        assertThat(data.counts(2)).isFalse();
        assertThat(data.sample(2, CellFigures.THROUGHPUT)).isEmpty();
        assertThat(text("experiment.md")).contains("| 2 | NA |").contains("99.9 % of the operations");
    }

    /** Four transactions at a time, of 1 ms: the latency of all operations is that of those which the workload counts. */
    @Test
    void aWorkloadWithOperationsOfItsOwnHasAKnee() throws IOException {
        ExperimentFiles files = new ExperimentFiles(directory, 1, "1", "2", "4", "8", "16")
                .ascending()
                .operation("NEW_ORDER")
                .plan();
        for (int variant = 1; variant <= 5; variant++) {
            int threads = 1 << (variant - 1);
            double throughput = Math.min(threads, 4) * 1000;
            files.ok(variant, 1, false, throughput, threads / throughput * 1e6);
        }

        ExperimentReport.write(directory);

        assertThat(text("experiment.md")).contains("Knee at threads 4").contains("NEW_ORDER p99");
    }

    /** Drills whose service was not restored, or had no outage, would otherwise leave the others to stand for all. */
    @Test
    void aFigureThatSomeRunLacksOrThatIsZeroInOneIsNotComparedAsARatio() throws IOException {
        ExperimentFiles files = new ExperimentFiles(directory, 4, "1", "2").plan();
        for (int repeat = 1; repeat <= 4; repeat++) {
            boolean last = repeat == 4;
            files.drill(1, repeat, false, overall(3, 10)).drill(1, repeat, true, overall(3.1, 10));
            files.drill(2, repeat, false, last ? overall(0, Double.NaN) : overall(6, 5));
        }

        ExperimentData data = ExperimentReport.write(directory).data();

        assertThat(data.sample(2, "drill_outSeconds")).containsExactly(6, 6, 6, 0);
        assertThat(data.ratio(2, "drill_outSeconds")).isEmpty();
        assertThat(data.comparison(2, "drill_outSeconds")).isEmpty();
        assertThat(data.sample(2, "drill_serviceRestoredSeconds"))
                .as("once not restored")
                .isEmpty();
        assertThat(data.comparison(2, "drill_serviceRestoredSeconds")).isEmpty();
        assertThat(text("experiment.md")).contains("0 or not measured in a run");

        files.drill(2, 4, false, overall(6.1, 5));
        data = ExperimentReport.write(directory).data();
        assertThat(data.comparison(2, "drill_outSeconds")).contains(Comparison.WORSE);
        assertThat(data.comparison(2, "drill_serviceRestoredSeconds")).contains(Comparison.BETTER);
    }

    private static String overall(double out, double restored) {
        return "\"overall\":{\"outSeconds\":" + out
                + (Double.isNaN(restored) ? "" : ",\"serviceRestoredSeconds\":" + restored) + "}";
    }

    @Test
    void writesThatAnAuditFoundLostAreAFigureOfTheCell() throws IOException {
        new ExperimentFiles(directory, 1, "1", "2")
                .plan()
                .drill(
                        1,
                        1,
                        false,
                        "\"ackedLost\":{\"value\":7.0,\"censored\":false},\"rpoSeconds\":{\"value\":1.5,\"censored\":true}")
                .drill(
                        2,
                        1,
                        false,
                        "\"ackedLost\":{\"note\":\"not audited\",\"censored\":false},"
                                + "\"rpoSeconds\":{\"value\":24.8,\"censored\":false,\"atMost\":true}");

        ExperimentData data = ExperimentReport.write(directory).data();

        assertThat(data.sample(1, CellFigures.ACKED_LOST)).containsExactly(7);
        assertThat(data.sample(1, CellFigures.RPO)).as("only a bound").isEmpty();
        assertThat(data.sample(2, CellFigures.ACKED_LOST)).isEmpty();
        assertThat(data.sample(2, CellFigures.RPO))
                .as("only a bound, the other way")
                .isEmpty();
    }

    @Test
    void theTableIsReadBackAsItWasWritten() throws IOException {
        threeVariants();
        new ExperimentFiles(directory, 5, "1", "2", "4").na(3, 5, "a \\\"quoted\\\", comma");

        ExperimentReport.write(directory);

        ExperimentData collected = ExperimentData.collect(directory);
        assertThat(ExperimentData.read(directory).rows()).hasSameSizeAs(collected.rows());
        assertThat(ExperimentData.read(directory).rows().get(0))
                .isEqualTo(collected.rows().get(0));
        assertThat(ExperimentData.read(directory).rows())
                .extracting(CellRow::reason)
                .contains("a \"quoted\", comma");
    }

    @Test
    void aRunDirectoryThatIsGoneDoesNotCount() throws IOException {
        threeVariants();
        Files.delete(directory.resolve("cells/v002-r1/run/summary.json"));

        ExperimentData data = ExperimentReport.write(directory).data();

        assertThat(data.sample(2, CellFigures.THROUGHPUT)).hasSize(4);
        assertThat(text("cells.csv")).contains("its run directory is gone or has no summary");
    }

    @Test
    void aCellThatCannotBeReadHasBeenRun() throws IOException {
        threeVariants();
        Files.writeString(directory.resolve("cells/v002-r1/run/summary.json"), "{\"schema\":1,");

        assertThat(ExperimentReport.write(directory).text())
                .contains("19 of 20 cells count, 1 NA, order interleaved\n")
                .doesNotContain("not run yet");
    }

    private void replace(String file, String old, String with) throws IOException {
        Files.writeString(directory.resolve(file), text(file).replace(old, with));
    }

    @Test
    void aDamagedHeaderOfTheClientsFileCostsTheFigureFromIt() throws IOException {
        new ExperimentFiles(directory, 1, "1", "2")
                .plan()
                .ok(1, 1, false, 100, 100)
                .ok(2, 1, false, 100, 100);
        for (int variant = 1; variant <= 2; variant++) {
            String run = "cells/v00" + variant + "-r1/run/";
            replace(
                    run + "summary.json",
                    "{\"schema\":1,",
                    "{\"schema\":1,\"trimmed\":{\"startSeconds\":0,\"endSeconds\":10},");
            String header = variant == 1 ? "start_s,client_cpus" : "start_s,cpus";
            Files.writeString(directory.resolve(run + "client.csv"), header + "\n0,0.5\n");
        }

        ExperimentData data = ExperimentReport.write(directory).data();

        assertThat(data.sample(1, CellFigures.CLIENT_CPU)).containsExactly(5000);
        assertThat(data.sample(2, CellFigures.CLIENT_CPU)).isEmpty();
        assertThat(data.sample(2, CellFigures.THROUGHPUT)).containsExactly(100);
    }

    @Test
    void aDrillWhoseWindowsHaveADamagedHeaderDoesNotCount() throws IOException {
        new ExperimentFiles(directory, 1, "1", "2")
                .plan()
                .drill(1, 1, false, overall(3, 10))
                .drill(2, 1, false, overall(3, 10));
        replace("cells/v002-r1/run/run.json", "\"threads\"", "\"drill\":{},\"threads\"");
        Files.writeString(directory.resolve("cells/v002-r1/run/windows.csv"), "window,\"operation\n");

        ExperimentData data = ExperimentReport.write(directory).data();

        assertThat(data.sample(1, "drill_outSeconds")).containsExactly(3);
        assertThat(data.sample(2, "drill_outSeconds")).isEmpty();
        assertThat(text("cells.csv")).contains("windows.csv line 1: a quote is not closed");
    }

    @Test
    void latenciesOfAVariantAreMergedFromAllOfItsCellsOrNotAtAll() throws IOException {
        threeVariants();
        Files.delete(directory.resolve("cells/v002-r3/run/totals.jsonl"));

        ExperimentReport.write(directory);

        assertThat(text("experiment.md"))
                .containsOnlyOnce("could not be merged: ")
                .contains("Latencies of threads=2 could not be merged: ", "v002-r3/run/totals.jsonl is missing");
        assertThat(json().path("variants").get(1).path("mergedMicros")).isEmpty();
        assertThat(json().path("variants").get(2).path("mergedMicros")).isNotEmpty();
    }

    @Test
    void aFigureOfWhichNeitherMoreNorLessIsBetterIsNotJudged() throws IOException {
        ExperimentFiles files = new ExperimentFiles(directory, 3, "1", "2").plan();
        for (int repeat = 1; repeat <= 3; repeat++) {
            String figures = "\"overall\":{\"lostSeconds\":%d,\"baselineVariationPercent\":%d}";
            files.drill(1, repeat, false, figures.formatted(100 + repeat, 100 + repeat))
                    .drill(1, repeat, true, figures.formatted(100 + repeat, 100 + repeat))
                    .drill(2, repeat, false, figures.formatted(200 + repeat, 200 + repeat));
        }

        ExperimentData data = ExperimentReport.write(directory).data();

        assertThat(data.ratio(2, "drill_baselineVariationPercent")).isPresent();
        assertThat(data.comparison(2, "drill_baselineVariationPercent")).isEmpty();
        assertThat(data.comparison(2, "drill_lostSeconds")).contains(Comparison.WORSE);
    }

    @Test
    void cellsLinkToTheirReports() throws IOException {
        new ExperimentFiles(directory, 1, "1", "2")
                .plan()
                .ok(1, 1, false, 100, 100)
                .report(1, 1)
                .ok(2, 1, false, 100, 100);

        ExperimentReport.write(directory);

        assertThat(text("experiment.html"))
                .contains("href=\"cells/v001-r1/run/report.html\"")
                .doesNotContain("href=\"cells/v002-r1/run/report.html\"");
    }

    /** The size of the page is bounded by a few hundred bytes for each cell; the time by that of reading the files. */
    @Test
    void twoThousandCells() throws IOException {
        String[] levels = new String[99];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = Integer.toString(i + 1);
        }
        ExperimentFiles files = new ExperimentFiles(directory, 20, levels).plan();
        Random random = new Random(1);
        for (int repeat = 1; repeat <= 20; repeat++) {
            for (int variant = 1; variant <= levels.length; variant++) {
                files.ok(variant, repeat, false, 1000 * variant * (1 + random.nextGaussian() / 50), 100, 200, 300);
            }
            files.ok(1, repeat, true, 1000 * (1 + random.nextGaussian() / 50), 100, 200, 300);
        }

        ExperimentReport.Written written = ExperimentReport.write(directory);

        assertThat(written.counting()).isEqualTo(2000);
        assertThat(Files.size(written.page())).isLessThan(3_000_000);
        assertThat(text("cells.csv").lines()).hasSize(2001);
        assertThat(json().path("variants")).hasSize(99);
    }
}

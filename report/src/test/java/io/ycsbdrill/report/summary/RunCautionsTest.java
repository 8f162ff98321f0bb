package io.ycsbdrill.report.summary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.ClientSeries;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.metric.FaultMetrics;
import io.ycsbdrill.report.metric.Measure;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.page.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the load and the client say about the figures of a drill: a stall of 2 s from second 40 on, in 60 s. */
class RunCautionsTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path directory;

    private static SampleRun stall() {
        return SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= 40 && t < 42 ? 0 : t < 10 ? 2000 : 1000, t -> 300)
                .drill("stall", "{\"maxUnavailableSeconds\":5,\"maxFailed\":100}")
                .marker(40, "fault-started", "pause", "node1", "")
                .marker(42, "fault-ended", "pause", "node1", "");
    }

    private Path written(String load) throws IOException {
        SampleRun sample = load.contains("sinceSeconds\":33")
                ? stall().marker(33.5, "load", "load", "", ",\"text\":\"load: 60% of the maximum\"")
                : stall();
        Path run = sample.writeTo(directory.resolve("run"));
        Path file = run.resolve("run.json");
        ObjectNode document = (ObjectNode) JSON.readTree(file.toFile());
        document.set("load", JSON.readTree(load));
        Files.writeString(file, document.toString());
        return run;
    }

    private static void client(Path run, IntToDoubleFunction stallMillis, IntToDoubleFunction gcMillis)
            throws IOException {
        StringBuilder rows = new StringBuilder("slice,start_s,stall_ms,gc_ms,client_cpus,machine_idle,machine_steal\n");
        for (int i = 0; i < 600; i++) {
            rows.append(String.format(
                    Locale.ROOT,
                    "%d,%.1f,%.3f,%.0f,0.5,0.25,\n",
                    i,
                    i / 10.0,
                    stallMillis.applyAsDouble(i),
                    gcMillis.applyAsDouble(i)));
        }
        Files.writeString(run.resolve("client.csv"), rows);
    }

    private static DrillSummary summary(Path run) {
        return DrillSummary.of(RunData.read(run));
    }

    @Test
    void gapInWhichTheClientStalledIsDoubtfulAndStaysAsItIs() throws IOException {
        Path run = written("{\"kind\":\"max\"}");
        client(run, i -> i >= 405 && i < 415 ? 100 : 2, i -> i == 414 ? 900 : 0);

        DrillSummary summary = summary(run);

        assertThat(summary.cautions())
                .containsExactly("Fault 1 (pause node1): its longest gap without a success, 2.1 s from 40.0 s on, is"
                        + " doubtful: the client itself stalled for at least 1.00 s of it, 0.90 s in garbage"
                        + " collection.");
        assertThat(summary.text()).contains("Caution: Fault 1 (pause node1): its longest gap", "Verdict: PASS");
        assertThat(summary.metrics().get(Metric.LONGEST_GAP).value().orElseThrow())
                .isCloseTo(2.1, within(1e-6));
        assertThat(Files.readString(Report.writePage(summary)))
                .contains(
                        "The client itself",
                        "is doubtful: the client itself stalled",
                        "\"stalls\":[[40.5,41.5]]",
                        "25.0 %");
    }

    @Test
    void ofSeveralClientsTheOneThatStalledMostIsNamed() throws IOException {
        Path run = written("{\"kind\":\"max\"}");
        StringBuilder rows = new StringBuilder("client,slice,start_s,stall_ms,gc_ms\n");
        for (int i = 0; i < 600; i++) {
            rows.append(String.format(Locale.ROOT, "1,%d,%.1f,%d,0\n", i, i / 10.0, i == 410 ? 60 : 1));
            rows.append(String.format(Locale.ROOT, "3,%d,%.1f,%d,0\n", i, i / 10.0, i >= 405 && i < 415 ? 90 : 1));
        }
        Files.writeString(run.resolve("client.csv"), rows);

        DrillSummary summary = summary(run);

        assertThat(summary.cautions())
                .singleElement()
                .asString()
                .contains("is doubtful: client 3 itself stalled for at least 0.90 s of it.");
        assertThat(Files.readString(Report.writePage(summary))).contains("Most stalled of 2 clients: client 3");
    }

    /** Two seconds with half of the service, during which the client could not run: no gap, and no figure of the database. */
    @Test
    void aClientThatStalledBesideTheGapMakesTheOtherFiguresDoubtful() throws IOException {
        Path run = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> t >= 40 && t < 42 ? 500 : 1000, t -> 300)
                .drill("half", "{\"maxLostSeconds\":5}")
                .marker(40, "fault-started", "pause", "node1", "")
                .marker(42, "fault-ended", "pause", "node1", "")
                .writeTo(directory.resolve("half"));
        client(run, i -> i >= 400 && i < 420 && i % 3 == 0 ? 90 : 2, i -> 0);

        assertThat(summary(run).cautions())
                .containsExactly(
                        "Fault 1 (pause node1): degraded 2.0 s, lost seconds of service 1.0 s: doubtful, as the"
                                + " client itself stalled for at least 0.54 s until service was restored.");
    }

    @Test
    void aClientThreadThatIsNeverServedAgainIsACaution() throws IOException {
        Path run = written("{\"kind\":\"max\"}");
        Files.writeString(run.resolve("threads.csv"), "thread,from_s,until_s\n3,40.1,\n");

        assertThat(summary(run).cautions())
                .singleElement()
                .asString()
                .startsWith("Fault 1 (pause node1): not every client thread was served again: ");
    }

    @Test
    void stallsOutsideTheGapAndShortOnesRaiseNoDoubt() throws IOException {
        Path run = written("{\"kind\":\"max\"}");
        client(run, i -> i < 300 ? 100 : 40, i -> 0);

        assertThat(summary(run).cautions()).isEmpty();
        ClientSeries client = RunData.read(run).clients().get(0);
        assertThat(client.longestStallSeconds()).isCloseTo(30, within(1e-6));
        assertThat(client.stalledSeconds(29.95, 60)).isCloseTo(0.05, within(1e-6));
    }

    @Test
    void runWithoutTheFileSaysNothingAboutItsClient() throws IOException {
        Path run = written("{\"kind\":\"max\"}");

        assertThat(summary(run).cautions()).isEmpty();
        assertThat(Files.readString(Report.writePage(summary(run)))).doesNotContain("The client itself");
    }

    @Test
    void damagedLinesOfTheClientsFileMakeNoRunInvalid() throws IOException {
        Path run = written("{\"kind\":\"max\"}");
        Files.writeString(run.resolve("client.csv"), "slice,start_s,stall_ms,gc_ms\n0,0,zero,0\n1,0.1,70,0\n2,0.2");

        assertThat(summary(run).verdict().unsound()).isEmpty();
        assertThat(RunData.read(run).problems())
                .singleElement()
                .asString()
                .isEqualTo("client.csv line 2: damaged line: stall_ms is \"zero\", not a number; figures from this file"
                        + " are incomplete or missing");
        assertThat(RunData.read(run).clients().get(0).slices()).hasSize(1);
    }

    @Test
    void aDamagedHeaderCostsTheFiguresOfItsFileAndNotTheRun() throws IOException {
        Path run = written("{\"kind\":\"max\"}");
        Files.writeString(run.resolve("client.csv"), "slice,start_s\n0,0.0\n");
        Files.writeString(run.resolve("threads.csv"), "thread,\"from_s\n0,0.0\n");

        RunData data = RunData.read(run);

        assertThat(data.problems())
                .extracting(Object::toString)
                .containsExactly(
                        "threads.csv line 1: a quote is not closed; figures from this file are incomplete or missing",
                        "client.csv line 1: no column stall_ms, gc_ms; the header is: slice,start_s; figures from this"
                                + " file are incomplete or missing");
        assertThat(data.clients()).isEmpty();
        assertThat(data.threads()).isEmpty();
        assertThat(summary(run).verdict().unsound()).isEmpty();
    }

    @Test
    void aCutOffLineCostsTheFiguresOfItsFileAndNotTheRun() throws IOException {
        Path run = written("{\"kind\":\"max\"}");
        Files.writeString(run.resolve("threads.csv"), "thread,from_s,until_s\n0,40,42\n1,40,4");
        Files.writeString(run.resolve("client.csv"), "slice,start_s,stall_ms,gc_ms\n0,0.0,60,0\n1,0.1,7");

        RunData data = RunData.read(run);

        assertThat(data.problems())
                .extracting(Object::toString)
                .containsExactly(
                        "threads.csv line 3: the last line ends in the middle; it is ignored; figures from this file"
                                + " are incomplete or missing",
                        "client.csv line 3: the last line ends in the middle; it is ignored; figures from this file are"
                                + " incomplete or missing");
        assertThat(data.threads()).isEmpty();
        assertThat(data.clients().get(0).slices()).hasSize(1);
        assertThat(summary(run).verdict().unsound()).isEmpty();
    }

    /** One of a thing is not "1 calls": in a sentence a number is followed by both forms, but for what is never one. */
    @Test
    void sentencesCountThingsInWords() throws IOException {
        Pattern counted = Pattern.compile("\"[^\"\\n]*%,?d [a-z]+s\\b[^\"\\n]*\"");
        List<String> found = new ArrayList<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source : sources.filter(Files::isRegularFile).toList()) {
                counted.matcher(Files.readString(source))
                        .results()
                        .map(MatchResult::group)
                        .forEach(found::add);
            }
        }

        assertThat(found)
                .containsExactlyInAnyOrder(
                        "\"Were A and B the same, up to %.1f of these %d figures would still be called different, by chance.\"",
                        "\"%,d {read|reads} during the run: %,d stale, %,d backwards, %,d without a row of the load, %,d {phantom|phantoms}; the engine promises %s\"",
                        "\"%,d of the %,d rows of the load, that the run did not write: %,d not found\"");
    }

    @Test
    void whatAnAuditMissesOfRowsThatWereNotAlwaysThereIsSaid() throws IOException {
        for (int rows : new int[] {0, 1, 3}) {
            Path run = stall().operation("DELETE", t -> 100, t -> 300).writeTo(directory.resolve("run" + rows));
            Files.writeString(
                    run.resolve("audit.json"),
                    "{\"schema\":1,\"ackedLost\":0,\"writes\":{\"ok\":9,\"judgedLast\":9},\"reads\":{\"partlyJudgedRows\":"
                            + rows + "}}");

            assertThat(summary(run).cautions())
                    .filteredOn(caution -> caution.startsWith(
                            rows + (rows == 1 ? " row was" : " rows were") + " deleted or not found"))
                    .hasSize(rows > 0 ? 1 : 0);
        }
    }

    @Test
    void unsentArrivalsAreFailuresAndACaution() throws IOException {
        Path run = written("{\"kind\":\"rate\",\"rate\":1000.0,\"unsent\":1234,\"oldestUnsentSeconds\":3.25}");

        DrillSummary summary = summary(run);

        assertThat(summary.metrics().get(Metric.FAILED).value()).hasValue(1234);
        assertThat(summary.metrics().get(Metric.FAILED).note()).isEqualTo("1,234 of them due and never sent");
        assertThat(summary.verdict().line()).startsWith("FAIL: 2 of 3 limits kept; missed: ");
        assertThat(summary.cautions())
                .containsExactly("1,234 arrivals were due when the load was stopped and had not been sent, the oldest"
                        + " for 3.3 s. This counts as failed, and is in no latency.");
        assertThat(summary.text()).contains("With load 1,000/s");
    }

    /** They were due at the end of the data, so they have nothing to do with a fault that was over when the next one began. */
    @Test
    void unsentArrivalsAreThoseOfTheLastFaultOnly() throws IOException {
        Path run = written("{\"kind\":\"rate\",\"rate\":1000.0,\"unsent\":1234,\"oldestUnsentSeconds\":3.25}");
        Files.writeString(
                run.resolve("markers.jsonl"),
                Files.readString(run.resolve("markers.jsonl"))
                        .lines()
                        .flatMap(line -> Stream.of(line, line.replace("\"at_ns\":4", "\"at_ns\":5")))
                        .map(line -> line + "\n")
                        .collect(Collectors.joining()));

        List<FaultMetrics> faults = summary(run).metrics().faults();

        assertThat(faults)
                .extracting(fault -> fault.get(Metric.FAILED).value().orElseThrow())
                .containsExactly(0.0, 1234.0);
    }

    @Test
    void arrivalsThatWereJustDueAtTheStopAreNoCaution() throws IOException {
        Path run = written("{\"kind\":\"rate\",\"rate\":1000.0,\"unsent\":200,\"oldestUnsentSeconds\":0.9}");

        assertThat(summary(run).cautions()).isEmpty();
        assertThat(summary(run).metrics().get(Metric.FAILED).value()).hasValue(0);
    }

    @Test
    void calibrationIsNotTakenForTheBaseline() throws IOException {
        Path run = written(share(33.5, 0.05, 0));

        DrillSummary summary = summary(run);

        Measure baseline = summary.metrics().get(Metric.BASELINE);
        assertThat(baseline.value()).hasValue(1000);
        assertThat(baseline.note()).isEqualTo("33.5 s to 40.0 s");
        assertThat(summary.cautions()).isEmpty();
        assertThat(LoadText.of(summary.run().run()))
                .isEqualTo("load 50 % of the maximum of 2,000/s \u00b1 5.0 % = 1,000/s");
        assertThat(Files.readString(Report.writePage(summary)))
                .contains("load 50 % of the maximum of 2,000/s")
                .contains(
                        "The first 33.5 s, in which the maximum was measured, are folded away",
                        "\"label\":\"calibrated\"");
    }

    @Test
    void maximumThatIsUncertainOrFailedIsACaution() throws IOException {
        assertThat(summary(written(share(25, 0.31, 0.125).replace("\"rate\"", "\"doubt\":\"" + RISING + "\",\"rate\"")))
                        .cautions())
                .containsExactly(
                        "The maximum that the load is a share of is uncertain: throughput rose by 40 % \u00b1 20 % over the"
                                + " last 12 s; give the run a longer calibration, or a fixed rate.",
                        "12.5 % of the operations failed while the maximum was measured, so it is not that of a healthy"
                                + " database.");
    }

    @Test
    void runThatWasKilledDuringItsCalibrationHasNoBaseline() throws IOException {
        DrillSummary summary = summary(written("{\"kind\":\"share\",\"share\":0.6,\"calibrationSeconds\":25}"));

        assertThat(summary.metrics().get(Metric.BASELINE).value()).isEmpty();
        assertThat(LoadText.of(summary.run().run())).endsWith("which was never measured");
    }

    @Test
    void runOfAnEarlierVersionDoesNotSay() {
        DrillSummary summary = summary(stall().writeTo(directory.resolve("old")));

        assertThat(LoadText.of(summary.run().run())).isEmpty();
        assertThat(summary.metrics().get(Metric.BASELINE).value()).isPresent();
    }

    private static final String RISING = "throughput rose by 40 % \u00b1 20 % over the last 12 s";

    private static String share(double since, double scatter, double failed) {
        return String.format(
                Locale.ROOT,
                "{\"kind\":\"share\",\"share\":0.5,\"measuredMaximum\":2000,\"scatter\":%f,\"failedShare\":%f,\"rate\":1000,\"sinceSeconds\":%f}",
                scatter,
                failed,
                since);
    }
}

package io.ycsbdrill.report.metric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.data.RunData;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three nodes with a third of the keys each; one of them goes down at 30 s. */
class OwnerFiguresTest {
    private static final Offset<Double> SLICE = within(0.11);

    @TempDir
    private Path directory;

    private DrillMetrics metrics(SampleRun run) {
        return DrillMetrics.of(RunData.read(run.writeTo(directory.resolve("run"))));
    }

    @Test
    void whatIsADentInTheWholeIsAnOutageOfTheKeysOfTheTarget() {
        DrillMetrics metrics = metrics(SampleRun.oneOfThreeOut());

        assertThat(metrics.get(Metric.OUT).value().orElseThrow()).isZero();
        assertThat(metrics.get(Metric.LOST_SECONDS).value().orElseThrow()).isCloseTo(8 / 3.0, SLICE);
        Measure out = metrics.get(Metric.TARGET_KEYS_OUT);
        assertThat(out.value().orElseThrow()).isCloseTo(8, SLICE);
        assertThat(out.note()).isEqualTo("keys of node2 before the fault, 33 % of the operations");
        assertThat(out.censored()).isFalse();
        assertThat(metrics.get(Metric.TARGET_KEYS_LOST).value().orElseThrow()).isCloseTo(8, SLICE);
        assertThat(metrics.get(Metric.OTHER_KEYS_LOST).value().orElseThrow()).isZero();
    }

    @Test
    void aRateIsDividedAsTheBaselineWas() {
        DoubleUnaryOperator back = t -> t < 30 ? 500 : t < 34 ? 0 : 250;
        DrillMetrics metrics = metrics(SampleRun.lasting(60)
                .exact()
                .rate(2000)
                .operation("READ", t -> 1500 + back.applyAsDouble(t), t -> 300)
                .owner("node1", t -> 1500)
                .owner("node2", back)
                .marker(30, "fault-started", "kill", "node2", ""));

        assertThat(metrics.get(Metric.TARGET_KEYS_OUT).value().orElseThrow()).isCloseTo(4, SLICE);
        Measure lost = metrics.get(Metric.TARGET_KEYS_LOST);
        assertThat(lost.value().orElseThrow()).isCloseTo(4 + 26 / 2.0, SLICE);
        assertThat(lost.censored()).isTrue();
        assertThat(lost.note()).endsWith("25 % of the operations; not over at the end of the data");
    }

    /** In the middle of an outage of 1.6 s a few operations succeed: below 1 % of all that are due, but above that of a third. */
    @Test
    void theKeysAreOutWhereTheWholeIs() {
        DoubleUnaryOperator target = t -> t < 30 || t >= 31.6 ? 1000 : t >= 31.1 && t < 31.2 ? 20 : 0;
        DoubleUnaryOperator others = t -> t < 30 || t >= 31.6 ? 2000 : 0;
        DrillMetrics metrics = metrics(SampleRun.lasting(60)
                .exact()
                .rate(3000)
                .operation("READ", t -> target.applyAsDouble(t) + others.applyAsDouble(t), t -> 300)
                .owner("node1", others)
                .owner("node2", target)
                .marker(30, "fault-started", "kill", "node2", ""));

        assertThat(metrics.get(Metric.OUT).value().orElseThrow()).isCloseTo(1.6, SLICE);
        assertThat(metrics.get(Metric.TARGET_KEYS_OUT).value().orElseThrow()).isCloseTo(1.6, SLICE);
    }

    @Test
    void severalTargetsAreOneAndWithoutAnotherNodeThereAreNoOtherKeys() {
        DoubleUnaryOperator dark = t -> t >= 30 && t < 32 ? 0 : 1000;
        SampleRun run = SampleRun.lasting(60)
                .exact()
                .operation("READ", t -> 2 * dark.applyAsDouble(t), t -> 300)
                .owner("node1", dark)
                .owner("node2", dark);
        for (String node : List.of("node1", "node2")) {
            run.marker(30, "fault-started", "pause", node, "").marker(32, "fault-ended", "pause", node, "");
        }

        DrillMetrics metrics = metrics(run);

        assertThat(metrics.get(Metric.TARGET_KEYS_OUT).value().orElseThrow()).isCloseTo(2, SLICE);
        assertThat(metrics.get(Metric.OTHER_KEYS_LOST).applicable()).isFalse();
        assertThat(metrics.get(Metric.OTHER_KEYS_LOST).note()).isEqualTo("every node was a target");
    }

    @Test
    void whenEveryThreadWaitsForTheTargetNobodyAsksForOtherKeys() throws IOException {
        Path run = SampleRun.oneOfThreeOut().threads(2).writeTo(directory.resolve("waiting"));

        Files.writeString(run.resolve("threads.csv"), "thread,from_s,until_s\n0,30.1,38\n0,50,52\n1,2,4\n");
        assertThat(DrillMetrics.of(RunData.read(run))
                        .get(Metric.OTHER_KEYS_LOST)
                        .note())
                .isEqualTo("keys of node1, node3 before the fault, 67 % of the operations");

        Files.writeString(run.resolve("threads.csv"), "thread,from_s,until_s\n0,30.1,38\n1,25,26\n1,32,\n");
        assertThat(DrillMetrics.of(RunData.read(run))
                        .get(Metric.OTHER_KEYS_LOST)
                        .note())
                .as("a thread had too little to do before, too")
                .endsWith("67 % of the operations");

        Files.writeString(run.resolve("threads.csv"), "thread,from_s,until_s\n0,30.1,38\n1,32,\n");
        assertThat(DrillMetrics.of(RunData.read(run))
                        .get(Metric.OTHER_KEYS_LOST)
                        .note())
                .endsWith("all client threads were blocked for 1 s or more, so these keys may not have been requested");
        assertThat(DrillMetrics.of(RunData.read(run))
                        .get(Metric.TARGET_KEYS_LOST)
                        .note())
                .doesNotContain("nobody");
    }

    @Test
    void keysThatHadMovedByTheFaultAreNotMeasured() {
        Measure out = metrics(SampleRun.oneOfThreeOut().ownersMoved(12.5, 2).ownersMoved(31, 5))
                .get(Metric.TARGET_KEYS_OUT);

        assertThat(out.value()).isEmpty();
        assertThat(out.applicable()).isTrue();
        assertThat(out.note())
                .isEqualTo("2 partitions have moved to another node between the start of the run and the fault");
    }

    @Test
    void keysThatWereBackByTheFaultAreMeasured() {
        DrillMetrics metrics =
                metrics(SampleRun.oneOfThreeOut().ownersMoved(12.5, 2).ownersMoved(14, 0));

        assertThat(metrics.get(Metric.TARGET_KEYS_OUT).value().orElseThrow()).isCloseTo(8, SLICE);
    }

    @Test
    void aTargetThatOwnsNothingAndABindingThatCannotTellSaySo() {
        Measure sqlNode = metrics(SampleRun.lasting(60)
                        .exact()
                        .operation("READ", t -> 1000, t -> 300)
                        .owner("node1", t -> 1000)
                        .marker(30, "fault-started", "kill", "sql1", ""))
                .get(Metric.TARGET_KEYS_OUT);
        assertThat(sqlNode.applicable()).isFalse();
        assertThat(sqlNode.note()).isEqualTo("sql1 had no primary copies");

        Measure silent = DrillMetrics.of(RunData.read(SampleRun.nodeKill().writeTo(directory.resolve("silent"))))
                .get(Metric.TARGET_KEYS_OUT);
        assertThat(silent.applicable()).isFalse();
        assertThat(silent.note()).isEqualTo("the binding does not tell which node has the primary copy of a key");
    }

    @Test
    void aDamagedFileAndAReasonGiveNoFigure() throws IOException {
        Path run = SampleRun.oneOfThreeOut().writeTo(directory.resolve("damaged"));
        Path file = run.resolve("owners.csv");
        List<String> lines = Files.readAllLines(file);
        lines.remove(200);
        Files.write(file, lines);
        assertThat(DrillMetrics.of(RunData.read(run))
                        .get(Metric.TARGET_KEYS_OUT)
                        .note())
                .startsWith("owners.csv is damaged: slice ");

        Files.writeString(file, "slice,start_s,owner,ok,failed,unknown,max_service_us\n0,0.0,node1,x,0,0,\n");
        assertThat(DrillMetrics.of(RunData.read(run))
                        .get(Metric.TARGET_KEYS_OUT)
                        .note())
                .isEqualTo("owners.csv is damaged");

        Path json = run.resolve("run.json");
        Files.writeString(
                json,
                Files.readString(json)
                        .replaceFirst("\"keyOwners\":\\{.*\\},", "\"keyOwners\":{\"reason\":\"set ndb.sql\"},"));
        Measure out = DrillMetrics.of(RunData.read(run)).get(Metric.TARGET_KEYS_OUT);
        assertThat(out.applicable()).isTrue();
        assertThat(out.note()).isEqualTo("set ndb.sql");
    }

    /** And not again for each fault, of which a long drill has many. */
    @Test
    void itsFilesAreReadWithTheRun() throws IOException {
        Path run = SampleRun.oneOfThreeOut().writeTo(directory.resolve("run"));
        Path threads = Files.writeString(run.resolve("threads.csv"), "thread,from_s,until_s\n0,30.1,38\n");
        RunData data = RunData.read(run);
        Files.delete(run.resolve("owners.csv"));
        Files.delete(threads);

        DrillMetrics metrics = DrillMetrics.of(data);

        assertThat(metrics.get(Metric.TARGET_KEYS_OUT).value().orElseThrow()).isCloseTo(8, SLICE);
        assertThat(metrics.get(Metric.LAST_THREAD).value().orElseThrow()).isCloseTo(8, SLICE);
        assertThat(KeyLines.of(data)).hasSize(2);
    }

    @Test
    void tooFewOperationsOnTheKeysOfTheTargetAreNoOutage() {
        DoubleUnaryOperator few = t -> t < 30 ? 10 * (t * 10 % 3 < 1 ? 1 : 0) : 0;
        Measure out = metrics(SampleRun.lasting(60)
                        .exact()
                        .operation("READ", t -> 1000 + few.applyAsDouble(t), t -> 300)
                        .owner("node1", t -> 1000)
                        .owner("node2", few)
                        .marker(30, "fault-started", "kill", "node2", ""))
                .get(Metric.TARGET_KEYS_OUT);

        assertThat(out.value()).isEmpty();
        assertThat(out.note()).contains("operations per second were due on these keys");
    }
}

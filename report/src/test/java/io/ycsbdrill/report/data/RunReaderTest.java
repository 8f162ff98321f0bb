package io.ycsbdrill.report.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.SampleRun;
import io.ycsbdrill.report.metric.DrillMetrics;
import io.ycsbdrill.report.metric.Metric;
import io.ycsbdrill.report.metric.OperationTotal;
import io.ycsbdrill.report.metric.Totals;
import io.ycsbdrill.report.summary.DrillSummary;
import io.ycsbdrill.report.summary.Verdict;
import io.ycsbdrill.rundir.Problem;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunReaderTest {
    @TempDir
    Path directory;

    private void edit(String file, int line, String replacement) throws IOException {
        List<String> lines = new ArrayList<>(Files.readAllLines(directory.resolve(file)));
        if (replacement == null) {
            lines.remove(line - 1);
        } else {
            lines.set(line - 1, replacement);
        }
        Files.write(directory.resolve(file), lines);
    }

    @Test
    void wholeRunHasNoProblems() {
        RunData run = RunData.read(SampleRun.nodeRestart().withResponse().writeTo(directory));

        assertThat(run.problems()).isEmpty();
        assertThat(run.unsound()).isEmpty();
        assertThat(run.operations()).containsExactly("READ", "UPDATE");
        assertThat(run.windows("TOTAL")).hasSize(15);
        assertThat(run.windows("READ").get(0).response().present()).isTrue();
        assertThat(run.slices().count()).isEqualTo(1500);
        assertThat(run.stages()).hasSize(6);
    }

    private void halve(String file) throws IOException {
        List<String> lines = Files.readAllLines(directory.resolve(file));
        Files.write(directory.resolve(file), lines.subList(0, 1 + (lines.size() - 1) / 6 * 3));
    }

    /** At the end of a line, where nothing looks broken. */
    @Test
    void aFileThatEndsLongBeforeTheRunIsDamaged() throws IOException {
        SampleRun.nodeRestart().writeTo(directory);
        halve("slices.csv");
        halve("windows.csv");

        RunData run = RunData.read(directory);

        assertThat(run.problems())
                .extracting(Problem::toString)
                .contains("slices.csv: it ends at 75.0 s, and the run at 150.0 s")
                .anyMatch(problem -> problem.startsWith("windows.csv: it ends at "));
        assertThat(run.slices().intact()).isFalse();
        assertThat(DrillMetrics.of(run).get(Metric.LONGEST_GAP).note()).isEqualTo("slices.csv is damaged");
    }

    @Test
    void damagedSliceIsNamedAndNothingIsMeasuredOnIt() throws IOException {
        SampleRun.nodeRestart().writeTo(directory);
        edit("slices.csv", 100, "33,3.3,READ,19x0,0,0,700");

        RunData run = RunData.read(directory);

        assertThat(run.problems()).anySatisfy(problem -> assertThat(problem.toString())
                .isEqualTo("slices.csv line 100: damaged line: ok is \"19x0\", not a count"));
        assertThat(run.slices().intact()).isFalse();
        assertThat(DrillMetrics.of(run).get(Metric.LONGEST_GAP).note()).isEqualTo("slices.csv is damaged");
        assertThat(DrillSummary.of(run).verdict().outcome()).isEqualTo(Verdict.Outcome.INVALID);
    }

    @Test
    void missingSliceIsDamageNotZero() throws IOException {
        SampleRun.plain().writeTo(directory);
        edit("slices.csv", 100, null);

        assertThat(RunData.read(directory).unsound())
                .singleElement()
                .asString()
                .contains("slice 32 of TOTAL is missing");
    }

    @Test
    void missingWindowIsDamage() throws IOException {
        SampleRun.plain().writeTo(directory);
        edit("windows.csv", 6, null);

        assertThat(RunData.read(directory).unsound()).singleElement().asString().contains("windows.csv", "window 1");
    }

    @Test
    void damagedMarkerIsNamedAndTheOthersAreKept() throws IOException {
        SampleRun.nodeRestart().writeTo(directory);
        edit("markers.jsonl", 3, "{\"at_ns\":");

        RunData run = RunData.read(directory);

        assertThat(run.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.file()).isEqualTo("markers.jsonl");
            assertThat(problem.line()).isEqualTo(3);
        });
        assertThat(run.markers()).hasSizeGreaterThan(10);
    }

    @Test
    void cutOffLastLineOfAKilledRunIsLeftOutAndReported() {
        RunData run = RunData.read(SampleRun.nodeRestart().killed().writeTo(directory));

        assertThat(run.problems()).extracting(Problem::kind).containsExactly(Problem.Kind.CUT_OFF);
        assertThat(run.slices().intact()).isTrue();
        assertThat(run.slices().count()).isEqualTo(1499);
        assertThat(run.state()).isEqualTo("incomplete");
        assertThat(run.unsound()).singleElement().asString().contains("killed");
    }

    @Test
    void cutOffLineOfAClosedRunIsDamage() throws IOException {
        SampleRun.plain().writeTo(directory);
        Path file = directory.resolve("slices.csv");
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() - 1));

        assertThat(RunData.read(directory).unsound()).isNotEmpty();
    }

    @Test
    void stagesOfAKilledRunComeFromItsMarkers() {
        RunData run = RunData.read(SampleRun.nodeRestart().killed().writeTo(directory));

        assertThat(run.stages())
                .extracting(Stage::phase)
                .isEqualTo(Phase.unhealthy().stream().map(Phase::label).toList());
        assertThat(run.stages().get(5).endSeconds()).hasValue(118.27);
    }

    @Test
    void totalsOfAKilledRunComeFromItsHistograms() {
        Path whole = SampleRun.nodeRestart().exact().writeTo(directory.resolve("whole"));
        Path killed = SampleRun.nodeRestart().exact().killed().writeTo(directory.resolve("killed"));

        OperationTotal expected = Totals.of(RunData.read(whole)).operations().get(0);
        Totals totals = Totals.of(RunData.read(killed));

        assertThat(totals.source()).contains("windows.jsonl");
        assertThat(totals.operations().get(0).service().p99())
                .isCloseTo(expected.service().p99(), Percentage.withPercentage(0.001));
        assertThat(totals.operations().get(0).ok()).isEqualTo(expected.ok());
    }

    @Test
    void laterSchemaIsRefused() throws IOException {
        SampleRun.plain().writeTo(directory);
        edit("run.json", 1, "{\"schema\":99, \"state\":\"complete\", \"reasons\":[],");

        assertThatThrownBy(() -> RunData.read(directory))
                .isInstanceOf(RunFormatException.class)
                .hasMessageContaining("schema 99 is newer");
    }

    @Test
    void directoryThatIsNoRunIsNamed() {
        assertThatThrownBy(() -> RunData.read(directory))
                .isInstanceOf(RunFormatException.class)
                .hasMessageContaining("is not a run directory");
    }

    @Test
    void runJsonThatIsNotJsonIsNamedWithItsLine() throws IOException {
        Files.writeString(directory.resolve("run.json"), "{\"schema\":1,\n oops}");

        assertThatThrownBy(() -> RunData.read(directory))
                .isInstanceOf(RunFormatException.class)
                .hasMessageContaining("run.json line 2 is not JSON");
    }

    @Test
    void missingColumnIsNamed() throws IOException {
        SampleRun.plain().writeTo(directory);
        edit("slices.csv", 1, "slice,start_s,operation,okay,failed,unknown,max_service_us");

        assertThatThrownBy(() -> RunData.read(directory))
                .isInstanceOf(RunFormatException.class)
                .hasMessageContaining("slices.csv line 1: no column ok");
    }

    @Test
    void aHeaderWithAnOpenQuoteIsNamed() throws IOException {
        for (String file : List.of("windows.csv", "slices.csv", "phases.csv")) {
            SampleRun.nodeRestart().writeTo(directory);
            edit(file, 1, "step,\"start_s,end_s");

            assertThatThrownBy(() -> RunData.read(directory))
                    .isInstanceOf(RunFormatException.class)
                    .hasMessage(directory.resolve(file) + " line 1: a quote is not closed");
        }
    }

    @Test
    void unknownColumnsAndMissingFilesAreTolerated() throws IOException {
        SampleRun.plain().writeTo(directory);
        for (String file : List.of("slices.csv", "windows.jsonl")) {
            Files.delete(directory.resolve(file));
        }

        RunData run = RunData.read(directory);

        assertThat(run.unsound()).isEmpty();
        assertThat(run.problems().toString()).contains("slices.csv: missing", "windows.jsonl: missing");
    }

    @Test
    void operationThatAppearsLateWasZeroBefore() throws IOException {
        SampleRun.plain().writeTo(directory);
        Path file = directory.resolve("slices.csv");
        List<String> lines = Files.readAllLines(file).stream()
                .filter(line -> !line.matches("[0-9],.*,UPDATE,.*"))
                .toList();
        Files.write(file, lines);

        RunData run = RunData.read(directory);

        assertThat(run.problems()).isEmpty();
        assertThat(run.slices().byOperation().get("UPDATE").ok()[5]).isZero();
        assertThat(run.slices().byOperation().get("UPDATE").ok()[15]).isPositive();
    }
}

package io.ycsbdrill.client.merge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.run.Recording;
import io.ycsbdrill.client.run.RunFiles;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.Specs;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Clients that left less than a complete run. */
class MergedRemainsTest extends MergedRuns {
    @Test
    void aClientThatIsMissingOrIncompleteMakesTheResultIncomplete() throws IOException {
        Recording all = Recording.random(5, 1_000, 4 * SECOND, START)
                .part(operation -> !operation.name().equals("READ-MODIFY-WRITE"), 0, 4 * SECOND);
        Path killed = killed(2, 3, all, run -> {});
        // killed while it wrote a line
        Path windows = killed.resolve("windows.csv");
        Files.writeString(windows, Files.readString(windows) + "4,4,5,RE");

        RunMerge.Merged merged = merge(client(1, 3, all), killed);

        assertThat(merged.result().state()).isEqualTo(RunResult.State.INCOMPLETE);
        assertThat(merged.result().reasons()).containsExactly("client 3 of 3 is missing", "client 2: was killed");
        assertThat(merged().json("run.json").at("/client/cpuNanos").isNull()).isTrue();
        assertThat(merged().json("summary.json")
                        .path("operations")
                        .path("READ")
                        .path("ok")
                        .asLong())
                .isEqualTo(2 * new RunFiles(root.resolve("client-1")).sum("windows.csv", "READ", "ok"));
        assertThat(merged().json("summary.json").path("transactions").asLong())
                .isEqualTo(2 * all.operations().size());
        assertThat(merged.notes())
                .contains("client 2 left no summary: its operations are those of its whole windows, and its statuses"
                        + " (Return=...), retries, lost connections and abandoned calls are in no sum");
    }

    /** Its slices are read twice, and grow in between. */
    @Test
    void whatAClientThatStillRunsWritesDuringTheMergeIsLeftOut() throws IOException {
        ClientFiles files = ClientFiles.read(killed(2, 2, Recording.random(5, 300, 2 * SECOND, START), run -> {}));
        IntervalTotals.Slices before = reads(files);
        Files.writeString(
                files.directory().resolve("slices.csv"),
                "20,2,READ,1,0,0,5\n20,2,TOTAL,1,0,0,5\n",
                StandardOpenOption.APPEND);

        IntervalTotals.Slices after = reads(files);

        assertThat(after.completed()).isDeepEqualTo(before.completed());
        assertThat(after.maxServiceNanos()).isEqualTo(before.maxServiceNanos());
    }

    private static IntervalTotals.Slices reads(ClientFiles files) throws IOException {
        Map<String, IntervalTotals.Slices> sums = new TreeMap<>();
        files.slices()
                .addTo(
                        operation ->
                                sums.computeIfAbsent(operation, none -> ClientFiles.emptySlices(files.sliceCount())),
                        0);
        return sums.get("READ");
    }

    /** As SIGKILL leaves it. */
    private Path killed(int number, int of, Recording recording, Recording.Change more) throws IOException {
        Path directory = recording.write(root.resolve("killed"), Specs.aRun(100), run -> {
            part(run, number, of);
            run.put("state", "incomplete").putNull("endedAt").putNull("durationNanos");
            run.putArray("reasons").add("was killed");
            more.in(run);
        });
        for (String file : List.of("summary.json", "totals.jsonl", "ycsb.txt")) {
            Files.delete(directory.resolve(file));
        }
        return directory;
    }

    /** Of its two calls only the first one begins a transaction. */
    @Test
    void aReadModifyWriteOfAKilledClientIsOneTransaction() throws IOException {
        List<Recording.Operation> operations = Stream.of("READ", "UPDATE", "READ-MODIFY-WRITE", "READ", "VERIFY")
                .map(name -> new Recording.Operation(SECOND / 2, name, Outcome.OK, 1_000, 2_000))
                .toList();

        merge(killed(1, 1, new Recording(operations, SECOND, START), run -> {}));

        assertThat(merged().json("summary.json").path("transactions").asLong()).isEqualTo(2);
    }

    /** Nor is the window that begins at its very end, as in the summary of a client that ended. */
    @Test
    void theCalibrationOfAKilledClientIsNotInTheSums() throws IOException {
        List<Recording.Operation> operations = Stream.of(SECOND / 2, 3 * SECOND / 2, 5 * SECOND / 2, 7 * SECOND / 2)
                .map(at -> new Recording.Operation(at, "READ", Outcome.OK, 1_000, 2_000))
                .toList();

        merge(killed(1, 1, new Recording(operations, 5 * SECOND, START), run -> ((ObjectNode) run.path("load"))
                .put("calibrationSeconds", 2)));

        assertThat(merged().json("summary.json").path("transactions").asLong()).isEqualTo(1);
    }

    /** Of two seconds from the stop of the load to the return of its last call, as where the disk was full at the end. */
    @ParameterizedTest
    @CsvSource({"0, 5, 3", "1, 2, 2"})
    void callsUnderWayAtTheStopDoNotShortenTheCoolDownOfAClientWithoutSummary(
            long cooldownSeconds, int transactions, double endSeconds) throws IOException {
        List<Recording.Operation> operations = Stream.of(1, 3, 5, 7, 9)
                .map(at -> new Recording.Operation(at * SECOND / 2, "READ", Outcome.OK, 1_000, 2_000))
                .toList();

        merge(killed(1, 1, new Recording(operations, 5 * SECOND, START), run -> run.put("durationNanos", 5 * SECOND)
                .put("stoppedNanos", 3 * SECOND)
                .put("cooldownNanos", cooldownSeconds * SECOND)));

        JsonNode summary = merged().json("summary.json");
        assertThat(summary.path("transactions").asInt()).isEqualTo(transactions);
        assertThat(summary.at("/trimmed/endSeconds").asDouble()).isEqualTo(endSeconds);
    }

    /** Another workload may make any number of calls for each. */
    @Test
    void transactionsOfAKilledClientThatItsCallsDoNotTellAreLeftOut() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Recording.Change other = run -> ((ObjectNode) run.path("properties")).put("workload", "org.example.Own");
        Path complete = all.write(root.resolve("client-1"), Specs.aRun(100), run -> {
            part(run, 1, 2);
            other.in(run);
        });

        RunMerge.Merged merged = merge(complete, killed(2, 2, all, other));

        assertThat(merged().json("summary.json").has("transactions")).isFalse();
        assertThat(merged.text()).contains("[OVERALL], RunTime(ms)").doesNotContain("Throughput(ops/sec)");
        assertThat(merged.notes()).anyMatch(note -> note.contains("its transactions are not known"));
    }
}

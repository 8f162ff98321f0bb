package io.ycsbdrill.client.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.HistogramLine;
import io.ycsbdrill.client.run.Recording;
import io.ycsbdrill.client.run.RunDirectory;
import io.ycsbdrill.client.run.RunFiles;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.Specs;
import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.report.page.Report;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunMergeTest {
    private static final Instant START = Instant.parse("2026-11-21T12:00:00.123456Z");
    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path root;

    private RunMerge.Merged merge(Path... directories) {
        return RunMerge.merge(List.of(directories), root.resolve("merged"), List.of(), List.of("merge"));
    }

    private RunFiles merged() {
        return new RunFiles(root.resolve("merged"));
    }

    private Path client(int number, int of, Recording recording) throws IOException {
        return recording.write(root.resolve("client-" + number), Specs.aRun(100), run -> part(run, number, of));
    }

    private static void part(ObjectNode run, int number, int of) {
        run.putObject("part").put("number", number).put("of", of);
    }

    /** The files that hold figures are, byte by byte, those of one client that recorded everything. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void oneRecordingInSeveralDirectoriesIsMergedAsIfOneClientHadRecordedIt(int clients) throws IOException {
        Recording all = Recording.random(clients, 6_000, 7_300_000_000L, START);
        Path single = all.write(root.resolve("single"), Specs.aRun(100), run -> {});
        Random random = new Random(42);
        Map<Recording.Operation, Integer> owner = new java.util.IdentityHashMap<>();
        all.operations().forEach(operation -> owner.put(operation, random.nextInt(clients)));
        List<Path> parts = new ArrayList<>();
        for (int i = 0; i < clients; i++) {
            int number = i;
            parts.add(client(i + 1, clients, all.part(operation -> owner.get(operation) == number, 0, all.endNanos())));
        }

        RunMerge.Merged merged = merge(parts.toArray(Path[]::new));

        assertThat(merged.result().state()).isEqualTo(RunResult.State.COMPLETE);
        assertSameHistograms(single);
        for (String file : List.of("windows.csv", "slices.csv", "ycsb.txt")) {
            assertThat(root.resolve("merged").resolve(file)).as(file).hasSameTextualContentAs(single.resolve(file));
        }
        ObjectNode one = (ObjectNode) new RunFiles(single).json("summary.json");
        assertThat(merged().json("summary.json")).isEqualTo(one.put("skipped", 7 * clients));
    }

    /** Line by line, value by value; only the encoding's note of how far a histogram could have grown may differ. */
    private void assertSameHistograms(Path single) throws IOException {
        for (String file : List.of("windows.jsonl", "totals.jsonl")) {
            assertThat(values(root.resolve("merged").resolve(file))).as(file).isEqualTo(values(single.resolve(file)));
        }
    }

    private static List<String> values(Path file) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            HistogramLine read = HistogramLine.of(RunDirectory.JSON.readTree(line));
            StringBuilder text = new StringBuilder(line.replaceAll("\"histogram\".*", ""));
            read.histogram().recordedValues().forEach(value -> text.append(value.getValueIteratedTo())
                    .append('x')
                    .append(value.getCountAddedInThisIterationStep())
                    .append(' '));
            lines.add(text.toString());
        }
        return lines;
    }

    @Test
    void clientsThatStartAndEndAtOtherTimesAreAlignedOnTheWallClock() throws IOException {
        Recording all = Recording.random(1, 5_000, 6_400_000_000L, START);
        Path single = all.write(root.resolve("single"), Specs.aRun(100), run -> {});
        // the second client comes two windows later, the first one leaves early
        Recording late =
                all.part(o -> o.atNanos() >= 2 * SECOND && o.serviceNanos() % 2 == 0, 2 * SECOND, all.endNanos());
        Recording early = all.part(o -> o.atNanos() < 2 * SECOND || o.serviceNanos() % 2 == 1, 0, all.endNanos());

        merge(client(1, 2, late), client(2, 2, early));

        assertSameHistograms(single);
        for (String file : List.of("windows.csv", "slices.csv")) {
            assertThat(root.resolve("merged").resolve(file)).as(file).hasSameTextualContentAs(single.resolve(file));
        }
        assertThat(merged().json("run.json").path("startedAt").asText()).isEqualTo(START.toString());
        assertThat(merged().json("run.json")
                        .path("clients")
                        .path(0)
                        .path("offsetNanos")
                        .asLong())
                .isEqualTo(2 * SECOND);
    }

    /** Until then one of them still runs at its maximum. */
    @Test
    void theLoadIsThatOfAllWhenTheLastClientHasCalibratedItself() throws IOException {
        Recording first = Recording.random(1, 500, 4 * SECOND, START);
        Recording later = new Recording(first.operations(), first.endNanos(), START.plusSeconds(4));

        merge(calibrated(1, first), calibrated(2, later));

        assertThat(merged().json("run.json").at("/load/sinceSeconds").asDouble())
                .isEqualTo(29);
    }

    private Path calibrated(int number, Recording recording) throws IOException {
        return recording.write(root.resolve("client-" + number), Specs.aRun(100), run -> {
            part(run, number, 2);
            run.putObject("load")
                    .put("kind", "share")
                    .put("share", 0.6)
                    .put("calibrationSeconds", 25)
                    .put("sinceSeconds", 25.0);
        });
    }

    @Test
    void whatWasDoneWithTheKeysOfEachOwnerIsAddedUp() throws IOException {
        Recording all = Recording.random(5, 2_000, 4 * SECOND, START);
        Recording late = new Recording(all.operations(), all.endNanos(), START.plusNanos(1_300_000_000L));
        Path first = owning(1, all, "[\"n1\",\"n2\"]", "0,0,n1,3,1,0,900\n0,0,n2,0,0,0,\n13,1.3,n1,2,0,1,100\n");
        Path second = owning(2, late, "[\"n1\",\"n2\"]", "0,0,n1,5,0,0,80.5\n0,0,n2,7,0,0,60\n");

        merge(first, second);

        assertThat(merged().csv("owners.csv"))
                .filteredOn(row -> row.get("slice").matches("0|13"))
                .extracting(row -> String.join(",", row.values()))
                .containsExactly("0,0,n1,3,1,0,900", "0,0,n2,0,0,0,", "13,1.3,n1,7,0,1,100", "13,1.3,n2,7,0,0,60");
        assertThat(merged().json("run.json").path("keyOwners").toString())
                .isEqualTo(
                        "{\"table\":\"t\",\"partitions\":[\"n1\",\"n2\"],\"changes\":[{\"atSeconds\":2.5,\"partitionsMoved\":1}]}");
    }

    @Test
    void ownersThatAreNotTheSameForAllClientsAreNotAddedUp() throws IOException {
        Recording all = Recording.random(5, 2_000, 4 * SECOND, START);
        Path first = owning(1, all, "[\"n1\",\"n2\"]", "0,0,n1,3,1,0,900\n");
        Path second = owning(2, all, "[\"n2\",\"n1\"]", "0,0,n1,5,0,0,80\n");

        merge(first, second);

        assertThat(root.resolve("merged/owners.csv")).doesNotExist();
        assertThat(merged().json("run.json").path("keyOwners").toString())
                .isEqualTo("{\"table\":\"t\",\"reason\":\"the clients did not see the same owners at their start\"}");
    }

    @Test
    void aClientWithoutOwnersLeavesNoneOfTheOthers() throws IOException {
        Recording all = Recording.random(5, 2_000, 4 * SECOND, START);

        merge(owning(1, all, "[\"n1\"]", "0,0,n1,3,1,0,900\n"), client(2, 2, all));

        assertThat(root.resolve("merged/owners.csv")).doesNotExist();
        assertThat(merged().json("run.json").at("/keyOwners/reason").asText())
                .isEqualTo("client 2 did not count its operations by the owners of their keys");
    }

    /** A client that has seen one change of the owners, at 2.5 s. */
    private Path owning(int number, Recording recording, String partitions, String rows) throws IOException {
        Path directory = recording.write(root.resolve("client-" + number), Specs.aRun(100), run -> {
            part(run, number, 2);
            ObjectNode owners = run.putObject("keyOwners").put("table", "t");
            for (String node : partitions.replaceAll("[\\[\\]\"]", "").split(",")) {
                owners.withArray("partitions").add(node);
            }
            owners.putArray("changes").addObject().put("atSeconds", 2.5).put("partitionsMoved", 1);
        });
        Files.writeString(
                directory.resolve("owners.csv"), "slice,start_s,owner,ok,failed,unknown,max_service_us\n" + rows);
        return directory;
    }

    @Test
    void whatClientsSayOfThemselvesIsKeptWithTheirNumberAndMovesWithThem() throws IOException {
        Recording all = Recording.random(5, 2_000, 4 * SECOND, START);
        Recording late = new Recording(all.operations(), all.endNanos(), START.plusNanos(1_300_000_000L));
        Path first = client(1, 2, all);
        Path second = client(2, 2, late);
        Files.writeString(first.resolve("client.csv"), "slice,start_s,stall_ms,gc_ms\n7,0.7,60,0\n");
        Files.writeString(second.resolve("client.csv"), "slice,start_s,stall_ms,gc_ms\n0,0,80,5\n");
        Files.writeString(second.resolve("threads.csv"), "thread,from_s,until_s\n3,0.5,1.7\n4,2,\n");

        merge(first, second);

        assertThat(root.resolve("merged/client.csv"))
                .hasContent("client,slice,start_s,stall_ms,gc_ms\n1,7,0.7,60,0\n2,13,1.3,80,5\n");
        assertThat(root.resolve("merged/threads.csv"))
                .hasContent("client,thread,from_s,until_s\n2,3,1.8,3\n2,4,3.3,\n");
    }

    @Test
    void windowsBesideTheGridGoToTheNearestAndThatIsSaid() throws IOException {
        Recording all = Recording.random(5, 2_000, 4 * SECOND, START);
        Recording beside = new Recording(all.operations(), all.endNanos(), START.plusNanos(1_300_000_000L));

        RunMerge.Merged merged = merge(client(1, 2, all), client(2, 2, beside));

        assertThat(merged.notes()).anyMatch(note -> note.contains("windows of client 2 begin 0.300 s after"));
        assertThat(merged().json("run.json").path("notes").toString()).contains("0.300 s after");
        assertThat(merged().sum("windows.csv", "READ", "ok"))
                .isEqualTo(2 * new RunFiles(root.resolve("client-1")).sum("windows.csv", "READ", "ok"));
        // 13 slices later: slices are finer than windows
        assertThat(merged().csv("slices.csv").stream()
                        .filter(row -> row.get("operation").equals("TOTAL")))
                .hasSize(53);
        assertThat(merged().csv("windows.csv").stream()
                        .filter(row -> row.get("operation").equals("TOTAL")))
                .hasSize(5);
    }

    @Test
    void aTimeInWhichNoClientRanIsRowsOfZeros() throws IOException {
        Recording short1 = Recording.random(5, 500, SECOND, START);
        Recording short2 = new Recording(short1.operations(), SECOND, START.plusSeconds(4));

        merge(client(1, 2, short1), client(2, 2, short2));

        List<Map<String, String>> rows = merged().csv("windows.csv").stream()
                .filter(row -> row.get("operation").equals("TOTAL"))
                .toList();
        assertThat(rows)
                .hasSize(5)
                .extracting(row -> row.get("ok").equals("0"))
                .containsExactly(false, true, true, true, false);
    }

    @Test
    void markersAndPhasesAreThoseOfTheClientThatDrillsAndMoveWithIt() throws IOException {
        Recording all = Recording.random(5, 1_000, 4 * SECOND, START.plusSeconds(2));
        Path drill = all.write(root.resolve("client-1"), Specs.aRun(100), run -> {
            part(run, 1, 2);
            run.putObject("drill").put("name", "node-kill").putObject("limits");
        });
        Recording.markers(
                drill,
                "{\"at_ns\":1500000000,\"wall\":\"x\",\"kind\":\"fault-started\",\"label\":\"kill\",\"node\":\"n1\"}",
                "{\"at_ns\":1600000000,\"kind\":\"fault-injected\",\"label\":\"kill\",\"requested_ns\":\"1500000000\"}");
        Files.writeString(
                drill.resolve("phases.csv"),
                "step,occurrence,fault,node,phase,stage,start_s,end_s,duration_s\nkill,1,kill,n1,down,,1.5,,\n");
        Files.writeString(drill.resolve("n1.log"), "last words\n");
        Path windows = drill.resolve("windows.csv");
        Files.writeString(windows, Files.readString(windows).replaceAll("(?m)^([23],.*),,$", "$1,down,"));
        Recording before = new Recording(all.operations(), all.endNanos(), START);
        Path other = client(2, 2, before);
        Recording.markers(other, "{\"at_ns\":100,\"kind\":\"note\",\"label\":\"hello\"}");

        merge(drill, other);

        assertThat(Files.readAllLines(root.resolve("merged/markers.jsonl")))
                .satisfiesExactly(
                        line -> assertThat(line).contains("\"at_ns\":3500000000", "\"client\":1", "fault-started"),
                        line -> assertThat(line).contains("\"requested_ns\":\"3500000000\""),
                        line -> assertThat(line).contains("\"at_ns\":100,", "\"client\":2"));
        assertThat(merged().csv("phases.csv").get(0))
                .containsEntry("start_s", "3.5")
                .containsEntry("end_s", "");
        assertThat(root.resolve("merged/n1.log")).hasContent("last words\n");
        assertThat(merged().csv("windows.csv").stream()
                        .filter(row -> row.get("operation").equals("TOTAL"))
                        .map(row -> row.get("phase") + "|" + row.get("markers")))
                .containsExactly("|hello", "|", "|", "|kill;kill", "down|", "down|");
        assertThat(merged().json("run.json").path("drill").path("name").asText())
                .isEqualTo("node-kill");
    }

    @Test
    void windowsAreInNoPhaseFromTheEndOfTheCalibrationToTheFirstFault() throws IOException {
        Recording all = Recording.random(5, 1_000, 4 * SECOND, START);
        Path other = client(1, 2, all);
        Path drill = all.write(root.resolve("client-2"), Specs.aRun(100), run -> {
            part(run, 2, 2);
            run.putObject("drill").put("name", "node-kill").putObject("limits");
        });
        phases(other, "calibration", "calibration", "", "");
        phases(drill, "calibration", "calibration", "", "down");

        merge(other, drill);

        assertThat(mergedPhases()).containsExactly("calibration", "calibration", "", "down");
    }

    @Test
    void withoutADrillPhasesAreThoseOfTheClientThatEndedLast() throws IOException {
        Recording all = Recording.random(5, 1_000, 4 * SECOND, START);
        Path early = client(1, 2, all.part(operation -> operation.atNanos() < SECOND, 0, SECOND));
        Path last = client(2, 2, all);
        phases(early, "calibration");
        phases(last, "calibration", "calibration", "", "");

        merge(early, last);

        assertThat(mergedPhases()).containsExactly("calibration", "calibration", "", "");
    }

    /** The others do not know that the drill has ended; that its client was missing from then on was an outage. */
    @Test
    void theMergedRunEndsWithTheDrill() throws IOException {
        long end = 9_200_000_000L;
        Path drill = owing(1, Recording.random(5, 500, end, START), end, 3, 0.5);
        Path other = owing(2, Recording.random(6, 1_500, 30 * SECOND, START), 30 * SECOND, 400, 7.0);

        RunMerge.Merged merged = merge(drill, other);

        JsonNode run = merged().json("run.json");
        assertThat(run.path("durationNanos").asLong()).isEqualTo(end);
        assertThat(run.path("stoppedNanos").asLong()).isEqualTo(end);
        assertThat(run.at("/load/unsent").asLong()).isEqualTo(3);
        assertThat(run.at("/load/oldestUnsentSeconds").asDouble()).isEqualTo(0.5);
        // The other client's part of the last window is a whole second.
        assertThat(totals("windows.csv")).hasSize(10);
        assertThat(totals("windows.csv").get(9)).containsEntry("end_s", "10");
        assertThat(totals("slices.csv")).hasSize(92);
        long meanwhile = new RunFiles(other)
                .csv("windows.csv").stream()
                        .filter(row -> row.get("operation").equals("READ") && Integer.parseInt(row.get("window")) < 9)
                        .mapToLong(row -> Long.parseLong(row.get("ok")))
                        .sum();
        JsonNode summary = merged().json("summary.json");
        assertThat(summary.at("/trimmed/endSeconds").asDouble()).isEqualTo(9.2);
        assertThat(summary.at("/operations/READ/ok").asLong())
                .isEqualTo(new RunFiles(drill).sum("windows.csv", "READ", "ok") + meanwhile);
        assertThat(summary.path("skipped").asLong()).as("of the drill").isEqualTo(7);
        assertThat(merged.notes())
                .contains("client 2 went on after the end of the drill, and what it did after 9.2 s is in no figure:"
                        + " its operations are those of its whole windows until the load of the drill was stopped, at"
                        + " 9.2 s, and its statuses (Return=...), retries, lost connections and abandoned calls are in"
                        + " no sum; bytes on the wire are not known");
    }

    /** Of 400 arrivals of 25 s those of 4.2 s were due at the end of the drill. */
    @Test
    void whatAClientOwesAfterTheDrillCountsAsFarAsItWasDueByThen() throws IOException {
        long end = 9_200_000_000L;

        merge(
                owing(1, Recording.random(5, 500, end, START), end, 3, 0.5),
                owing(2, Recording.random(6, 1_500, 30 * SECOND, START), 30 * SECOND, 400, 25.0));

        JsonNode load = merged().json("run.json").path("load");
        assertThat(load.path("unsent").asLong()).isEqualTo(70);
        assertThat(Math.round(10 * load.path("oldestUnsentSeconds").asDouble())).isEqualTo(42);
    }

    @Test
    void abandonedCallsAfterTheDrillAreNotCounted() throws IOException {
        Path drill = owing(1, Recording.random(5, 500, 9 * SECOND, START), 9 * SECOND, 0, 0);
        Path other = owing(2, Recording.random(6, 1_500, 30 * SECOND, START), 30 * SECOND, 0, 0);
        for (Path client : List.of(drill, other)) {
            ObjectNode run = (ObjectNode) new RunFiles(client).json("run.json");
            run.putObject("opTimeout").put("seconds", 1.0).put("abandoned", client.equals(drill) ? 2 : 50);
            Files.writeString(client.resolve("run.json"), RunDirectory.JSON.writeValueAsString(run));
        }

        merge(drill, other);

        assertThat(merged().json("run.json").at("/opTimeout/abandoned").asLong())
                .isEqualTo(2);
    }

    /** They are told when its last calls have returned; and calls of theirs may take longer than those. */
    @Test
    void clientsThatStopWhenTheDrillHasEndedAreInTheMergedRunWithTheirLastCalls() throws IOException {
        Path drill = owing(1, Recording.random(5, 500, 9_200_000_000L, START), 4 * SECOND, 0, 0);
        Path other = owing(2, Recording.random(6, 1_500, 12 * SECOND, START), 9_700_000_000L, 100, 10.0);

        RunMerge.Merged merged = merge(drill, other);

        JsonNode run = merged().json("run.json");
        assertThat(run.path("durationNanos").asLong()).isEqualTo(12 * SECOND);
        assertThat(run.path("stoppedNanos").asLong()).isEqualTo(4 * SECOND);
        assertThat(run.at("/load/unsent").asLong()).isEqualTo(43);
        assertThat(totals("windows.csv")).hasSize(12);
        assertThat(totals("slices.csv")).hasSize(120);
        assertThat(merged().json("summary.json").at("/operations/READ/ok").asLong())
                .isEqualTo(new RunFiles(drill).sum("windows.csv", "READ", "ok")
                        + new RunFiles(other).sum("windows.csv", "READ", "ok"));
        assertThat(merged.notes())
                .noneMatch(note -> note.contains("went on after"))
                .anyMatch(note -> note.startsWith("client 1 ended at 9.2 s, 2.8 s before the merged run"));
    }

    /** Of two clients, of which the first one drills. */
    private Path owing(int number, Recording recording, long stoppedNanos, int unsent, double oldestSeconds)
            throws IOException {
        return recording.write(root.resolve("client-" + number), Specs.aRun(100), run -> {
            part(run, number, 2);
            if (number == 1) {
                run.putObject("drill").put("name", "node-kill").putObject("limits");
            }
            run.put("stoppedNanos", stoppedNanos);
            ((ObjectNode) run.path("load")).put("unsent", unsent).put("oldestUnsentSeconds", oldestSeconds);
        });
    }

    private List<Map<String, String>> totals(String file) throws IOException {
        return merged().csv(file).stream()
                .filter(row -> row.get("operation").equals("TOTAL"))
                .toList();
    }

    /** Of each window of a client. */
    private static void phases(Path client, String... phases) throws IOException {
        Path windows = client.resolve("windows.csv");
        String text = Files.readString(windows);
        for (int i = 0; i < phases.length; i++) {
            text = text.replaceAll("(?m)^(" + i + ",.*),,$", "$1," + phases[i] + ",");
        }
        Files.writeString(windows, text);
    }

    private List<String> mergedPhases() throws IOException {
        return merged().csv("windows.csv").stream()
                .filter(row -> row.get("operation").equals("TOTAL"))
                .map(row -> row.get("phase"))
                .toList();
    }

    @Test
    void abandonedCallsOfAllClientsAreAddedUp() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);

        merge(abandoning(1, 3, all), abandoning(2, 4, all));

        assertThat(merged().json("run.json").path("opTimeout").toString())
                .isEqualTo("{\"seconds\":1.0,\"abandoned\":7,\"stillUnderWay\":2,\"mostUnderWay\":16}");
    }

    private Path abandoning(int number, int calls, Recording recording) throws IOException {
        return recording.write(root.resolve("client-" + number), Specs.aRun(100), run -> {
            part(run, number, 2);
            run.putObject("opTimeout")
                    .put("seconds", 1.0)
                    .put("abandoned", calls)
                    .put("stillUnderWay", 1)
                    .put("mostUnderWay", 8);
        });
    }

    @Test
    void theResultIsARunDirectoryForTheReport() throws IOException {
        Recording all = Recording.random(5, 1_000, 4 * SECOND, START);
        merge(client(1, 2, all), client(2, 2, all));

        Report.Written report = Report.write(root.resolve("merged"));

        assertThat(report.warnings()).isEmpty();
        assertThat(Report.differences(root.resolve("merged"), root.resolve("merged")))
                .isEmpty();
    }

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

    @ParameterizedTest
    @CsvSource({
        "/windowNanos,2000000000,windowNanos: ",
        "/binding,jdbc,has scripted",
        "/tool/version,9.9,tool.version: ",
        "/properties/recordcount,7,property recordcount: ",
        "/properties/table,other,property table: ",
        "/threads,9,threads: ",
        "/mode,load,mode: ",
        "/rate,x,rate: ",
        "/workload,other,workload: "
    })
    void unlikeRunsAreRefusedWithWhatDiffers(String pointer, String value, String expected) throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path two = all.write(root.resolve("two"), Specs.aRun(100), run -> {
            part(run, 2, 2);
            int slash = pointer.lastIndexOf('/');
            ObjectNode parent = (ObjectNode) run.at(pointer.substring(0, slash));
            if (value.matches("\\d+")) {
                parent.put(pointer.substring(slash + 1), Long.parseLong(value));
            } else {
                parent.put(pointer.substring(slash + 1), value);
            }
        });

        assertThatThrownBy(() -> merge(one, two))
                .isInstanceOf(MergeException.class)
                .hasMessageContaining(expected)
                .hasMessageContaining(one + " has ")
                .hasMessageContaining(two + " has ");
        assertThat(root.resolve("merged")).doesNotExist();
    }

    @Test
    void twoClientsThatInjectedFaultsAreRefused() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path two = client(2, 2, all);
        for (Path client : List.of(one, two)) {
            Recording.markers(client, "{\"at_ns\":1,\"kind\":\"fault-started\",\"label\":\"kill\"}");
        }

        assertThatThrownBy(() -> merge(one, two)).hasMessageContaining("more than one client injected faults");
    }

    @Test
    void theSameDirectoryTwiceIsRefused() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path copy = all.write(root.resolve("copy"), Specs.aRun(100), run -> {});

        assertThatThrownBy(() -> merge(one, one)).hasMessageContaining("are both client 1/2");
        assertThatThrownBy(() -> merge(copy, copy)).hasMessageContaining("are the same run");
    }

    /** A figure that was changed afterwards, or a file that was not copied in full. */
    @ParameterizedTest
    @CsvSource({
        "windows.csv,'(?m)^0,0,1,READ,\\d+','0,0,1,READ,9999999',in windows.csv",
        "windows.jsonl,'\"count\":(\\d+)','\"count\":1$1',but count is",
        "windows.jsonl,'\"histogram\":\"....','\"histogram\":\"AAAA',cannot be decoded",
        "totals.jsonl,'\"operation\"','\"op\"',is missing",
        "slices.csv,'(?m)^3,.*READ.*\\n','',slice 3 of READ is missing or duplicated",
        "slices.csv,'(?m)^(3,.*READ),\\d+','$1,-4',not a count",
        "slices.csv,'(?m)^(3,.*READ),\\d+','$1',expected 7 fields",
        "slices.csv,'(?s)^[^\\n]*','slice,operation',the header is slice",
        "windows.jsonl,'(?s)^(\\{\"window\":)0(.*)$','$17$2',in windows.jsonl",
        "windows.jsonl,'(?s)^.*$','',in windows.jsonl"
    })
    void damageIsFoundBeforeAnythingIsWritten(String file, String pattern, String replacement, String expected)
            throws IOException {
        Recording all = Recording.random(5, 900, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path two = client(2, 2, all);
        Path damaged = two.resolve(file);
        String before = Files.readString(damaged);
        Files.writeString(damaged, before.replaceFirst(pattern, replacement));
        assertThat(Files.readString(damaged)).isNotEqualTo(before);

        assertThatThrownBy(() -> merge(one, two))
                .isInstanceOf(MergeException.class)
                .hasMessageContaining(two.toString())
                .hasMessageContaining(expected);
        assertThat(root.resolve("merged")).doesNotExist();
    }

    @Test
    void aMergeNeverOverwritesARun() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = client(1, 2, all);
        Path two = client(2, 2, all);
        Map<Path, String> before = contents(one);

        assertThatThrownBy(() -> RunMerge.merge(List.of(one, two), one, List.of(), List.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("is not empty");
        assertThat(contents(one)).isEqualTo(before);
    }

    private static Map<Path, String> contents(Path directory) throws IOException {
        Map<Path, String> contents = new java.util.TreeMap<>();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                contents.put(file, Files.readString(file));
            }
        }
        return contents;
    }

    @Test
    void anAuditIsNotMergedAndThatIsSaid() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path audited = client(1, 2, all);
        Files.writeString(audited.resolve("audit.json"), "{\"schema\":1}");

        RunMerge.Merged merged = merge(audited, client(2, 2, all));

        assertThat(merged.notes()).anyMatch(note -> note.startsWith("the audit of client 1 is not merged"));
        assertThat(root.resolve("merged/audit.json")).doesNotExist();
    }

    /** The second one's clock is ahead by three seconds and a third of a slice. */
    @Test
    void clientWhoseClockWasComparedIsMovedByItsOffset() throws IOException {
        long ahead = 3 * SECOND + 33_000_000;
        Recording one = Recording.random(1, 2_000, 5 * SECOND, START);
        Recording two = Recording.random(2, 2_000, 5 * SECOND, START.plusNanos(ahead));
        Path first = client(1, 2, one);
        Path second = client(2, 2, two);
        new ClientClock(ahead, 250_000, 21).write(second);

        RunMerge.Merged merged = merge(first, second);

        JsonNode clients = merged().json("run.json").path("clients");
        assertThat(clients.get(1).path("offsetNanos").asLong()).isZero();
        assertThat(clients.get(1).path("windowErrorNanos").asLong()).isZero();
        assertThat(clients.get(1).at("/clock/uncertaintyNanos").asLong()).isEqualTo(250_000);
        assertThat(merged().json("run.json").path("durationNanos").asLong()).isEqualTo(5 * SECOND);
        assertThat(merged.notes())
                .contains("clock offset between the clients: client 2 was 3033.000 ms ahead of client 1, give or take"
                        + " 0.250 ms, and is moved by as much");
    }

    @Test
    void aClientOnAnotherMachineWhoseClockWasNotComparedIsNamed() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        List<Path> parts = new ArrayList<>();
        for (int number = 1; number <= 4; number++) {
            int i = number;
            parts.add(all.write(root.resolve("client-" + i), Specs.aRun(100), run -> {
                part(run, i, 4);
                boot(run, i == 4 ? "m1" : "m" + i);
            }));
        }
        new ClientClock(0, 250_000, 21).write(parts.get(1));

        assertThat(merge(parts.toArray(Path[]::new)).notes())
                .contains("clock offset between the clients: client 2 was 0.000 ms ahead of client 1, give or take"
                        + " 0.250 ms, and is moved by as much; that of client 3 is not known, and its times are by its"
                        + " own clock");
    }

    @Test
    void clocksOfOneMachineAreOneAndOfSeveralAreNotKnown() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path one = all.write(root.resolve("a"), Specs.aRun(100), run -> boot(run, "m1"));
        Path two = new Recording(all.operations(), all.endNanos(), START.plusSeconds(1))
                .write(root.resolve("b"), Specs.aRun(100), run -> boot(run, "m1"));
        Path three = new Recording(all.operations(), all.endNanos(), START.plusSeconds(2))
                .write(root.resolve("c"), Specs.aRun(100), run -> boot(run, "m2"));

        assertThat(merge(one, two).notes().get(0)).contains("none, they ran on one machine");
        RunMerge.Merged apart = RunMerge.merge(List.of(one, three), root.resolve("x"), List.of(), List.of());
        assertThat(apart.notes().get(0)).contains("not known", "2 machines", "NTP");
        JsonNode run = new RunFiles(root.resolve("x")).json("run.json");
        assertThat(run.path("threads").asInt()).isEqualTo(2);
        assertThat(run.path("operations").asInt()).isEqualTo(200);
    }

    private static void boot(ObjectNode run, String id) {
        ((ObjectNode) run.path("host")).put("bootId", id);
    }
}

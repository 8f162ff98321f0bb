package io.ycsbdrill.client.merge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.run.Recording;
import io.ycsbdrill.client.run.RunFiles;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.Specs;
import io.ycsbdrill.report.page.Report;
import io.ycsbdrill.rundir.HistogramLine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RunMergeTest extends MergedRuns {
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
            HistogramLine read = HistogramLine.of(line);
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

    /** The first client was sure of its maximum, and nothing failed there. */
    @Test
    void whatMakesTheMaximumOfAnyClientDoubtfulIsSaidOfAll() throws IOException {
        Recording recording = Recording.random(1, 500, 4 * SECOND, START);
        Path sure = calibrated(
                1, recording, load -> load.put("measuredMaximum", 3000.0).put("failedShare", 0.0));
        Path unsure = calibrated(2, recording, load -> load.put("measuredMaximum", 1000.0)
                .put("failedShare", 0.2)
                .put("doubt", "throughput rose by 40 %"));

        merge(sure, unsure);

        JsonNode load = merged().json("run.json").path("load");
        assertThat(load.path("doubt").asText()).isEqualTo("of client 2, throughput rose by 40 %");
        assertThat(load.path("failedShare").asDouble()).isEqualTo(0.05);
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
    void abandonedCallsOfAllClientsAreAddedUp() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);

        merge(abandoning(1, 3, all), abandoning(2, 4, all));

        assertThat(merged().json("run.json").path("opTimeout").toString())
                .isEqualTo("{\"seconds\":1.0,\"abandoned\":7,\"stillUnderWay\":2,\"mostUnderWay\":16}");
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
    void anAuditIsNotMergedAndThatIsSaid() throws IOException {
        Recording all = Recording.random(5, 300, 2 * SECOND, START);
        Path audited = client(1, 2, all);
        Files.writeString(audited.resolve("audit.json"), "{\"schema\":1}");

        RunMerge.Merged merged = merge(audited, client(2, 2, all));

        assertThat(merged.notes()).anyMatch(note -> note.startsWith("the audit of client 1 is not merged"));
        assertThat(root.resolve("merged/audit.json")).doesNotExist();
    }
}

package io.ycsbdrill.client.merge;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.run.Recording;
import io.ycsbdrill.client.run.RunFiles;
import io.ycsbdrill.client.run.Specs;
import io.ycsbdrill.client.run.file.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A drill of several clients: one of them injects the faults. */
class MergedDrillTest extends MergedRuns {
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
        Files.writeString(windows, Files.readString(windows).replaceAll("(?m)^([23],.*),,,$", "$1,down,,"));
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

    /** A window has several; the seconds of each move with the client's windows. */
    @Test
    void theSecondsOfEachPhaseAreThoseOfTheClientThatDrills() throws IOException {
        Recording all = Recording.random(5, 1_000, 4 * SECOND, START);
        Path other = client(1, 2, all);
        Path drill = all.write(root.resolve("client-2"), Specs.aRun(100), run -> {
            part(run, 2, 2);
            run.putObject("drill").put("name", "node-kill").putObject("limits");
        });
        Path windows = drill.resolve("windows.csv");
        String text = Files.readString(windows);
        List<String> seconds =
                List.of("none:0.8;fault:0.2", "fault:0.05;down:0.95", "down:1", "down:0.3;recovered:0.7");
        List<String> last = List.of("fault", "down", "down", "recovered");
        for (int i = 0; i < 4; i++) {
            text = text.replaceAll("(?m)^(" + i + ",.*),,,$", "$1," + last.get(i) + ",," + seconds.get(i));
        }
        Files.writeString(windows, text);

        merge(other, drill);

        assertThat(merged().csv("windows.csv").stream()
                        .filter(row -> row.get("operation").equals("TOTAL"))
                        .map(row -> row.get("phases")))
                .containsExactlyElementsOf(seconds);
        assertThat(mergedPhases()).containsExactlyElementsOf(last);
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

    /** Of each window of a client. */
    private static void phases(Path client, String... phases) throws IOException {
        Path windows = client.resolve("windows.csv");
        String text = Files.readString(windows);
        for (int i = 0; i < phases.length; i++) {
            text = text.replaceAll("(?m)^(" + i + ",.*),,,$", "$1," + phases[i] + ",,");
        }
        Files.writeString(windows, text);
    }

    private List<String> mergedPhases() throws IOException {
        return merged().csv("windows.csv").stream()
                .filter(row -> row.get("operation").equals("TOTAL"))
                .map(row -> row.get("phase"))
                .toList();
    }
}

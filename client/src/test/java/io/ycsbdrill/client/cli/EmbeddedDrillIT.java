package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real drills from the command line on an embedded cluster that stays up: nodes die and come back under load. */
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class EmbeddedDrillIT {
    private static final List<String> RECOVERY =
            List.of("failure-handling", "down", "local-recovery", "synchronise", "wait-checkpoint");

    @TempDir
    static Path directory;

    @BeforeAll
    static void up() throws Exception {
        Files.writeString(directory.resolve("w"), """
                workload=site.ycsb.workloads.CoreWorkload
                recordcount=1000
                operationcount=1000
                readproportion=0.5
                updateproportion=0.5
                scanproportion=0
                insertproportion=0
                """);
        try (Child child = ycsb("cluster", "up", "embedded", "--spare-nodes", "1")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
        }
    }

    @AfterAll
    static void down() throws Exception {
        try (Child child = ycsb("cluster", "down", "embedded")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
        }
        assertThat(nodes()).as("processes left behind").isEmpty();
        assertThat(directory.resolve("state/embedded/cluster.json")).doesNotExist();
    }

    /** The processes of this test's nodes. Read from the system: Java does not give command lines as long as theirs. */
    private static List<Long> nodes() {
        List<Long> nodes = new ArrayList<>();
        for (ProcessHandle process : ProcessHandle.allProcesses().toList()) {
            Path file = Path.of("/proc", Long.toString(process.pid()), "cmdline");
            try {
                String line = Files.readString(file, StandardCharsets.ISO_8859_1);
                if (line.contains("NodeMain") && line.contains(directory.toString())) {
                    nodes.add(process.pid());
                }
            } catch (IOException e) {
                continue; // it has ended meanwhile
            }
        }
        return nodes;
    }

    private static Child ycsb(String... arguments) throws IOException {
        return new Child(
                directory, Map.of("YCSB_DRILL_STATE", directory.resolve("state").toString()), Child.ycsb(arguments));
    }

    /** Every second read would find nothing, and the database would be blamed for it. */
    @Test
    void aTableThatIsNotThatOfTheWorkloadIsRefusedBeforeTheFault() throws Exception {
        try (Child child =
                ycsb("load", "native", "-P", "w", "-p", "recordcount=500", "-p", "table=half", "--out", "half-load")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
        }
        Files.writeString(directory.resolve("half.yaml"), """
                load: 300/s
                steady: {after: 1s, window: 3s}
                steps: [{step: kill, fault: kill, node: random, at: 0s}]
                """);
        try (Child child = ycsb(
                "drill",
                "native",
                "-P",
                "w",
                "-D",
                "half.yaml",
                "-p",
                "table=half",
                "-threads",
                "2",
                "--out",
                "half")) {
            assertThat(child.exitCode()).as(child.out()).isEqualTo(1);
            assertThat(child.err())
                    .containsPattern("the baseline cannot be used: [0-9.]+% of its operations did not find their row")
                    .contains("load the table with the recordcount of the run", "no fault was injected");
        }
        assertThat(Files.readString(directory.resolve("half/markers.jsonl"))).doesNotContain("fault-started");
        assertThat(nodes()).hasSize(3);
    }

    /** Beside other clusters something is found indeed: the client or a node waits for the processor. */
    @Test
    @Tag("soak")
    @Tag("alone")
    void nothingIsFoundWhenNothingIsDone() throws Exception {
        List<Long> before = nodes();
        Files.writeString(
                directory.resolve("null.yaml"),
                Files.readString(Path.of("../workloads/drills/null.yaml"))
                        .replaceAll("(?m)^    duration: \\d+s", "    duration: 10s")
                        .replaceAll("(?m)^cooldown: \\d+s", "cooldown: 5s"));

        try (Child child = ycsb(
                "drill",
                "native",
                "-P",
                "w",
                "-D",
                "null.yaml",
                "-threads",
                "2",
                "-target",
                "500",
                "--window",
                "1s",
                "--audit",
                "--out",
                "null")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
            assertThat(child.out()).containsPattern("Verdict: PASS: (\\d+) of \\1 limits kept");
        }

        Markers.assertNothingWasFound(directory.resolve("null"));
        Audits.assertNothingLost(json(directory.resolve("null"), "audit.json"));
        assertThat(nodes()).containsExactlyInAnyOrderElementsOf(before);
    }

    /** The run directory of a drill that has ended with exit code 0. */
    private static Path drill(String name, String steps) throws Exception {
        return drill("native", name, steps);
    }

    private static Path drill(String binding, String name, String steps) throws Exception {
        Files.writeString(directory.resolve(name + ".yaml"), """
                name: %s
                load: 300/s
                steady: {after: 2s, window: 3s, within: 2m}
                cooldown: 3s
                recovery_timeout: 2m
                limits: {service_restored: any}  # three seconds beside other tests say nothing of it; phases and counts are looked at
                steps:
                %s""".formatted(name, steps.indent(2)));
        try (Child child = ycsb(
                "drill",
                binding,
                "-P",
                "w",
                "-D",
                name + ".yaml",
                "-threads",
                "2",
                "--window",
                "1s",
                "--audit",
                "--out",
                name)) {
            assertThat(child.exitCode()).as(child.err()).isZero();
            assertThat(child.out()).contains("[OVERALL], Throughput(ops/sec)");
        }
        Path run = directory.resolve(name);
        assertThat(json(run, "run.json").path("state").asText()).isEqualTo("complete");
        assertThat(run.resolve("report.html")).isNotEmptyFile();
        Audits.assertNothingLost(json(run, "audit.json"));
        Audits.assertReplicasAgree(json(run, "audit.json"), 3, 3);
        markersAreInOrder(run);
        Markers.assertEveryFaultWasEffective(run);
        try (Child child = ycsb("cluster", "status")) {
            assertThat(child.exitCode()).as(child.out() + child.err()).isZero();
        }
        assertThat(nodes()).hasSize(3);
        return run;
    }

    /** A node is paused twice for 1.5 s, and once nothing is done: each cycle shows its own. */
    @Test
    @Tag("long")
    void cyclesAreMeasuredOneByOneAndTheNullCycleShowsNoFault() throws Exception {
        Files.writeString(directory.resolve("cycles.yaml"), """
                name: cycles
                load: 100/s
                steady: {after: 0s, window: 3s, within: 2m}
                cooldown: 3s
                recovery_timeout: 1m
                cycles: {count: 9, nulls: 1, pause: 1s}
                steps: [{step: pause, fault: pause, node: random, duration: 1500ms, at: 0s}]
                limits: {max_unavailable: 100ms}
                """);
        try (Child child = ycsb(
                "drill",
                "native",
                "-P",
                "w",
                "-D",
                "cycles.yaml",
                "--cycles",
                "2",
                "-threads",
                "2",
                "--window",
                "1s",
                "--junit",
                "cycles.xml",
                "--out",
                "cycles")) {
            assertThat(child.exitCode()).as(child.err()).isEqualTo(3);
            assertThat(child.out()).contains("2 cycles of ", "and 1 null cycle of ", "(null cycle)");
            assertThat(child.out()).contains("Verdict: FAIL").contains("missed in 2 of 2 cycles: ");
        }
        Path run = directory.resolve("cycles");
        assertThat(json(run, "run.json").path("state").asText()).isEqualTo("complete");
        assertThat(json(run, "run.json")
                        .path("drill")
                        .path("cycles")
                        .path("count")
                        .asInt())
                .isEqualTo(2);
        JsonNode cycles = json(run, "summary.json").path("drill").path("cycles");
        assertThat(cycles.path("cycles")).hasSize(3);
        for (JsonNode cycle : cycles.path("cycles")) {
            JsonNode metrics = cycle.path("metrics");
            if (cycle.path("null").asBoolean()) {
                assertThat(cycle.path("title").asText()).isEqualTo("nothing");
                assertThat(metrics.has("detectEngineSeconds")).isFalse();
                assertThat(metrics.path("failed").asInt()).isZero();
            } else {
                assertThat(cycle.path("title").asText()).startsWith("pause node");
                // Two threads and three nodes: before long both wait for the one that is paused.
                assertThat(metrics.path("longestGapSeconds").asDouble()).isBetween(0.8, 10.0);
            }
        }
        assertThat(cycles.path("figures").path("longestGapSeconds").path("n").asInt())
                .isEqualTo(2);
        assertThat(Files.readString(directory.resolve("cycles.xml")))
                .containsPattern("name=\"maxUnavailableSeconds\"><failure message=\"[^\"]*missed in 2 of 2 cycles");
        assertThat(Files.readString(run.resolve("report.html")))
                .contains("<h2>Cycles</h2>", "Longest gap without a success by cycle");
        Files.delete(run.resolve("report.html"));
        try (Child child = ycsb("report", "cycles")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
            assertThat(child.out()).contains("and 1 null cycle of ");
        }
        assertThat(Files.readString(run.resolve("report.html"))).contains("<h2>Cycles</h2>");
    }

    @Test
    @Tag("soak")
    void backupIsMadeAndANodeJoinsAndLeavesWhileTheClusterServes() throws Exception {
        Path run = drill("operations", """
                - {step: backup, operation: backup, node: random, at: 0s}
                - {step: add, operation: add-node, node: random, after: backup}
                - {step: remove, operation: remove-node, node: same-as:add, after: add, delay: 3s}""");

        assertThat(Markers.of(run))
                .extracting(marker -> marker.path("text").asText().replaceFirst("backup drill\\d+", "backup x"))
                .containsSubsequence(
                        "backup x begun",
                        "backup x complete",
                        "the other nodes have node4 among them",
                        "the other nodes have node4 not among them");
        List<String> phases = Files.readAllLines(run.resolve("phases.csv"));
        assertThat(phases)
                .anyMatch(row -> row.startsWith("add,1,add-node,node4,synchronise,"))
                .anyMatch(row -> row.startsWith("remove,1,remove-node,node4,down,"));
        assertThat(Markers.of(run))
                .filteredOn(marker -> marker.path("label").asText().equals("node-down"))
                .extracting(marker -> marker.path("node").asText())
                .as("no node ends for a backup")
                .containsOnly("node4");
        try (Stream<Path> files = Files.walk(directory.resolve("state"))) {
            assertThat(files.filter(file -> file.getParent().endsWith("snapshots")
                            && file.getFileName().toString().startsWith("drill")))
                    .as("one below each node")
                    .hasSize(3);
        }
    }

    @Test
    @Tag("long")
    void healingCompletesWhatAKillOfTheToolCutShort() throws Exception {
        Files.writeString(
                directory.resolve("short.yaml"),
                "{load: max, steady: off, steps: [{operation: add-node, node: node4, at: 0s}]}");
        try (Child child = ycsb("drill", "native", "-P", "w", "-D", "short.yaml", "--out", "short")) {
            child.await(() -> nodes().size() == 4);
            child.signal("KILL");
            child.exitCode();
        }
        try (Child child = ycsb("cluster", "heal")) {
            assertThat(child.exitCode()).as(child.out() + child.err()).isZero();
        }
        try (Child child = ycsb("cluster", "status")) {
            assertThat(child.exitCode()).as(child.out() + child.err()).isZero();
            assertThat(child.out()).contains("node4");
        }

        Files.writeString(
                directory.resolve("away.yaml"),
                "{load: max, steady: off, steps: [{operation: remove-node, node: node4, at: 0s}]}");
        try (Child child = ycsb("drill", "native", "-P", "w", "-D", "away.yaml", "--out", "away")) {
            assertThat(child.exitCode()).as(child.err()).isZero();
        }
        assertThat(nodes()).hasSize(3);
    }

    /** A kill and then a start have the same phases, below. */
    @Test
    @Tag("soak")
    void nodeRestartHasEveryPhaseAndTheyAddUp() throws Exception {
        Path run = drill("restart", """
                - step: restart
                  fault: restart
                  node: random
                  mode: kill
                  down: 2s
                  at: 0s
                """);

        everyPhaseAddsUp(run);
    }

    @Test
    @Tag("soak")
    void initialNodeRestartHasEveryPhaseAndTheyAddUp() throws Exception {
        Path run = drill("initialise", """
                - step: initialise
                  fault: initialise
                  node: random
                  mode: kill
                  down: 1s
                  at: 0s
                """);

        everyPhaseAddsUp(run);
    }

    @Test
    void killedNodeIsSeenInTheSlices() throws Exception {
        Path run = drill("kill", """
                - step: kill
                  fault: kill
                  node: random
                  at: 0s
                - step: start
                  fault: start
                  node: same-as:kill
                  after: kill.down
                  delay: 2s
                """);

        everyPhaseAddsUp(run);
        assertThat(json(run, "summary.json").at("/connections/servers"))
                .as("the connection to the killed node, which all threads share")
                .hasSize(1);
        double killed = at(run, "fault-injected");
        long failedAfterwards = rows(run, "slices.csv").stream()
                .filter(row -> Double.parseDouble(row.get("start_s")) >= killed - 0.1)
                .mapToLong(row -> Long.parseLong(row.get("failed")) + Long.parseLong(row.get("unknown")))
                .sum();
        // A kill may meet no request on its way; but updates wait until the others have agreed that the node is gone.
        // The baseline is
        // no measure of a dip here, as the client has only just begun and becomes faster by itself.
        List<Long> steady = okIn(run, killed - 3, killed - 0.1);
        long usual = steady.stream().sorted().toList().get(steady.size() / 2);
        long least = okIn(run, killed - 0.1, killed + 5).stream()
                .mapToLong(ok -> ok)
                .min()
                .orElseThrow();
        assertThat(failedAfterwards > 0 || least < usual / 2)
                .as("%d failed; of usually %d operations a slice %d in the worst", failedAfterwards, usual, least)
                .isTrue();
        long before = rows(run, "slices.csv").stream()
                .filter(row -> Double.parseDouble(row.get("start_s")) < killed - 0.1)
                .mapToLong(row -> Long.parseLong(row.get("failed")) + Long.parseLong(row.get("unknown")))
                .sum();
        assertThat(before).isZero();
    }

    /** The successes of each slice that begins in [from, to). */
    private static List<Long> okIn(Path run, double from, double to) throws IOException {
        return rows(run, "slices.csv").stream()
                .filter(row -> row.get("operation").equals("TOTAL"))
                .filter(row ->
                        Double.parseDouble(row.get("start_s")) >= from && Double.parseDouble(row.get("start_s")) < to)
                .map(row -> Long.parseLong(row.get("ok")))
                .toList();
    }

    @Test
    @Tag("long")
    void restClientsComeBackToAKilledNodeAndAfterAFaultOfTheNetwork() throws Exception {
        Path run = drill("rest", "rest", """
                - step: restart
                  fault: restart
                  node: node1
                  mode: kill
                  down: 2s
                  at: 0s
                - step: cut
                  fault: cut
                  node: server1
                  duration: 1s
                  after: restart.recovered
                  delay: 4s
                """);

        assertThat(rows(run, "phases.csv")).extracting(row -> row.get("phase")).containsSubsequence(RECOVERY);
        JsonNode connections = json(run, "summary.json").path("connections");
        assertThat(connections.path("silentThreads").asInt()).isZero();
        // Two threads, one connection each: every fault takes at most one of each thread, which then finds another
        // server.
        long lost = 0;
        long most = 0;
        for (JsonNode server : connections.path("servers")) {
            lost += server.path("lost").asLong();
            most = Math.max(most, server.path("lost").asLong());
            assertThat(server.path("regained")).isEqualTo(server.path("lost"));
        }
        assertThat(lost).as("lost connections: %s", connections).isBetween(2L, 8L);
        assertThat(most)
                .as("the server that was killed had its connection again when it was cut: %s", connections)
                .isGreaterThanOrEqualTo(2);
        List<Map<String, String>> totals = rows(run, "windows.csv").stream()
                .filter(row -> row.get("operation").equals("TOTAL"))
                .toList();
        assertThat(totals.stream()
                        .mapToLong(row -> Long.parseLong(row.get("unknown")))
                        .sum())
                .as("one write of each thread and fault, and what the cluster itself left open")
                .isLessThan(100);
        Map<String, String> end = totals.get(totals.size() - 2);
        assertThat(Long.parseLong(end.get("ok"))).isPositive();
        assertThat(end.get("failed")).isEqualTo("0");
    }

    /** Shorter than the silence after which the others drop a node: it goes on where it was. */
    @Test
    void pausedNodeIsWholeAgainWithoutARestart() throws Exception {
        List<Long> before = nodes();

        Path run = drill("pause", """
                - step: pause
                  fault: pause
                  node: random
                  duration: 800ms
                  at: 0s
                """);

        assertThat(nodes()).containsExactlyInAnyOrderElementsOf(before);
        assertThat(rows(run, "phases.csv"))
                .extracting(row -> row.get("phase"))
                .contains("fault")
                .doesNotContain("local-recovery");
        assertThat(at(run, "fault-ended") - at(run, "fault-injected")).isGreaterThanOrEqualTo(0.8);
        nobodyServesTheKeysOfTheTarget(run);
    }

    /** Nothing but the paused node serves its keys, and what the slices count is counted by the owners of the keys, too. */
    private static void nobodyServesTheKeysOfTheTarget(Path run) throws IOException {
        String target = Markers.of(run).stream()
                .filter(marker -> marker.path("kind").asText().equals("fault-started"))
                .findFirst()
                .orElseThrow()
                .path("node")
                .asText();
        List<Map<String, String>> owners = rows(run, "owners.csv");
        double paused = at(run, "fault-injected") + 0.05;
        double resumed = at(run, "fault-ended") - 0.05;
        assertThat(owners)
                .filteredOn(row -> row.get("owner").equals(target))
                .filteredOn(row -> number(row, "start_s") > paused && number(row, "start_s") + 0.1 < resumed)
                .isNotEmpty()
                .extracting(row -> row.get("ok"))
                .containsOnly("0");
        assertThat(sum(owners))
                .isEqualTo(sum(rows(run, "slices.csv").stream()
                        .filter(row ->
                                List.of("READ", "UPDATE", "INSERT", "DELETE").contains(row.get("operation")))
                        .toList()));
        JsonNode partitions = json(run, "run.json").at("/keyOwners/partitions");
        assertThat(partitions).hasSizeGreaterThan(3);
        assertThat(partitions).extracting(JsonNode::asText).contains("node1", "node2", "node3");
    }

    /** Successful, failed and unknown operations of all rows. */
    private static List<Long> sum(List<Map<String, String>> rows) {
        return Stream.of("ok", "failed", "unknown")
                .map(column -> rows.stream()
                        .mapToLong(row -> Long.parseLong(row.get(column)))
                        .sum())
                .toList();
    }

    private static void everyPhaseAddsUp(Path run) throws IOException {
        List<Map<String, String>> phases = rows(run, "phases.csv");
        assertThat(phases).extracting(row -> row.get("phase")).containsSubsequence(RECOVERY);
        assertThat(phases).allMatch(row -> !row.get("duration_s").isEmpty(), "has ended");
        double begin =
                phases.stream().mapToDouble(row -> number(row, "start_s")).min().orElseThrow();
        double end =
                phases.stream().mapToDouble(row -> number(row, "end_s")).max().orElseThrow();
        double recovered = phaseMarkers(run).get("recovered");
        double sum =
                phases.stream().mapToDouble(row -> number(row, "duration_s")).sum();
        assertThat(end).isEqualTo(recovered, org.assertj.core.data.Offset.offset(0.001));
        assertThat(sum / (recovered - begin)).isBetween(0.99, 1.01);
    }

    private static double number(Map<String, String> row, String column) {
        return Double.parseDouble(row.get(column));
    }

    private static void markersAreInOrder(Path run) throws IOException {
        List<Long> faults = Markers.of(run).stream()
                .filter(marker -> marker.path("kind").asText().startsWith("fault-"))
                .map(marker -> marker.path("at_ns").asLong())
                .toList();
        assertThat(faults).isNotEmpty().isSorted();
        List<Long> phases = Markers.of(run).stream()
                .filter(marker -> marker.path("kind").asText().equals("phase") && marker.has("node"))
                .map(marker -> marker.path("at_ns").asLong())
                .toList();
        assertThat(phases).isNotEmpty().isSorted();
    }

    /** When, in seconds, each phase began last. */
    private static Map<String, Double> phaseMarkers(Path run) throws IOException {
        return Markers.of(run).stream()
                .filter(marker -> marker.path("kind").asText().equals("phase"))
                .collect(Collectors.toMap(
                        marker -> marker.path("phase").asText(),
                        marker -> marker.path("at_ns").asLong() / 1e9,
                        Math::max));
    }

    private static double at(Path run, String kind) throws IOException {
        return Markers.of(run).stream()
                .filter(marker -> marker.path("kind").asText().equals(kind))
                .mapToDouble(marker -> marker.path("at_ns").asLong() / 1e9)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no marker " + kind + " in " + run));
    }

    private static JsonNode json(Path run, String file) throws IOException {
        return new ObjectMapper().readTree(run.resolve(file).toFile());
    }

    private static List<Map<String, String>> rows(Path run, String file) throws IOException {
        List<List<String>> cells = Files.readAllLines(run.resolve(file)).stream()
                .map(line -> Arrays.asList(line.split(",", -1)))
                .toList();
        List<String> header = cells.get(0);
        return cells.stream()
                .skip(1)
                .map(row -> java.util.stream.IntStream.range(0, header.size())
                        .boxed()
                        .collect(Collectors.toMap(header::get, row::get)))
                .toList();
    }
}

package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.galera.GaleraEngine;
import io.ycsbdrill.fault.node.galera.GaleraHome;
import io.ycsbdrill.fault.node.galera.TestedGalera;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Through {@code jdbc}, one thread for each of three real Galera nodes; set {@code GALERA_HOME} to run it. */
@Tag("engine")
@Timeout(300)
class GaleraDrillIT {
    private static final Path WORKLOADS =
            Path.of("..", "workloads").toAbsolutePath().normalize();
    private static final Pattern RETURN = Pattern.compile("\\[([A-Z-]+)], Return=([A-Z_]+), (\\d+)");

    @TempDir
    static Path folder;

    private static LocalCluster cluster;

    private World world;

    @BeforeAll
    static void up() {
        GaleraHome home = TestedGalera.home();
        cluster = new GaleraEngine()
                .up(
                        folder.resolve("c"),
                        Map.of("sync-wait", "1", "galera-home", home.root().toString()),
                        Lifetime.OWNED,
                        line -> {});
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
    void workloadRunsOverAllNodes(String letter) throws IOException {
        execute("run", "workload" + letter, "-p", "operationcount=" + (letter.equals("e") ? 300 : 1500));

        Map<String, Map<String, Long>> returns = returns();
        assertThat(returns.keySet()).isNotEmpty();
        // Galera refuses one of two transactions that wrote a row on two nodes at once (1213): nothing was applied.
        returns.forEach((operation, counts) -> assertThat(counts.keySet())
                .as("%s %s", operation, counts)
                .isSubsetOf(
                        operation.equals("READ") || operation.equals("SCAN")
                                ? List.of("OK")
                                : List.of("OK", "TEMPORARY")));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 100})
    void conflictsOfWritersAreTriedAgainOnlyWhenAsked(int retries) throws IOException {
        String[] updatesOfTwoRows = {
            "-p",
            "recordcount=2",
            "-p",
            "table=conflicts",
            "-p",
            "operationcount=900",
            "-p",
            "updateproportion=1",
            "-p",
            "readproportion=0",
            "-p",
            "requestdistribution=uniform",
            "-p",
            "retry.temporary=" + retries
        };

        execute("run", "workloada", updatesOfTwoRows);

        Map<String, Long> updates = returns().get("UPDATE");
        JsonNode summary = json("summary.json").at("/operations/UPDATE");
        if (retries == 0) {
            assertThat(updates).containsOnlyKeys("OK", "TEMPORARY");
            assertThat(summary.has("retries")).isFalse();
        } else {
            assertThat(updates).containsOnly(Map.entry("OK", 900L));
            assertThat(summary.path("retriedOperations").asLong()).isBetween(1L, 900L);
            assertThat(summary.path("retries").asLong())
                    .isGreaterThanOrEqualTo(summary.path("retriedOperations").asLong());
            assertThat(world.err()).contains("operations met a temporary error and were tried again");
        }
    }

    @Test
    void faultsOfTheNetworkAreFeltByOneThreadAndHealed() throws IOException {
        drill("network", text -> text.replaceAll("duration: \\d+s", "duration: 2s")
                .replaceAll("delay: 10s", "delay: 2s")
                .replaceAll("latency: 20ms", "latency: 200ms"));

        assertThat(phases().get("server1")).containsExactly("fault", "fault", "fault", "fault", "fault");
        assertThat(phases()).hasSize(1);
        assertThat(json("run.json").path("proxies")).hasSize(3);
        // The connection of one thread is broken twice, by the reset and by the cut.
        assertThat(broken()).isBetween(1L, 2L);
        assertThat(longestMicros()).isGreaterThan(1_900_000.0);
    }

    @Test
    void nodeRestart() throws IOException {
        drill("node-restart", text -> text.replaceAll("(?m)^    down: 5s", "    down: 2s"));

        assertThat(phases()).hasSize(1);
        phases().values().forEach(phases -> assertThat(phases)
                .startsWith("fault", "failure-handling")
                .contains("local-recovery", "synchronise")
                .doesNotHaveDuplicates());
        assertThat(broken()).isLessThanOrEqualTo(3);
        JsonNode servers = json("summary.json").at("/connections/servers");
        long lost = 0;
        for (JsonNode server : servers) {
            lost += server.path("lost").asLong();
            assertThat(server.path("regained")).isEqualTo(server.path("lost"));
            assertThat(server.path("longestSecondsWithout").asDouble()).isPositive();
        }
        assertThat(lost).as("connections that broke").isPositive();
        assertThat(broken()).as("errors").isLessThanOrEqualTo(lost);
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
    }

    /** Operations that ended without an answer of the server's: at most one for each connection that broke. */
    private long broken() throws IOException {
        return returns().values().stream()
                .flatMap(counts -> counts.entrySet().stream())
                .filter(count ->
                        count.getKey().equals("UNAVAILABLE") || count.getKey().equals("UNKNOWN"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private interface Change {
        String of(String text);
    }

    private void drill(String name, Change change) throws IOException {
        String text = Files.readString(WORKLOADS.resolve("drills").resolve(name + ".yaml"))
                .replaceAll("(?m)^  after: \\d+s", "  after: 8s")
                .replaceAll("(?m)^  window: \\d+s", "  window: 6s")
                .replaceAll("(?m)^  (slope|variation): \\d+%", "  $1: 100%")
                .replaceAll("(?m)^cooldown: \\d+s", "cooldown: 4s")
                .replaceAll("(?m)^  max_unavailable: \\d+s", "  max_unavailable: 60s")
                .replaceAll("(?m)^  min_throughput: \\d+%", "  min_throughput: 1%");
        newWorld().file("drill.yaml", change.of(text));

        execute("drill", "workloadb", "-D", "drill.yaml", "--window", "1s");

        assertThat(world.out()).contains("Verdict: PASS");
        assertThat(world.directory().resolve("r/report.html")).isNotEmptyFile();
        assertThat(folder.resolve("c/heal.json")).doesNotExist();
    }

    private World newWorld() {
        world = new World(folder.resolve("w" + System.nanoTime())).with(new GaleraEngine());
        world.clusters().write(cluster.descriptor());
        return world;
    }

    private void execute(String command, String workload, String... more) throws IOException {
        if (command.equals("run")) {
            newWorld();
        }
        List<String> arguments = new ArrayList<>(List.of(
                command,
                "jdbc",
                "-P",
                WORKLOADS.resolve(workload).toString(),
                "-p",
                "recordcount=500",
                "-p",
                "table=t_" + workload,
                "-threads",
                "3",
                "--out",
                "r"));
        arguments.addAll(List.of(more));

        int exitCode = world.execute(arguments.toArray(String[]::new));

        assertThat(exitCode).as(world.err()).isZero();
        assertThat(json("run.json").path("state").asText()).isEqualTo("complete");
    }

    /** How often each operation ended how. */
    private Map<String, Map<String, Long>> returns() throws IOException {
        Map<String, Map<String, Long>> returns = new TreeMap<>();
        Matcher line = RETURN.matcher(Files.readString(world.directory().resolve("r/ycsb.txt")));
        while (line.find()) {
            returns.computeIfAbsent(line.group(1), o -> new TreeMap<>())
                    .put(line.group(2), Long.parseLong(line.group(3)));
        }
        return returns;
    }

    /** The phases of each node, or server, in order. */
    private Map<String, List<String>> phases() throws IOException {
        Map<String, List<String>> phases = new TreeMap<>();
        Files.readAllLines(world.directory().resolve("r/phases.csv")).stream()
                .skip(1)
                .map(row -> row.split(",", -1))
                .forEach(row ->
                        phases.computeIfAbsent(row[3], n -> new ArrayList<>()).add(row[4]));
        return phases;
    }

    private double longestMicros() throws IOException {
        List<String> rows = Files.readAllLines(world.directory().resolve("r/windows.csv"));
        List<String> header = List.of(rows.get(0).split(","));
        return rows.stream()
                .skip(1)
                .map(row -> row.split(",", -1))
                .filter(row -> row[header.indexOf("operation")].equals("TOTAL"))
                .map(row -> row[header.indexOf("service_max_us")])
                .filter(max -> !max.isEmpty())
                .mapToDouble(Double::parseDouble)
                .max()
                .orElse(0);
    }

    private JsonNode json(String file) throws IOException {
        return new ObjectMapper()
                .readTree(world.directory().resolve("r").resolve(file).toFile());
    }
}

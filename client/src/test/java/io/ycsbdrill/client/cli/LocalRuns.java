package io.ycsbdrill.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalEngine;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Commands on a local cluster with three threads, one after the other, and what the last one left behind. */
class LocalRuns {
    static final int THREADS = 3;

    private static final Path WORKLOADS =
            Path.of("..", "workloads").toAbsolutePath().normalize();
    private static final Pattern RETURN = Pattern.compile("\\[([A-Z-]+)], Return=([A-Z_]+), (\\d+)");

    private final Path folder;
    private final ClusterDescriptor cluster;
    private final LocalEngine engine;
    private final String binding;
    private World world;

    /** @param cluster as the commands are to find it */
    LocalRuns(Path folder, ClusterDescriptor cluster, LocalEngine engine, String binding) {
        this.folder = folder;
        this.cluster = cluster;
        this.engine = engine;
        this.binding = binding;
    }

    void run(String workload, String... more) throws IOException {
        newWorld();
        execute("run", workload, more);
    }

    void load(String workload, String... more) throws IOException {
        newWorld();
        execute("load", workload, more);
    }

    /** Runs the drill, sped up by the change of its text, and demands that it passes. */
    void drill(String name, UnaryOperator<String> change, String... more) throws IOException {
        String text = Files.readString(WORKLOADS.resolve("drills").resolve(name + ".yaml"))
                .replaceAll("(?m)^load: 60%", "load: 300/s")
                .replaceAll("(?m)^  after: \\d+s", "  after: 8s")
                .replaceAll("(?m)^  window: \\d+s", "  window: 3s")
                .replaceAll("(?m)^cooldown: \\d+s", "cooldown: 4s")
                .replaceAll(
                        "(?m)^steady:",
                        "slo: {p99: 2s, p50: 200ms}   # latency is that of the tests beside it, too, and some seconds say"
                                + " little of it\nsteady:");
        newWorld().file("drill.yaml", change.apply(text));

        String[] options = {"-D", "drill.yaml", "--window", "1s"};
        execute(
                "drill",
                "workloadb",
                Stream.of(options, more).flatMap(Stream::of).toArray(String[]::new));

        assertThat(world.out()).contains("Verdict: PASS");
        assertThat(world.directory().resolve("r/report.html")).isNotEmptyFile();
        if (!name.equals("null")) {
            Markers.assertEveryFaultWasEffective(directory());
        }
    }

    /** The run directory of the last run. */
    Path directory() {
        return world.directory().resolve("r");
    }

    String out() {
        return world.out();
    }

    private World newWorld() {
        world = new World(folder.resolve("w" + System.nanoTime())).with(engine);
        world.clusters().write(cluster);
        return world;
    }

    private void execute(String command, String workload, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                command,
                binding,
                "-P",
                WORKLOADS.resolve(workload).toString(),
                "-p",
                "recordcount=500",
                "-p",
                "table=t_" + workload,
                "-threads",
                Integer.toString(THREADS),
                "--out",
                "r"));
        arguments.addAll(List.of(more));

        int exitCode = world.execute(arguments.toArray(String[]::new));

        assertThat(exitCode).as(world.err() + world.out()).isZero();
        assertThat(json("run.json").path("state").asText()).isEqualTo("complete");
    }

    /** What the last command said beside its results. */
    String err() {
        return world.err();
    }

    /** How often each operation ended how. */
    Map<String, Map<String, Long>> returns() throws IOException {
        Map<String, Map<String, Long>> returns = new TreeMap<>();
        Matcher line = RETURN.matcher(Files.readString(world.directory().resolve("r/ycsb.txt")));
        while (line.find()) {
            returns.computeIfAbsent(line.group(1), o -> new TreeMap<>())
                    .put(line.group(2), Long.parseLong(line.group(3)));
        }
        return returns;
    }

    /** Operations that ended without an answer of the server's: at most one for each connection that broke. */
    long broken() throws IOException {
        return returns().values().stream()
                .flatMap(counts -> counts.entrySet().stream())
                .filter(count ->
                        count.getKey().equals("UNAVAILABLE") || count.getKey().equals("UNKNOWN"))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Connections that broke, each of which was replaced. */
    long lost() throws IOException {
        long lost = 0;
        for (JsonNode server : json("summary.json").at("/connections/servers")) {
            lost += server.path("lost").asLong();
            assertThat(server.path("regained")).isEqualTo(server.path("lost"));
            assertThat(server.path("longestSecondsWithout").asDouble()).isPositive();
        }
        return lost;
    }

    /** The phases of each node, or server, in order. */
    Map<String, List<String>> phases() throws IOException {
        Map<String, List<String>> phases = new TreeMap<>();
        rows("phases.csv", row -> true).forEach(row -> phases.computeIfAbsent(row.get("node"), n -> new ArrayList<>())
                .add(row.get("phase")));
        return phases;
    }

    /** Demands that in each recovery that ended every phase begins where the one before it ended, and none is negative. */
    void assertPhasesAddUp() throws IOException {
        Map<String, BigDecimal> ends = new TreeMap<>();
        for (Map<String, String> row :
                rows("phases.csv", row -> !row.get("end_s").isEmpty()).toList()) {
            BigDecimal start = new BigDecimal(row.get("start_s"));
            BigDecimal end = new BigDecimal(row.get("end_s"));
            String recovery = row.get("node") + row.get("step") + row.get("occurrence");
            assertThat(ends.getOrDefault(recovery, start)).as("%s", row).isEqualByComparingTo(start);
            assertThat(new BigDecimal(row.get("duration_s")))
                    .as("%s", row)
                    .isNotNegative()
                    .isEqualByComparingTo(end.subtract(start));
            ends.put(recovery, end);
        }
        assertThat(ends).isNotEmpty();
    }

    /** Operations that succeeded in the windows that lie within the phase of the node. */
    long succeededDuring(String node, String phase) throws IOException {
        Map<String, String> span = rows(
                        "phases.csv",
                        row -> row.get("node").equals(node) && row.get("phase").equals(phase))
                .findFirst()
                .orElseThrow();
        double start = Double.parseDouble(span.get("start_s"));
        double end = Double.parseDouble(span.get("end_s"));
        return rows("windows.csv", LocalRuns::isTotal)
                .filter(row -> Double.parseDouble(row.get("start_s")) >= start)
                .filter(row -> Double.parseDouble(row.get("end_s")) <= end)
                .mapToLong(row -> Long.parseLong(row.get("ok")))
                .sum();
    }

    double longestMicros() throws IOException {
        return rows("windows.csv", LocalRuns::isTotal)
                .filter(row -> !row.get("service_max_us").isEmpty())
                .mapToDouble(row -> Double.parseDouble(row.get("service_max_us")))
                .max()
                .orElse(0);
    }

    /** Throughput of the seconds from the end of the last phase on, less those of catching up, in those before the first. */
    double throughputAfterToBefore(double catchingUpSeconds) throws IOException {
        double begin = rows("phases.csv", row -> true)
                .mapToDouble(row -> Double.parseDouble(row.get("start_s")))
                .min()
                .orElseThrow();
        double end = rows("phases.csv", row -> true)
                .mapToDouble(row -> Double.parseDouble(row.get("end_s")))
                .max()
                .orElseThrow();
        double before = median(begin - 6, begin);
        double after = median(end + catchingUpSeconds, Double.MAX_VALUE);
        System.out.printf("throughput before %.1f, after %.1f operations a second%n", before, after);
        return after / before;
    }

    /** Of the whole windows in the time, without the last one of the run, which may be a part of one. */
    private double median(double from, double to) throws IOException {
        List<Map<String, String>> windows =
                rows("windows.csv", LocalRuns::isTotal).toList();
        List<Double> rates = windows.subList(0, windows.size() - 1).stream()
                .filter(row -> Double.parseDouble(row.get("start_s")) >= from)
                .filter(row -> Double.parseDouble(row.get("end_s")) <= to)
                .map(row -> Double.valueOf(row.get("throughput_ops_s")))
                .sorted()
                .toList();
        assertThat(rates).as("windows between %s and %s s", from, to).hasSizeGreaterThan(2);
        return rates.get(rates.size() / 2);
    }

    private static boolean isTotal(Map<String, String> row) {
        return row.get("operation").equals("TOTAL");
    }

    /** The rows of a table by column. */
    private Stream<Map<String, String>> rows(String file, Predicate<Map<String, String>> wanted) throws IOException {
        List<String> lines = Files.readAllLines(world.directory().resolve("r").resolve(file));
        String[] header = lines.get(0).split(",");
        return lines.stream()
                .skip(1)
                .map(line -> line.split(",", -1))
                .map(cells -> {
                    Map<String, String> row = new TreeMap<>();
                    IntStream.range(0, header.length).forEach(i -> row.put(header[i], cells[i]));
                    return row;
                })
                .filter(wanted);
    }

    JsonNode json(String file) throws IOException {
        return new ObjectMapper()
                .readTree(world.directory().resolve("r").resolve(file).toFile());
    }

    String file(String name) throws IOException {
        return Files.readString(world.directory().resolve("r").resolve(name));
    }
}

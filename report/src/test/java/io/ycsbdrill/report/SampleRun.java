package io.ycsbdrill.report;

import io.ycsbdrill.base.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.HdrHistogram.Histogram;

/**
 * Writes a run directory as the client would, from a script of rates and latencies over time. The same script and seed give
 * the same bytes.
 */
public final class SampleRun {
    private static final Instant ORIGIN = Instant.parse("2026-11-20T12:00:00Z");
    private static final List<String> MEASURES = List.of("mean", "p50", "p90", "p95", "p99", "p99_9", "max");

    private final Map<String, Operation> operations = new LinkedHashMap<>();
    private final List<String> markers = new ArrayList<>();
    private final List<String> phases = new ArrayList<>();
    private final List<double[]> failures = new ArrayList<>();
    private final Map<String, DoubleUnaryOperator> owners = new LinkedHashMap<>();
    private String ownersMoved = "";
    private final Random random = new Random(42);
    private double seconds = 60;
    private double windowSeconds = 10;
    private double noise = 0.02;
    private String limits = "{}";
    private String drill = "";
    private boolean placebo;
    private String binding = "native";
    private String workload = "workloadb";
    private int threads = 8;
    private boolean killed;
    private boolean response;
    private double stopped = Double.NaN;
    private double[] queue = {0, 0};
    private String state = "complete";
    private double rate;
    private final Map<Double, String> phaseAt = new LinkedHashMap<>();

    private record Operation(DoubleUnaryOperator rate, DoubleUnaryOperator medianMicros) {}

    private record Counts(long ok, long failed, long unknown, double max, double[] micros) {

        /** Each sample stands for its share of the successful operations. */
        private void addTo(Histogram sum) {
            for (int i = 0; i < micros.length; i++) {
                sum.recordValueWithCount(
                        Math.round(micros[i] * 1000), ok / micros.length + (i < ok % micros.length ? 1 : 0));
            }
        }
    }

    public static SampleRun lasting(double seconds) {
        SampleRun run = new SampleRun();
        run.seconds = seconds;
        run.phaseAt.put(0.0, "steady");
        return run;
    }

    public SampleRun windows(double length) {
        windowSeconds = length;
        return this;
    }

    public SampleRun exact() {
        noise = 0;
        return this;
    }

    public SampleRun operation(String name, DoubleUnaryOperator rate, DoubleUnaryOperator medianMicros) {
        operations.put(name, new Operation(rate, medianMicros));
        return this;
    }

    public SampleRun binding(String name) {
        binding = name;
        return this;
    }

    public SampleRun workload(String name) {
        workload = name;
        return this;
    }

    public SampleRun threads(int count) {
        threads = count;
        return this;
    }

    public SampleRun withResponse() {
        response = true;
        return this;
    }

    /** Requests wait ten times as long as they are served between these times. */
    public SampleRun queueing(double from, double to) {
        response = true;
        queue = new double[] {from, to};
        return this;
    }

    /** An open loop of so many arrivals per second. */
    public SampleRun rate(double perSecond) {
        rate = perSecond;
        return this;
    }

    /** When the load was stopped, before the end of the run. */
    public SampleRun stopped(double at) {
        stopped = at;
        return this;
    }

    public SampleRun state(String value) {
        state = value;
        return this;
    }

    /** Of a drill that injected nothing. */
    public SampleRun placebo(String limitsJson) {
        placebo = true;
        return drill("null", limitsJson);
    }

    public SampleRun drill(String name, String limitsJson) {
        drill = name;
        limits = limitsJson;
        return this;
    }

    /** The client dies: no summary, no end, and the slices stop in the middle of a line. */
    public SampleRun killed() {
        killed = true;
        return this;
    }

    /** So many failed and unknown operations of the first operation in the slice that contains this time. */
    public SampleRun failing(double at, long failed, long unknown) {
        failures.add(new double[] {at, failed, unknown});
        return this;
    }

    /** Successful operations per second on the keys of a node, of all operations together. */
    public SampleRun owner(String node, DoubleUnaryOperator ratePerSecond) {
        owners.put(node, ratePerSecond);
        return this;
    }

    /** From this time on so many partitions had another owner. */
    public SampleRun ownersMoved(double at, int partitions) {
        ownersMoved += (ownersMoved.isEmpty() ? "" : ",") + "{\"atSeconds\":" + at + ",\"partitionsMoved\":"
                + partitions + "}";
        return this;
    }

    public SampleRun marker(double at, String kind, String label, String node, String more) {
        markers.add(String.format(
                Locale.ROOT,
                "{\"at_ns\":%d,\"wall\":\"%s\",\"kind\":\"%s\",\"label\":\"%s\"%s,\"step\":\"restart\",\"source\":\"node2.events\"%s}",
                Math.round(at * 1e9),
                ORIGIN.plusNanos(Math.round(at * 1e9)),
                kind,
                label,
                node.isEmpty() ? "" : ",\"node\":\"" + node + "\"",
                more));
        return this;
    }

    public SampleRun phase(double start, double end, String fault, String node, String phase) {
        marker(start, "phase", phase, node, ",\"phase\":\"" + phase + "\"");
        phaseAt.put(start, phase);
        return row("restart,1," + fault, start, end, node, phase);
    }

    /** A phase of a failure that nobody has injected. */
    public SampleRun unplanned(double start, double end, String node, String phase) {
        return row(",1,unplanned", start, end, node, phase);
    }

    private SampleRun row(String cause, double start, double end, String node, String phase) {
        phases.add(String.format(
                Locale.ROOT,
                "%s,%s,%s,%s,%.9f,%s,%s",
                cause,
                node,
                phase,
                Phase.labelled(phase).map(Phase::stage).orElse(""),
                start,
                Double.isNaN(end) ? "" : String.format(Locale.ROOT, "%.9f", end),
                Double.isNaN(end) ? "" : String.format(Locale.ROOT, "%.9f", end - start)));
        return this;
    }

    public SampleRun recovered(double at, String node) {
        phaseAt.put(at, "recovered");
        phases.add(String.format(Locale.ROOT, "restart,1,restart,%s,recovered,,%.9f,,", node, at));
        marker(at, "phase", "recovered", node, ",\"phase\":\"recovered\"");
        return marker(at, "event", "recovered", node, ",\"text\":\"node " + node + " started\"");
    }

    /** A node restart with every phase, the seed's figure in small: 150 s, fault at 40 s, whole again at 118 s. */
    public static SampleRun nodeRestart() {
        DoubleUnaryOperator shape = t -> {
            if (t < 40.2) {
                return 1;
            }
            if (t < 41.6) {
                return 0;
            }
            if (t < 43.5) {
                return 0.35 + 0.25 * (t - 41.6);
            }
            if (t < 66) {
                return 0.84;
            }
            if (t < 92) {
                return 0.80 + 0.02 * Math.sin(t / 3);
            }
            return t < 118.3 ? 0.86 : t < 120 ? 0.92 : 1.0;
        };
        DoubleUnaryOperator slow = t -> t < 40.2 || t > 119 ? 1 : t < 44 ? 1.7 : 1.25;
        return lasting(150)
                .operation("READ", t -> 19000 * shape.applyAsDouble(t), t -> 310 * slow.applyAsDouble(t))
                .operation(
                        "UPDATE",
                        t -> 1000 * shape.applyAsDouble(t),
                        t -> t < 40.2 || t > 119 ? 980 : t < 44 ? 1500 : 860)
                .failing(40.25, 14, 3)
                .failing(40.3, 2, 0)
                .drill(
                        "node-restart",
                        "{\"maxUnavailableSeconds\":2.0,\"minThroughputPercent\":50.0,\"maxRecoverySeconds\":120.0,"
                                + "\"maxServiceRestoreSeconds\":100.0,\"maxFailed\":100,\"maxUnknown\":10,\"maxDetectSeconds\":2.0}")
                .marker(20, "steady", "steady", "", "")
                .marker(40, "fault-started", "R", "node2", ",\"fault\":\"restart\"")
                .marker(40.21, "fault-injected", "R", "node2", ",\"fault\":\"restart\"")
                .phase(40, 40.21, "restart", "node2", "fault")
                .marker(40.21, "event", "node-down", "node2", ",\"text\":\"node2 left the topology\"")
                .phase(40.21, 41.55, "restart", "node2", "failure-handling")
                .marker(41.55, "event", "failure-handled", "node2", ",\"text\":\"exchange done\"")
                .phase(41.55, 52.4, "restart", "node2", "down")
                .marker(52.4, "event", "process-started", "node2", ",\"text\":\"pid 4711 <b>started</b>\"")
                .phase(52.4, 66.02, "restart", "node2", "local-recovery")
                .phase(66.02, 92.31, "restart", "node2", "synchronise")
                .phase(92.31, 118.27, "restart", "node2", "wait-checkpoint")
                .recovered(118.27, "node2")
                .marker(118.27, "fault-ended", "R", "node2", "");
    }

    /** A node is killed and stays down; nothing succeeds for 1.5 s. */
    public static SampleRun nodeKill() {
        DoubleUnaryOperator shape = t -> t < 20.0 ? 1 : t < 21.5 ? 0 : t < 23 ? 0.6 : 0.93;
        return lasting(60)
                .windows(5)
                .operation("READ", t -> 4000 * shape.applyAsDouble(t), t -> t < 20 ? 400 : 460)
                .operation("UPDATE", t -> 4000 * shape.applyAsDouble(t), t -> t < 20 ? 900 : 840)
                .workload("workloada")
                .failing(20.05, 8, 5)
                .drill("node-kill", "{\"maxUnavailableSeconds\":1.0,\"maxRecoverySeconds\":60}")
                .marker(19.98, "fault-started", "kill", "node3", ",\"fault\":\"kill\"")
                .marker(20.0, "fault-injected", "kill", "node3", ",\"fault\":\"kill\"")
                .phase(19.98, 20.4, "kill", "node3", "fault")
                .marker(20.4, "event", "node-down", "node3", ",\"text\":\"node3 failed\"")
                .phase(20.4, 21.45, "kill", "node3", "failure-handling")
                .phase(21.45, Double.NaN, "kill", "node3", "down");
    }

    /** A node is killed and started again; for eight seconds nobody serves its keys, a third of all, and the others do not notice. */
    public static SampleRun oneOfThreeOut() {
        DoubleUnaryOperator dark = t -> t >= 30 && t < 38 ? 0 : 1000;
        return lasting(60)
                .windows(1)
                .exact()
                .operation("READ", t -> 2000 + dark.applyAsDouble(t), t -> 400)
                .owner("node1", t -> 1000)
                .owner("node2", dark)
                .owner("node3", t -> 1000)
                .drill("node-kill", "{\"maxOutSeconds\":1.0}")
                .marker(20, "steady", "steady", "", "")
                .marker(30, "fault-started", "kill", "node2", ",\"fault\":\"kill\"")
                .marker(30.05, "fault-injected", "kill", "node2", ",\"fault\":\"kill\",\"effect\":\"node-down\"")
                .marker(30.5, "event", "node-down", "node2", ",\"text\":\"node2 failed\"")
                .phase(30, 30.5, "kill", "node2", "fault")
                .phase(30.5, 31, "kill", "node2", "failure-handling")
                .phase(31, 45, "kill", "node2", "down")
                .recovered(45, "node2")
                .marker(45, "fault-ended", "kill", "node2", "");
    }

    public static SampleRun plain() {
        return lasting(60).operation("READ", t -> 9500, t -> 300).operation("UPDATE", t -> 500, t -> 900);
    }

    public Path writeTo(Path directory) {
        try {
            Files.createDirectories(directory);
            write(directory);
            return directory;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(Path directory) throws IOException {
        int slices = (int) Math.ceil(seconds * 10 - 1e-9);
        Map<String, Counts[]> counts = new LinkedHashMap<>();
        operations.forEach((name, operation) -> counts.put(name, counts(name, operation, slices)));
        Files.writeString(directory.resolve("run.json"), runJson());
        writeSlices(directory, counts, slices);
        if (!owners.isEmpty()) {
            writeOwners(directory, slices);
        }
        writeWindows(directory, counts, slices);
        if (!markers.isEmpty()) {
            Files.writeString(directory.resolve("markers.jsonl"), String.join("\n", markers) + "\n");
        }
        if (!phases.isEmpty() && !killed) {
            Files.writeString(
                    directory.resolve("phases.csv"),
                    "step,occurrence,fault,node,phase,stage,start_s,end_s,duration_s\n" + String.join("\n", phases)
                            + "\n");
        }
        if (!killed) {
            Files.writeString(directory.resolve("summary.json"), summary(counts));
        }
    }

    private Counts[] counts(String name, Operation operation, int slices) {
        Counts[] result = new Counts[slices];
        boolean first = name.equals(operations.keySet().iterator().next());
        for (int i = 0; i < slices; i++) {
            double at = i / 10.0 + 1e-9;
            double expected = operation.rate.applyAsDouble(at) / 10;
            long ok = Math.round(expected * (1 + noise * random.nextGaussian()));
            double median = operation.medianMicros.applyAsDouble(at) * (1 + noise * random.nextGaussian());
            double max = 0;
            // A sample stands for many operations: percentiles keep their shape and the files stay quick to make.
            double[] samples = new double[(int) Math.min(Math.max(0, ok), 40)];
            for (int k = 0; k < samples.length; k++) {
                samples[k] = median * Math.exp(0.45 * random.nextGaussian());
                max = Math.max(max, samples[k]);
            }
            long failed = 0;
            long unknown = 0;
            for (double[] failure : failures) {
                if (first && (int) Math.floor(failure[0] * 10 + 1e-9) == i) {
                    failed += (long) failure[1];
                    unknown += (long) failure[2];
                }
            }
            result[i] = new Counts(Math.max(0, ok), failed, unknown, max, samples);
        }
        return result;
    }

    private String runJson() {
        String drillJson = drill.isEmpty()
                ? ""
                : ",\n \"drill\":{" + (placebo ? "\"placebo\":true," : "") + "\"name\":\"" + drill + "\",\"file\":\""
                        + drill + ".yaml\",\"text\":\"# What does a "
                        + drill
                        + " cost?\\nfaults:\\n  - restart: {node: node2}\\n    at: 40s # </script><b>\\n\",\"limits\":"
                        + limits + "}";
        return "{\"schema\":1, \"state\":\"" + (killed ? "incomplete" : state) + "\", \"reasons\":["
                + (killed || state.equals("complete") ? "" : "\"node2 did not come back within 120 s\"")
                + "],\n \"tool\":{\"name\":\"ycsb-drill\",\"version\":\"0.1.0-SNAPSHOT\",\"commit\":\"abc1234\"},\n"
                + " \"command\":[\"drill\",\"" + binding + "\",\"-P\",\"workloads/" + workload
                + "\",\"-p\",\"db.password=***\"],\n \"mode\":\"run\", \"binding\":\"" + binding
                + "\", \"bindingClass\":\"io.ycsbdrill.binding.Sample\", \"workload\":\"" + workload
                + "\", \"threads\":" + threads + ",\n \"startedAt\":\"2026-11-20T12:00:00Z\","
                + (killed
                        ? ""
                        : " \"endedAt\":\"" + ORIGIN.plusMillis(Math.round(seconds * 1000)) + "\", \"durationNanos\":"
                                + Math.round(seconds * 1e9) + ","
                                + (Double.isNaN(stopped) ? "" : "\"stoppedNanos\":" + Math.round(stopped * 1e9) + ","))
                + "\n \"windowNanos\":" + Math.round(windowSeconds * 1e9)
                + ", \"sliceNanos\":100000000, \"warmupNanos\":0, \"cooldownNanos\":0,\n"
                + " \"rate\":" + rateJson() + ", \"operations\":0, \"seed\":42,\n"
                + " \"properties\":{\"recordcount\":\"100000\",\"readproportion\":\"0.95\",\"requestdistribution\":\"zipfian\"},\n"
                + " \"host\":{\"name\":\"bench-1\",\"os\":\"Linux 6.1\",\"cpus\":2,\"memoryBytes\":25769803776,"
                + "\"java\":\"17.0.15\",\"loadAverageAtStart\":0.5},\n"
                + " \"engine\":{\"name\":\"embedded\",\"version\":\"2.18.0\",\"nodes\":[{\"id\":\"node1\",\"host\":\"127.0.0.1\",\"group\":0},"
                + "{\"id\":\"node2\",\"host\":\"127.0.0.1\",\"group\":0},{\"id\":\"node3\",\"host\":\"127.0.0.1\",\"group\":0}]},\n"
                + ownersJson()
                + " \"client\":{\"cpuNanos\":61000000000,\"gcMillis\":310},\n \"somethingNew\":{\"ignored\":true}"
                + drillJson + "}\n";
    }

    private String rateJson() {
        return rate == 0
                ? "null"
                : "{\"segments\":[{\"startSeconds\":0.0,\"endSeconds\":null,\"fromRate\":" + rate + ",\"toRate\":"
                        + rate + "}],\"afterStall\":\"catchup\",\"capOperations\":0}";
    }

    private void writeSlices(Path directory, Map<String, Counts[]> counts, int slices) throws IOException {
        StringBuilder csv = new StringBuilder("slice,start_s,operation,ok,failed,unknown,max_service_us\n");
        for (int i = 0; i < slices; i++) {
            int slice = i;
            counts.forEach((name, list) -> row(csv, slice, name, List.of(list[slice])));
            row(
                    csv,
                    i,
                    "TOTAL",
                    counts.values().stream().map(list -> list[slice]).toList());
        }
        if (killed) {
            csv.setLength(csv.length() - 9);
        }
        Files.writeString(directory.resolve("slices.csv"), csv);
    }

    private void writeOwners(Path directory, int slices) throws IOException {
        StringBuilder csv = new StringBuilder("slice,start_s,owner,ok,failed,unknown,max_service_us\n");
        for (int i = 0; i < slices; i++) {
            double at = i / 10.0;
            for (Map.Entry<String, DoubleUnaryOperator> owner : owners.entrySet()) {
                long ok = Math.round(owner.getValue().applyAsDouble(at + 1e-9) / 10);
                csv.append(String.format(
                        Locale.ROOT, "%d,%.1f,%s,%d,0,0,%s%n", i, at, owner.getKey(), ok, ok == 0 ? "" : "900"));
            }
        }
        Files.writeString(directory.resolve("owners.csv"), csv);
    }

    private String ownersJson() {
        return owners.isEmpty()
                ? ""
                : " \"keyOwners\":{\"table\":\"usertable\",\"partitions\":[\"" + String.join("\",\"", owners.keySet())
                        + "\"],\"changes\":[" + ownersMoved + "]},\n";
    }

    private static void row(StringBuilder csv, int slice, String name, List<Counts> counts) {
        double max = counts.stream().mapToDouble(Counts::max).max().orElse(0);
        csv.append(String.format(
                Locale.ROOT,
                "%d,%.1f,%s,%d,%d,%d,%s%n",
                slice,
                slice / 10.0,
                name,
                counts.stream().mapToLong(Counts::ok).sum(),
                counts.stream().mapToLong(Counts::failed).sum(),
                counts.stream().mapToLong(Counts::unknown).sum(),
                max == 0 ? "" : String.format(Locale.ROOT, "%.0f", max)));
    }

    private void writeWindows(Path directory, Map<String, Counts[]> counts, int slices) throws IOException {
        StringBuilder csv =
                new StringBuilder("window,start_s,end_s,operation,ok,failed,unknown,skipped,throughput_ops_s,"
                        + columns("service") + "," + columns("response") + ",phase,markers\n");
        StringBuilder jsonl = new StringBuilder();
        int per = (int) Math.round(windowSeconds * 10);
        for (int w = 0; w * per < slices; w++) {
            int from = w * per;
            int to = Math.min(slices, from + per);
            if (killed && to - from < per) {
                break;
            }
            List<Counts> all = new ArrayList<>();
            int window = w;
            counts.forEach((name, list) -> {
                List<Counts> part = List.of(list).subList(from, to);
                all.addAll(part);
                window(csv, jsonl, window, from, to, name, part);
            });
            window(csv, new StringBuilder(), w, from, to, "TOTAL", all);
        }
        Files.writeString(directory.resolve("windows.csv"), csv);
        Files.writeString(directory.resolve("windows.jsonl"), jsonl);
    }

    private static String columns(String measure) {
        return MEASURES.stream().map(m -> measure + "_" + m + "_us").collect(Collectors.joining(","));
    }

    private void window(
            StringBuilder csv, StringBuilder jsonl, int window, int from, int to, String name, List<Counts> part) {
        Histogram sum = new Histogram(60_000_000_000L, 2);
        part.forEach(counts -> counts.addTo(sum));
        long ok = part.stream().mapToLong(Counts::ok).sum();
        double end = Math.min(seconds, to / 10.0);
        String latencies = latencies(sum, 1);
        csv.append(String.format(
                Locale.ROOT,
                "%d,%.1f,%.6f,%s,%d,%d,%d,%s,%.3f,%s,%s,%s,%s%n",
                window,
                from / 10.0,
                end,
                name,
                ok,
                part.stream().mapToLong(Counts::failed).sum(),
                part.stream().mapToLong(Counts::unknown).sum(),
                name.equals("TOTAL") ? "0" : "",
                ok / (end - from / 10.0),
                latencies,
                response
                        ? latencies(sum, from / 10.0 >= queue[0] && end <= queue[1] ? 13 : 1.3)
                        : ",".repeat(MEASURES.size() - 1),
                drill.isEmpty() ? "" : phaseAt(end),
                ""));
        if (sum.getTotalCount() > 0) {
            ByteBuffer buffer = ByteBuffer.allocate(sum.getNeededByteBufferCapacity());
            int length = sum.encodeIntoCompressedByteBuffer(buffer);
            byte[] bytes = Arrays.copyOf(buffer.array(), length);
            jsonl.append(String.format(
                    Locale.ROOT,
                    "{\"window\":%d,\"start_ns\":%d,\"end_ns\":%d,\"operation\":\"%s\",\"outcome\":\"ok\",\"measure\":\"service\",\"count\":%d,\"histogram\":\"%s\"}%n",
                    window,
                    from * 100_000_000L,
                    Math.round(end * 1e9),
                    name,
                    sum.getTotalCount(),
                    Base64.getEncoder().encodeToString(bytes)));
        }
    }

    private String phaseAt(double time) {
        return phaseAt.entrySet().stream()
                .filter(entry -> entry.getKey() <= time)
                .max(Map.Entry.comparingByKey())
                .orElseThrow()
                .getValue();
    }

    private static String latencies(Histogram histogram, double factor) {
        if (histogram.getTotalCount() == 0) {
            return ",".repeat(MEASURES.size() - 1);
        }
        return DoubleStream.of(
                        histogram.getMean(),
                        histogram.getValueAtPercentile(50),
                        histogram.getValueAtPercentile(90),
                        histogram.getValueAtPercentile(95),
                        histogram.getValueAtPercentile(99),
                        histogram.getValueAtPercentile(99.9),
                        histogram.getMaxValue())
                .mapToObj(nanos -> String.format(Locale.ROOT, "%.3f", factor * nanos / 1000))
                .collect(Collectors.joining(","));
    }

    private String summary(Map<String, Counts[]> counts) {
        StringBuilder json = new StringBuilder();
        long all = 0;
        for (Map.Entry<String, Counts[]> entry : counts.entrySet()) {
            Histogram sum = new Histogram(60_000_000_000L, 2);
            long ok = 0;
            long failed = 0;
            long unknown = 0;
            for (Counts slice : entry.getValue()) {
                slice.addTo(sum);
                ok += slice.ok;
                failed += slice.failed;
                unknown += slice.unknown;
            }
            all += ok;
            json.append(json.length() == 0 ? "" : ",\n   ")
                    .append(String.format(
                            Locale.ROOT,
                            "\"%s\":{\"ok\":%d,\"failed\":%d,\"unknown\":%d,\"throughputOpsPerSecond\":%.3f,\n    \"service\":%s,\n    \"response\":%s}",
                            entry.getKey(),
                            ok,
                            failed,
                            unknown,
                            ok / seconds,
                            summary(sum, 1),
                            response ? summary(sum, 1.3) : "null"));
        }
        return String.format(
                Locale.ROOT,
                "{\"schema\":1,\"durationSeconds\":%.3f,\"trimmed\":{\"startSeconds\":0,\"endSeconds\":%.3f},%n \"throughputOpsPerSecond\":%.3f,\"skipped\":0,%n \"operations\":{%s}}%n",
                seconds,
                seconds,
                all / seconds,
                json);
    }

    private static String summary(Histogram h, double factor) {
        return String.format(
                Locale.ROOT,
                "{\"meanMicros\":%.3f,\"minMicros\":%.3f,\"maxMicros\":%.3f,\"p50Micros\":%.3f,\"p90Micros\":%.3f,\"p95Micros\":%.3f,\"p99Micros\":%.3f,\"p99_9Micros\":%.3f}",
                factor * h.getMean() / 1000,
                factor * h.getMinValue() / 1000.0,
                factor * h.getMaxValue() / 1000.0,
                factor * h.getValueAtPercentile(50) / 1000.0,
                factor * h.getValueAtPercentile(90) / 1000.0,
                factor * h.getValueAtPercentile(95) / 1000.0,
                factor * h.getValueAtPercentile(99) / 1000.0,
                factor * h.getValueAtPercentile(99.9) / 1000.0);
    }
}

package io.ycsbdrill.report.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.report.data.HistogramLines;
import io.ycsbdrill.report.metric.OperationTotal;
import io.ycsbdrill.report.summary.Verdict;
import io.ycsbdrill.rundir.Json;
import io.ycsbdrill.rundir.Latency;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The figures of one cell, from its run directory: {@code run.json}, {@code summary.json} and results of checks, which are small; of the
 * time series only {@code client.csv}, and of a drill {@code windows.csv}. Immutable.
 *
 * @param state as in {@code run.json}; {@code missing} when there is no such file
 * @param reasons why it is not complete
 * @param drill whether it is a drill
 * @param judgedNothing whether it is one whose figures are sound and of whose limits none applies
 * @param doubt why the maximum that its load is a share of is uncertain; empty when it is not
 * @param values by column of {@code cells.csv}, whose names end with the unit; a figure that was not measured is absent, and
 *     one for which there was nothing to measure is NaN
 */
public record CellFigures(
        String state,
        List<String> reasons,
        boolean drill,
        boolean judgedNothing,
        String doubt,
        Map<String, Double> values) {
    /** Successful operations per second of the trimmed run. */
    public static final String THROUGHPUT = "throughput_ops_s";
    /** Transactions per second of the trimmed run, whatever became of them: what a rate counts. One may make several operations. */
    public static final String TRANSACTIONS = "transactions_s";
    /** Operations that succeeded, as a share of all that have ended, 0 to 1. */
    public static final String OK_SHARE = "ok_share";
    /** The constant rate that was offered. */
    public static final String OFFERED = "offered_ops_s";
    /** Client threads of all clients together. */
    public static final String THREADS = "client_threads";
    /** Acknowledged writes that the audit found lost; absent when it could not judge all. */
    public static final String ACKED_LOST = "acked_lost_ops";
    /** The age of the oldest of them at the fault of a drill; absent as above, and after a restore, of which only a bound is known. */
    public static final String RPO = "rpo_s";
    /** Until all copies of the keys written last were seen to be equal, since the last write; absent when they were not. */
    public static final String COPIES_EQUAL = "copies_equal_s";
    /** Conditions that the data of a workload with a check violate after the run, counted; absent when a part could not be read. */
    public static final String INCONSISTENT = "inconsistent";
    /** Mean number of operations under way: throughput times mean service time (Little's law). */
    public static final String CONCURRENCY = "concurrency";

    /** For how long it was measured: without warm-up and cool-down. */
    public static final String MEASURED = "measured_s";
    /** How long the run took from its first operation to its last, warm-up included. */
    public static final String RUN = "run_s";
    /** Mean service time of all successful operations together, weighted by their rates. */
    public static final String SERVICE_MEAN = "service_mean_us";
    /** Aborted attempts for each successful operation, of a workload of transactions. */
    public static final String ABORTS = "aborts_op";

    private static final String ABORTED = "-ABORTED";

    /** Processor time of all clients for a successful operation, of the trimmed run. */
    public static final String CLIENT_CPU = "client_cpu_us_op";

    /** Processor time of all servers for a successful operation, of the trimmed run. */
    public static final String SERVER_CPU = "server_cpu_us_op";
    /** The same of clients and servers together; absent unless both are known. */
    public static final String ALL_CPU = "all_cpu_us_op";
    /** What all servers with a network of their own have sent for a successful operation, of the trimmed run. */
    public static final String SERVER_SENT = "server_sent_bytes_op";

    /** What the machine read from its disks while the cell was run, its own start and load included. */
    public static final String DEVICE_READS = "device_read_mb";

    /** How long it took before the cell to give it its cluster and its table. */
    public static final String CLUSTER = "cluster_s";
    /** 1 when its cluster was started for it, 0 when earlier cells had used it. */
    public static final String CLUSTER_NEW = "cluster_new";
    /** 1 when its table was loaded for it, 0 when it had that of an earlier cell. */
    public static final String TABLE_NEW = "table_new";

    public CellFigures {
        reasons = List.copyOf(reasons);
    }

    /** Whether the run has ended by itself and is valid. */
    public boolean complete() {
        return state.equals("complete");
    }

    /**
     * Reads a run directory.
     *
     * @throws IOException when one of the documents is there and cannot be read as JSON, or the windows of a drill cannot be read
     */
    public static CellFigures read(Path run) throws IOException {
        Path file = run.resolve(RunFile.RUN);
        if (!Files.isRegularFile(file)) {
            return new CellFigures("missing", List.of("there is no run.json"), false, false, "", Map.of());
        }
        JsonNode json = json(file);
        List<String> reasons = new ArrayList<>();
        json.path("reasons").forEach(reason -> reasons.add(reason.asText()));
        Map<String, Double> values = new LinkedHashMap<>();
        boolean judgedNothing = false;
        Path summary = run.resolve(RunFile.SUMMARY);
        if (Files.isRegularFile(summary)) {
            JsonNode totals = json(summary);
            String outcome = totals.at("/drill/verdict/outcome").asText();
            judgedNothing = outcome.equals(Verdict.Outcome.NOT_JUDGED.label())
                    || outcome.equals(Verdict.Outcome.UNDECIDED.label());
            new Collector(values).collect(json, totals);
            ClientCpu.microsPerOperation(run, totals).ifPresent(micros -> values.put(CLIENT_CPU, micros));
            servers(totals.path("servers"), values);
        }
        Path audit = run.resolve(RunFile.AUDIT);
        if (Files.isRegularFile(audit)) {
            put(json(audit).at("/replicas/convergence/toSeconds"), COPIES_EQUAL, values);
        }
        Path consistency = run.resolve(RunFile.CONSISTENCY);
        if (Files.isRegularFile(consistency)) {
            JsonNode check = json(consistency);
            // Only workloads of transactions check their data; where no attempt was aborted there is no operation of
            // that kind.
            values.putIfAbsent(ABORTS, 0.0);
            if (check.path("unreadable").asLong(1) == 0) {
                put(check.path("violated"), INCONSISTENT, values);
            }
        }
        if (json.has("drill")) {
            values.putAll(phaseLatencies(run));
            values.putAll(longest(run));
        }
        return new CellFigures(
                json.path("state").asText("missing"),
                reasons,
                json.has("drill"),
                judgedNothing,
                json.path("load").path("doubt").asText(""),
                values);
    }

    private static void servers(JsonNode servers, Map<String, Double> values) {
        put(servers.path("cpuMicrosPerOperation"), SERVER_CPU, values);
        if (values.keySet().containsAll(List.of(SERVER_CPU, CLIENT_CPU))) {
            values.put(ALL_CPU, values.get(CLIENT_CPU) + values.get(SERVER_CPU));
        }
        put(servers.path("sentBytesPerOperation"), SERVER_SENT, values);
        servers.path("nodes").properties().forEach(node -> {
            String prefix = "node_" + node.getKey();
            put(node.getValue().path("cpuSeconds"), prefix + "_cpu_s", values);
            put(node.getValue().path("mostMemoryMb"), prefix + "_memory_mb", values);
            put(node.getValue().path("receivedMb"), prefix + "_received_mb", values);
            put(node.getValue().path("sentMb"), prefix + "_sent_mb", values);
        });
    }

    private static void put(JsonNode value, String column, Map<String, Double> values) {
        if (value.isNumber()) {
            values.put(column, value.asDouble());
        }
    }

    private static Map<String, Double> phaseLatencies(Path run) throws IOException {
        try {
            return PhaseLatencies.read(run);
        } catch (RunFormatException e) {
            throw new IOException(run + ": " + e.getMessage(), e);
        }
    }

    /** {@code drill_longest_UPDATE_us}: the longest that any of them took, whether it succeeded, failed or has an unknown outcome. */
    private static Map<String, Double> longest(Path run) throws IOException {
        Map<String, Double> values = new LinkedHashMap<>();
        Path file = run.resolve(RunFile.TOTALS);
        if (Files.isRegularFile(file)) {
            HistogramLines.longestMicros(file).forEach((operation, micros) -> {
                if (operation.matches("[A-Z]+")) {
                    values.put("drill_longest_" + operation + "_us", micros);
                }
            });
        }
        return values;
    }

    /**
     * The operations that others consist of, of one summary.
     *
     * @throws IOException when it cannot be read
     */
    static Set<String> counted(Path summary) throws IOException {
        Set<String> counted = new LinkedHashSet<>();
        json(summary).path("operations").properties().forEach(operation -> {
            if (OperationTotal.isCounted(operation.getKey(), operation.getValue())) {
                counted.add(operation.getKey());
            }
        });
        return counted;
    }

    private static JsonNode json(Path file) throws IOException {
        try {
            return Json.read(file);
        } catch (JsonProcessingException e) {
            throw new IOException(file + " is damaged: " + e.getOriginalMessage(), e);
        } catch (IOException e) {
            throw new IOException(file + " cannot be read: " + FileReason.of(e), e);
        }
    }

    /** Fills in the values, in the order of the columns. */
    private record Collector(Map<String, Double> values) {

        void collect(JsonNode run, JsonNode summary) {
            put(THROUGHPUT, summary.path("throughputOpsPerSecond"));
            JsonNode trimmed = summary.path("trimmed");
            double seconds = trimmed.path("endSeconds").asDouble()
                    - trimmed.path("startSeconds").asDouble();
            values.put(MEASURED, seconds);
            if (summary.path("transactions").isNumber() && seconds > 0) {
                values.put(TRANSACTIONS, summary.path("transactions").asDouble() / seconds);
            }
            put(RUN, summary.path("durationSeconds"));
            double ok = 0;
            double rate = 0;
            double aborted = 0;
            double ended = 0;
            double busyMicros = 0;
            for (Map.Entry<String, JsonNode> operation :
                    summary.path("operations").properties()) {
                JsonNode counts = operation.getValue();
                double succeeded = counts.path("ok").asDouble(0);
                if (operation.getKey().endsWith(ABORTED)) {
                    aborted += succeeded + notOk(counts);
                }
                if (!OperationTotal.isCounted(operation.getKey(), counts)) {
                    continue;
                }
                ok += succeeded;
                ended += succeeded + notOk(counts);
                rate += counts.path("throughputOpsPerSecond").asDouble(0);
                busyMicros += counts.path("throughputOpsPerSecond").asDouble(0)
                        * counts.path("service").path("meanMicros").asDouble(0);
            }
            values.put("ok_ops", ok);
            values.put("not_ok_ops", ended - ok);
            if (ended > 0) {
                values.put(OK_SHARE, ok / ended);
            }
            wire(run.path("client").path("wire"));
            JsonNode load = run.path("load");
            put(OFFERED, load.path("rate"));
            put("unsent_ops", load.path("unsent"));
            put(THREADS, run.path("threads"));
            if (busyMicros > 0) {
                values.put(CONCURRENCY, busyMicros / 1e6);
                values.put(SERVICE_MEAN, busyMicros / rate);
            }
            if (aborted > 0 && ok > 0) {
                values.put(ABORTS, aborted / ok);
            }
            summary.path("operations").properties().forEach(operation -> {
                JsonNode counts = operation.getValue();
                // Aborted attempts have no rate of success; a 0 would look as if there were none.
                if (counts.path("ok").asDouble(0) > 0 || counts.path("counted").asBoolean(true)) {
                    put(operation.getKey() + "_ops_s", counts.path("throughputOpsPerSecond"));
                }
                values.put(operation.getKey() + "_not_ok_ops", notOk(counts));
                latencies(operation.getKey() + "_service", operation.getValue().path("service"));
                latencies(operation.getKey() + "_response", operation.getValue().path("response"));
            });
            JsonNode drill = summary.path("drill");
            known(ACKED_LOST, drill.path("ackedLost"));
            known(RPO, drill.path("rpoSeconds"));
            JsonNode overall = drill.path("overall");
            // A figure that did not end inside the data is only a bound, and no figure to compare.
            Set<String> bounds = new HashSet<>();
            overall.path("censored").forEach(key -> bounds.add(key.asText()));
            overall.properties().stream()
                    .filter(figure -> !bounds.contains(figure.getKey()))
                    .forEach(figure -> put("drill_" + figure.getKey(), figure.getValue()));
            overall.path("notApplicable").forEach(key -> values.put("drill_" + key.asText(), Double.NaN));
            drill.path("faults").path(0).path("phases").forEach(this::phase);
        }

        private static double notOk(JsonNode counts) {
            return counts.path("failed").asDouble(0) + counts.path("unknown").asDouble(0);
        }

        /** A phase of the first fault; one that had not ended is only a bound. */
        private void phase(JsonNode phase) {
            if (!phase.path("open").asBoolean()) {
                String prefix = "drill_phase_" + phase.path("phase").asText().replaceAll("\\W+", "_") + "_";
                List.of("seconds", "meanPercent", "p99Factor").forEach(key -> put(prefix + key, phase.path(key)));
            }
        }

        private void latencies(String prefix, JsonNode measured) {
            Latency.OF_EXPERIMENTS.forEach(each -> put(each.column(prefix), measured.path(each.key())));
        }

        /** What a closed connection has carried is not known: the sums would be bounds, and no figures to compare. */
        private void wire(JsonNode wire) {
            double operations = wire.path("operations").asDouble();
            if (operations > 0 && wire.path("closedConnections").asInt(1) == 0) {
                for (String way : List.of("sent", "received")) {
                    double bytes = wire.path(way + "Bytes").asDouble();
                    values.put("wire_" + way + "_bytes_op", bytes / operations);
                    values.put(
                            "wire_" + way + "_mb_s",
                            bytes / 1e6 / wire.path("seconds").asDouble());
                }
            }
        }

        private void known(String column, JsonNode measure) {
            boolean bound = measure.path("atMost").asBoolean()
                    || measure.path("note").asText().startsWith("at most; ");
            if (!bound && !measure.path("censored").asBoolean()) {
                put(column, measure.path("value"));
            }
        }

        private void put(String column, JsonNode value) {
            CellFigures.put(value, column, values);
        }
    }
}

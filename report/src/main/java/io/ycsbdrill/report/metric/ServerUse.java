package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.NodeSeries;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.rundir.RunFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What each server has used during the trimmed run, and in each phase of a drill. Immutable.
 *
 * @param seconds length of the trimmed run
 * @param succeeded operations in it
 * @param nodes in the order of the file
 * @param phases by label, in the order in which they began, the steady state first; empty without a drill
 */
public record ServerUse(double seconds, double succeeded, List<Node> nodes, List<InPhase> phases) {

    /**
     * One server.
     *
     * @param mostMemoryMb empty when it had no process
     */
    public record Node(String name, double cpuSeconds, OptionalDouble mostMemoryMb) {}

    /**
     * A phase, all its occurrences together.
     *
     * @param processors that each server kept busy, on average
     */
    public record InPhase(String phase, double seconds, Map<String, Double> processors) {}

    /** A stretch of time. */
    private record Stretch(double from, double to) {}

    public ServerUse {
        nodes = List.copyOf(nodes);
        phases = List.copyOf(phases);
    }

    /** Empty when the run has no summary, or its servers were not sampled all the time. */
    public static Optional<ServerUse> of(RunData run) {
        NodeSeries series;
        try {
            series = NodeSeries.read(run.directory(), new ArrayList<>());
        } catch (RunFormatException e) {
            return Optional.empty();
        }
        JsonNode summary = run.summary().orElse(JsonNodeFactory.instance.objectNode());
        double from = summary.path("trimmed").path("startSeconds").asDouble();
        double to = summary.path("trimmed").path("endSeconds").asDouble();
        if (!series.covers(from, to)) {
            return Optional.empty();
        }
        return Optional.of(new ServerUse(
                to - from,
                summary.path("throughputOpsPerSecond").asDouble() * (to - from),
                series.nodes().keySet().stream()
                        .map(node ->
                                new Node(node, series.cpuSeconds(node, from, to), series.mostMemoryMb(node, from, to)))
                        .toList(),
                phases(run, series, from, to)));
    }

    private static List<InPhase> phases(RunData run, NodeSeries series, double from, double to) {
        Map<String, List<Stretch>> stretches = new LinkedHashMap<>();
        double start = Math.max(from, run.loadSinceSeconds());
        OptionalDouble first =
                run.stages().stream().mapToDouble(Stage::startSeconds).min();
        if (first.isEmpty()) {
            return List.of();
        }
        stretches.put(Phase.STEADY.label(), List.of(new Stretch(start, Math.min(to, first.getAsDouble()))));
        for (Stage stage : run.stages()) {
            stretches
                    .computeIfAbsent(stage.phase(), none -> new ArrayList<>())
                    .add(new Stretch(
                            Math.max(from, stage.startSeconds()),
                            Math.min(to, stage.endSeconds().orElse(to))));
        }
        List<InPhase> phases = new ArrayList<>();
        stretches.forEach((phase, all) -> {
            List<Stretch> apart = apart(all);
            double seconds = apart.stream().mapToDouble(s -> s.to - s.from).sum();
            if (seconds > 0) {
                Map<String, Double> processors = new LinkedHashMap<>();
                series.nodes()
                        .keySet()
                        .forEach(node -> processors.put(
                                node,
                                apart.stream()
                                                .mapToDouble(s -> series.cpuSeconds(node, s.from, s.to))
                                                .sum()
                                        / seconds));
                phases.add(new InPhase(phase, seconds, processors));
            }
        });
        return phases;
    }

    /** The same time, none of it twice: two nodes may be in one phase. */
    private static List<Stretch> apart(List<Stretch> all) {
        List<Stretch> apart = new ArrayList<>();
        double end = Double.NEGATIVE_INFINITY;
        for (Stretch each : all.stream()
                .sorted((one, other) -> Double.compare(one.from, other.from))
                .toList()) {
            double from = Math.max(end, each.from);
            if (each.to > from) {
                apart.add(new Stretch(from, each.to));
                end = each.to;
            }
        }
        return apart;
    }

    /** Processor time of all servers together for a successful operation; empty when none succeeded. */
    OptionalDouble microsPerOperation() {
        return succeeded > 0
                ? OptionalDouble.of(nodes.stream().mapToDouble(Node::cpuSeconds).sum() / succeeded * 1e6)
                : OptionalDouble.empty();
    }

    /** The section {@code servers} of {@code summary.json}. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        microsPerOperation().ifPresent(micros -> json.put("cpuMicrosPerOperation", DrillJson.rounded(micros)));
        ObjectNode servers = json.putObject("nodes");
        nodes.forEach(node -> {
            ObjectNode item = servers.putObject(node.name())
                    .put("cpuSeconds", DrillJson.rounded(node.cpuSeconds()))
                    .put("processors", DrillJson.rounded(node.cpuSeconds() / seconds));
            node.mostMemoryMb().ifPresent(most -> item.put("mostMemoryMb", DrillJson.rounded(most)));
        });
        if (!phases.isEmpty()) {
            ObjectNode times = json.putObject("phases");
            phases.forEach(phase -> {
                ObjectNode item = times.putObject(phase.phase()).put("seconds", DrillJson.rounded(phase.seconds()));
                ObjectNode processors = item.putObject("processors");
                phase.processors().forEach((node, busy) -> processors.put(node, DrillJson.rounded(busy)));
            });
        }
        return json;
    }
}

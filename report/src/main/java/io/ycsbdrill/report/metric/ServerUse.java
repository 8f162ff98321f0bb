package io.ycsbdrill.report.metric;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.NodeSeries;
import io.ycsbdrill.report.data.NodeSeries.Sample;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.rundir.RunFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;

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
     * @param ownNetwork whether it has a network of its own: of others nobody can tell whose bytes are whose
     * @param receivedMb over that; empty where it has none, or was down at an end
     * @param sentMb the same
     */
    public record Node(
            String name,
            double cpuSeconds,
            OptionalDouble mostMemoryMb,
            boolean ownNetwork,
            OptionalDouble receivedMb,
            OptionalDouble sentMb) {}

    /**
     * A phase, all its occurrences together.
     *
     * @param processors that each server kept busy, on average
     * @param receivedMb each second by each server whose network is its own and was seen to the end
     * @param sentMb the same
     */
    public record InPhase(
            String phase,
            double seconds,
            Map<String, Double> processors,
            Map<String, Double> receivedMb,
            Map<String, Double> sentMb) {}

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
                        .map(node -> new Node(
                                node,
                                series.cpuSeconds(node, from, to),
                                series.mostMemoryMb(node, from, to),
                                series.nodes().get(node).stream()
                                        .anyMatch(sample -> sample.sentMb().isPresent()),
                                series.megabytes(node, from, to, Sample::receivedMb),
                                series.megabytes(node, from, to, Sample::sentMb)))
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
                phases.add(new InPhase(
                        phase,
                        seconds,
                        processors,
                        perSecond(series, apart, seconds, Sample::receivedMb),
                        perSecond(series, apart, seconds, Sample::sentMb)));
            }
        });
        return phases;
    }

    private static Map<String, Double> perSecond(
            NodeSeries series, List<Stretch> stretches, double seconds, Function<Sample, OptionalDouble> way) {
        Map<String, Double> rates = new LinkedHashMap<>();
        for (String node : series.nodes().keySet()) {
            List<OptionalDouble> parts = stretches.stream()
                    .map(stretch -> series.megabytes(node, stretch.from, stretch.to, way))
                    .toList();
            if (parts.stream().allMatch(OptionalDouble::isPresent)) {
                rates.put(
                        node,
                        parts.stream().mapToDouble(OptionalDouble::getAsDouble).sum() / seconds);
            }
        }
        return rates;
    }

    /**
     * What the servers with a network of their own have sent for a successful operation; empty when there is none, or what one of them
     * has sent is not known, as it was down at an end.
     */
    OptionalDouble sentBytesPerOperation() {
        List<Node> own = nodes.stream().filter(Node::ownNetwork).toList();
        return succeeded > 0
                        && !own.isEmpty()
                        && own.stream().allMatch(node -> node.sentMb().isPresent())
                ? OptionalDouble.of(own.stream()
                                .mapToDouble(node -> node.sentMb().getAsDouble())
                                .sum()
                        * 1e6
                        / succeeded)
                : OptionalDouble.empty();
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
        sentBytesPerOperation().ifPresent(bytes -> json.put("sentBytesPerOperation", DrillJson.rounded(bytes)));
        ObjectNode servers = json.putObject("nodes");
        nodes.forEach(node -> {
            ObjectNode item = servers.putObject(node.name())
                    .put("cpuSeconds", DrillJson.rounded(node.cpuSeconds()))
                    .put("processors", DrillJson.rounded(node.cpuSeconds() / seconds));
            node.mostMemoryMb().ifPresent(most -> item.put("mostMemoryMb", DrillJson.rounded(most)));
            node.receivedMb().ifPresent(all -> item.put("receivedMb", DrillJson.rounded(all)));
            node.sentMb().ifPresent(all -> item.put("sentMb", DrillJson.rounded(all)));
        });
        if (!phases.isEmpty()) {
            ObjectNode times = json.putObject("phases");
            phases.forEach(phase -> {
                ObjectNode item = times.putObject(phase.phase()).put("seconds", DrillJson.rounded(phase.seconds()));
                ObjectNode processors = item.putObject("processors");
                phase.processors().forEach((node, busy) -> processors.put(node, DrillJson.rounded(busy)));
                put(item, "receivedMbPerSecond", phase.receivedMb());
                put(item, "sentMbPerSecond", phase.sentMb());
            });
        }
        return json;
    }

    private static void put(ObjectNode item, String key, Map<String, Double> byNode) {
        if (!byNode.isEmpty()) {
            ObjectNode values = item.putObject(key);
            byNode.forEach((node, value) -> values.put(node, DrillJson.rounded(value)));
        }
    }
}

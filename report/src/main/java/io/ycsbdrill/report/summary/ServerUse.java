package io.ycsbdrill.report.summary;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.report.data.NodeSeries;
import io.ycsbdrill.report.data.NodeSeries.Sample;
import io.ycsbdrill.report.data.NodeSeries.Stretch;
import io.ycsbdrill.report.data.RunData;
import io.ycsbdrill.report.data.Stage;
import io.ycsbdrill.rundir.RunFormatException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What each server has used during the trimmed run, and in each phase of a drill. Immutable.
 *
 * @param seconds length of the trimmed run
 * @param succeeded operations in it
 * @param nodes in the order of the file
 * @param phases by label, in the order in which they began, the steady state first; empty without a drill
 */
public record ServerUse(double seconds, double succeeded, List<Node> nodes, List<InPhase> phases) {
    /** Phases of a node in which it may have no process. */
    private static final Set<String> DOWN = Stream.of(Phase.FAULT, Phase.FAILURE_HANDLING, Phase.DOWN)
            .map(Phase::label)
            .collect(Collectors.toSet());

    /**
     * One server.
     *
     * @param cpuSeconds empty where it was not sampled all the time, as when its host cannot be asked
     * @param mostMemoryMb empty when it had no process
     * @param ownNetwork whether it has a network of its own: of others nobody can tell whose bytes are whose
     * @param receivedMb over that; empty where it has none, or was not sampled all the time, or started again
     * @param sentMb the same
     */
    public record Node(
            String name,
            OptionalDouble cpuSeconds,
            OptionalDouble mostMemoryMb,
            boolean ownNetwork,
            OptionalDouble receivedMb,
            OptionalDouble sentMb) {}

    /**
     * A phase, all its occurrences together.
     *
     * @param processors that each server kept busy, on average; without those of which that is not known
     * @param receivedMb each second by each server of which that is known
     * @param sentMb the same
     */
    public record InPhase(
            String phase,
            double seconds,
            Map<String, Double> processors,
            Map<String, Double> receivedMb,
            Map<String, Double> sentMb) {}

    public ServerUse {
        nodes = List.copyOf(nodes);
        phases = List.copyOf(phases);
    }

    /** Empty when the run has no summary, or of none of its servers it is known what it used. */
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
        Set<String> servers = new LinkedHashSet<>(series.nodes().keySet());
        if (servers.isEmpty() || to <= from) {
            return Optional.empty();
        }
        run.run().at("/engine/servers").forEach(server -> servers.add(server.asText()));
        ServerUse use = new ServerUse(
                to - from,
                summary.path("throughputOpsPerSecond").asDouble() * (to - from),
                servers.stream()
                        .map(node -> new Node(
                                node,
                                series.cpuSeconds(node, from, to, down(run, node)),
                                series.mostMemoryMb(node, from, to),
                                series.nodes().getOrDefault(node, List.of()).stream()
                                        .anyMatch(sample -> sample.sentMb().isPresent()),
                                series.megabytes(node, from, to, Sample::receivedMb),
                                series.megabytes(node, from, to, Sample::sentMb)))
                        .toList(),
                phases(run, series, from, to));
        return Optional.of(use).filter(all -> all.nodes().stream()
                .anyMatch(node -> node.cpuSeconds().isPresent()));
    }

    /** When a server's process had been ended by a fault, or was being started again. */
    private static List<Stretch> down(RunData run, String node) {
        return run.stages().stream()
                .filter(stage -> stage.node().equals(node))
                .filter(stage -> DOWN.contains(stage.phase()))
                .map(stage ->
                        new Stretch(stage.startSeconds(), stage.endSeconds().orElse(Double.POSITIVE_INFINITY)))
                .toList();
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
            double seconds = apart.stream().mapToDouble(s -> s.to() - s.from()).sum();
            if (seconds > 0) {
                Map<String, Double> processors = new LinkedHashMap<>();
                series.nodes().keySet().forEach(node -> sum(apart.stream()
                                .map(s -> series.cpuSeconds(node, s.from(), s.to(), down(run, node)))
                                .toList())
                        .ifPresent(used -> processors.put(node, used / seconds)));
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
            sum(stretches.stream()
                            .map(stretch -> series.megabytes(node, stretch.from(), stretch.to(), way))
                            .toList())
                    .ifPresent(all -> rates.put(node, all / seconds));
        }
        return rates;
    }

    /** Empty when a part is not known, or there is none. */
    private static OptionalDouble sum(List<OptionalDouble> parts) {
        return !parts.isEmpty() && parts.stream().allMatch(OptionalDouble::isPresent)
                ? OptionalDouble.of(
                        parts.stream().mapToDouble(OptionalDouble::getAsDouble).sum())
                : OptionalDouble.empty();
    }

    /**
     * What all servers have sent for a successful operation; empty where one of them has no network of its own, as an SQL server or proxy
     * between clients and data: what it sent would be missing.
     */
    OptionalDouble sentBytesPerOperation() {
        return perOperation(Node::sentMb);
    }

    /** The same time, none of it twice: two nodes may be in one phase. */
    private static List<Stretch> apart(List<Stretch> all) {
        List<Stretch> apart = new ArrayList<>();
        double end = Double.NEGATIVE_INFINITY;
        for (Stretch each : all.stream()
                .sorted((one, other) -> Double.compare(one.from(), other.from()))
                .toList()) {
            double from = Math.max(end, each.from());
            if (each.to() > from) {
                apart.add(new Stretch(from, each.to()));
                end = each.to();
            }
        }
        return apart;
    }

    /** Processor time of all servers together for a successful operation; empty when none succeeded, or that of a server is not known. */
    OptionalDouble microsPerOperation() {
        return perOperation(Node::cpuSeconds);
    }

    /** Millionths of what all servers have used together, for a successful operation. */
    private OptionalDouble perOperation(Function<Node, OptionalDouble> used) {
        OptionalDouble all = sum(nodes.stream().map(used).toList());
        return succeeded > 0 && all.isPresent()
                ? OptionalDouble.of(all.getAsDouble() / succeeded * 1e6)
                : OptionalDouble.empty();
    }

    /** The section {@code servers} of {@code summary.json}. */
    ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        microsPerOperation().ifPresent(micros -> json.put("cpuMicrosPerOperation", DrillJson.rounded(micros)));
        sentBytesPerOperation().ifPresent(bytes -> json.put("sentBytesPerOperation", DrillJson.rounded(bytes)));
        ObjectNode servers = json.putObject("nodes");
        nodes.forEach(node -> {
            ObjectNode item = servers.putObject(node.name());
            node.cpuSeconds().ifPresent(used -> item.put("cpuSeconds", DrillJson.rounded(used))
                    .put("processors", DrillJson.rounded(used / seconds)));
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

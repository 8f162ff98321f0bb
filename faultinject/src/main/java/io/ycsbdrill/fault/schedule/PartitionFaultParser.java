package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.PartitionFault;
import io.ycsbdrill.fault.node.trouble.LinkTrouble;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Corruption;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Delay;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Duplication;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Flaky;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Loss;
import io.ycsbdrill.fault.node.trouble.LinkTrouble.Throttle;
import io.ycsbdrill.fault.node.trouble.Partition;
import io.ycsbdrill.fault.node.trouble.Partition.Ends;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the faults of the network between data nodes and the keys that belong to them. */
final class PartitionFaultParser {
    /** The words for the other ends of links. */
    private static final Map<String, Ends> WORDS =
            Map.of("nodes", Ends.NODES, "clients", Ends.CLIENTS, "all", Ends.EVERYTHING);

    private static final String ENDS = "nodes, clients, all, a node or a list of nodes";
    private static final String GROUPS = "a list of two groups or more, each a list of nodes: [[1], [2, 3]]";

    private static final Duration LEAST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final long LEAST_RATE = 1000;

    /** By name in drill files. */
    static final Map<String, Function<Section, Optional<Fault>>> FAULTS = faults();

    private static Map<String, Function<Section, Optional<Fault>>> faults() {
        Map<String, Function<Section, Optional<Fault>>> faults = new LinkedHashMap<>();
        faults.put("isolate", PartitionFaultParser::isolate);
        faults.put("partition", PartitionFaultParser::groups);
        faults.put("ring", step -> lasting(step, Optional.of(new Partition.Ring())));
        faults.put("one-way", PartitionFaultParser::oneWay);
        faults.put("flaky", PartitionFaultParser::flaky);
        faults.put("link-loss", step -> byChance(step, "link-loss", "lost", Loss::new));
        faults.put("link-duplicate", step -> byChance(step, "link-duplicate", "duplicated", Duplication::new));
        faults.put("link-corrupt", step -> byChance(step, "link-corrupt", "corrupted", Corruption::new));
        faults.put("link-delay", PartitionFaultParser::delay);
        faults.put("link-throttle", PartitionFaultParser::throttle);
        return faults;
    }

    private static Optional<Fault> lasting(Section step, Optional<? extends Partition> partition) {
        return FaultParser.<Partition>lasting(step, FaultParser.LASTS, partition, PartitionFault::new);
    }

    private static Optional<Fault> isolate(Section step) {
        Optional<Ends> from = step.has("from") ? ends(step, "from") : Optional.of(Ends.NODES);
        // The nodes of a zone lose their links to the rest of the world, and not to each other.
        boolean zone = step.node("node")
                .filter(node ->
                        node instanceof ScalarNode word && word.getValue().startsWith(NodeSelector.Zone.PREFIX))
                .isPresent();
        return lasting(
                step,
                from.map(ends -> new Partition.Isolate(ends, zone && ends.ids().isEmpty())));
    }

    private static Optional<Fault> oneWay(Section step) {
        Optional<Ends> to = ends(step, "to");
        Optional<Ends> from = ends(step, "from");
        if (!step.has("to") && !step.has("from")) {
            step.missing("to", "where nothing of the node arrives, or from, of where nothing arrives at it: " + ENDS);
        }
        boolean read = (to.isPresent() || from.isPresent())
                && to.isPresent() == step.has("to")
                && from.isPresent() == step.has("from");
        return lasting(step, read ? Optional.of(new Partition.OneWay(to, from)) : Optional.empty());
    }

    private static Optional<Fault> cable(Section step, String name, Optional<? extends LinkTrouble> trouble) {
        return lasting(step, trouble.map(t -> new Partition.Cable(name, t)));
    }

    private static Optional<Fault> flaky(Section step) {
        Optional<Duration> up = step.duration("up", LEAST, LONGEST);
        Optional<Duration> down = step.duration("down", LEAST, LONGEST);
        step.require("up", "mean time for which the links are in: " + Durations.EXPECTED);
        step.require("down", "mean time for which the links are out: " + Durations.EXPECTED);
        long seed = step.count("seed", 0, Integer.MAX_VALUE).orElse(1);
        return cable(
                step,
                "flaky",
                up.isPresent() && down.isPresent()
                        ? Optional.of(new Flaky(up.get(), down.get(), seed))
                        : Optional.empty());
    }

    private static Optional<Fault> byChance(
            Section step, String name, String what, DoubleFunction<LinkTrouble> trouble) {
        OptionalDouble percent = step.percent("share", 1, 99);
        step.require("share", "how many of the packets are " + what + ": 1% to 99%");
        return cable(
                step,
                name,
                percent.isEmpty() ? Optional.empty() : Optional.of(trouble.apply(percent.getAsDouble() / 100)));
    }

    private static Optional<Fault> delay(Section step) {
        Optional<Duration> latency = step.duration("latency", Duration.ofMillis(1), LONGEST);
        Duration jitter = step.duration("jitter", Duration.ZERO, LONGEST).orElse(Duration.ZERO);
        step.require("latency", "delay added in each direction: " + Durations.EXPECTED);
        return cable(step, "link-delay", latency.map(l -> new Delay(l, jitter)));
    }

    private static Optional<Fault> throttle(Section step) {
        Optional<Long> rate = NetworkFaultParser.rate(step);
        if (rate.isPresent() && rate.get() < LEAST_RATE) {
            step.problem("rate", "less than 1KB/s, at which a single packet takes more than a second");
            return Optional.empty();
        }
        return cable(step, "link-throttle", rate.map(Throttle::new));
    }

    private static Optional<Fault> groups(Section step) {
        List<List<String>> groups = step.lists("groups");
        step.require("groups", GROUPS);
        if (groups.size() == 1) {
            step.problem("groups", "one group only; expected " + GROUPS);
        }
        return lasting(step, groups.size() > 1 ? Optional.of(new Partition.Groups(groups)) : Optional.empty());
    }

    /** Empty when the key is missing or its value is wrong. */
    private static Optional<Ends> ends(Section step, String key) {
        Optional<Node> node = step.node(key);
        if (node.isPresent() && node.get() instanceof SequenceNode) {
            List<String> ids = step.texts(key);
            Optional<String> word = ids.stream().filter(WORDS::containsKey).findFirst();
            word.ifPresent(w -> step.problem(key, "\"" + w + "\" cannot be in a list; a list has node ids only"));
            return ids.isEmpty() || word.isPresent() ? Optional.empty() : Optional.of(new Ends(false, false, ids));
        }
        return step.text(key, ENDS).map(text -> WORDS.getOrDefault(text, new Ends(false, false, List.of(text))));
    }
}

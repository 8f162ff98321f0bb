package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.yaml.Section;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.node.Zones;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** Reads the node selector of a step. */
final class SelectorParser {

    /** The selectors that are a word; all others name nodes. */
    static final Map<String, NodeSelector> WORDS = words();

    private static Map<String, NodeSelector> words() {
        Map<String, NodeSelector> words = new LinkedHashMap<>();
        for (NodeSelector s : List.of(
                new NodeSelector.AnyNode(),
                new NodeSelector.PrimaryNode(),
                new NodeSelector.NotPrimaryNode(),
                new NodeSelector.EveryReplica(),
                new NodeSelector.SynchronousStandby(),
                new NodeSelector.OnePerGroup(),
                new NodeSelector.EveryNode(),
                new NodeSelector.Rolling())) {
            words.put(s.text(), s);
        }
        return words;
    }

    static Optional<NodeSelector> parse(Section step) {
        Optional<Node> node = step.node("node");
        if (node.isEmpty()) {
            step.missing(
                    "node",
                    "a node's id, a list of ids, " + String.join(", ", WORDS.keySet())
                            + ", rolling: <list of ids>, zone:<name> or same-as:<step>");
            return Optional.empty();
        }
        if (node.get() instanceof MappingNode) {
            return step.section("node").flatMap(SelectorParser::inTurn);
        }
        return node.get() instanceof SequenceNode ? list(step, "node").map(NodeSelector.Named::new) : word(step);
    }

    private static Optional<NodeSelector> inTurn(Section node) {
        String key = NodeSelector.Rolling.WORD;
        Optional<List<String>> ids = list(node, key);
        node.require(key, "a list of ids: {rolling: [a, b]}");
        node.rejectOthers();
        return ids.map(NodeSelector.Rolling::new);
    }

    private static Optional<List<String>> list(Section step, String key) {
        List<String> ids = step.texts(key);
        for (String id : ids) {
            if (WORDS.containsKey(id)
                    || id.startsWith(NodeSelector.SameAs.PREFIX)
                    || id.startsWith(NodeSelector.Zone.PREFIX)) {
                step.problem(key, "\"" + id + "\" cannot be in a list; a list has node ids only");
                return Optional.empty();
            }
        }
        if (new LinkedHashSet<>(ids).size() != ids.size()) {
            step.problem(key, "a node is given twice in " + ids);
            return Optional.empty();
        }
        return ids.isEmpty() ? Optional.empty() : Optional.of(ids);
    }

    private static Optional<NodeSelector> word(Section step) {
        Optional<String> word = step.text("node", "a node's id or a list of ids");
        if (word.isEmpty()) {
            return Optional.empty();
        }
        String text = word.get();
        if (WORDS.containsKey(text)) {
            return Optional.of(WORDS.get(text));
        }
        if (text.startsWith(NodeSelector.SameAs.PREFIX)) {
            return Optional.of(new NodeSelector.SameAs(
                    text.substring(NodeSelector.SameAs.PREFIX.length()).strip()));
        }
        if (text.startsWith(NodeSelector.Zone.PREFIX)) {
            String zone = text.substring(NodeSelector.Zone.PREFIX.length()).strip();
            if (!Zones.NAME.matcher(zone).matches()) {
                step.problem("node", "\"" + text + "\": expected the name of a zone, as in zone:b");
                return Optional.empty();
            }
            return Optional.of(new NodeSelector.Zone(zone));
        }
        Optional<String> nearest = NearestName.of(text, WORDS.keySet());
        if (nearest.isPresent()) {
            step.problem(
                    "node",
                    "\"" + text + "\"" + NearestName.hintOf(text, WORDS.keySet())
                            + ", same-as:<step>, zone:<name>, a node id");
            return Optional.empty();
        }
        return Optional.of(new NodeSelector.Named(List.of(text)));
    }
}

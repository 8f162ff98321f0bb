package io.ycsbdrill.experiment.spec;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Changes of a document by another one: keys are merged, anything else is replaced, and nothing ({@code ~}) removes (RFC 7386). */
public final class Overlay {
    private Overlay() {}

    /** The document with the changes; both stay as they are. */
    public static Node merge(Node base, Node over) {
        if (!(base instanceof MappingNode below) || !(over instanceof MappingNode above)) {
            return over;
        }
        Map<String, NodeTuple> tuples = new LinkedHashMap<>();
        below.getValue().forEach(tuple -> tuples.put(key(tuple), tuple));
        for (NodeTuple tuple : above.getValue()) {
            NodeTuple old = tuples.get(key(tuple));
            if (tuple.getValueNode().getTag().equals(Tag.NULL)) {
                tuples.remove(key(tuple));
            } else if (old == null) {
                tuples.put(key(tuple), tuple);
            } else {
                tuples.put(
                        key(tuple), new NodeTuple(old.getKeyNode(), merge(old.getValueNode(), tuple.getValueNode())));
            }
        }
        return mapping(below, new ArrayList<>(tuples.values()));
    }

    /** The document with one value at the end of a path of keys, which are added where they are missing. */
    public static MappingNode with(MappingNode base, String value, String... path) {
        Node changed = text(base, value);
        for (int i = path.length - 1; i >= 0; i--) {
            changed = mapping(base, List.of(new NodeTuple(text(base, path[i]), changed)));
        }
        return (MappingNode) merge(base, changed);
    }

    /** The document with another value of a key that it has. */
    public static MappingNode put(MappingNode base, String key, Node value) {
        return mapping(
                base,
                base.getValue().stream()
                        .map(tuple -> key(tuple).equals(key) ? new NodeTuple(tuple.getKeyNode(), value) : tuple)
                        .toList());
    }

    /** The document without a key. */
    public static MappingNode without(MappingNode base, String key) {
        return mapping(
                base,
                base.getValue().stream()
                        .filter(tuple -> !key(tuple).equals(key))
                        .toList());
    }

    public static String key(NodeTuple tuple) {
        return tuple.getKeyNode() instanceof ScalarNode key ? key.getValue() : "";
    }

    private static MappingNode mapping(MappingNode like, List<NodeTuple> tuples) {
        return new MappingNode(
                Tag.MAP, true, tuples, like.getStartMark(), like.getEndMark(), DumperOptions.FlowStyle.BLOCK);
    }

    private static ScalarNode text(Node like, String value) {
        return new ScalarNode(
                Tag.STR, value, like.getStartMark(), like.getEndMark(), DumperOptions.ScalarStyle.DOUBLE_QUOTED);
    }
}

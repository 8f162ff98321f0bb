package io.ycsbdrill.fault.explore;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import java.util.List;

/**
 * What a cluster lets be drawn. Immutable.
 *
 * @param nodes ids of the data nodes, at least one
 * @param roles whether one of them is primary
 * @param kinds of faults that they can do, at least one
 * @param spare how many nodes may be in trouble at the same time, at least 1
 */
public record Facts(List<String> nodes, boolean roles, List<Kind> kinds, int spare) {
    public Facts {
        nodes = List.copyOf(nodes);
        kinds = List.copyOf(kinds);
        if (nodes.isEmpty() || kinds.isEmpty()) {
            throw new IllegalArgumentException(nodes.isEmpty() ? "no node can be hit" : "the nodes can do no fault");
        }
        if (spare < 1 || spare > nodes.size()) {
            throw new IllegalArgumentException(
                    "spare " + spare + " is not within 1 to " + nodes.size() + ", the number of data nodes");
        }
    }

    /** What this cluster lets be drawn. */
    public static Facts of(NodeController cluster, int spare) {
        return new Facts(
                cluster.nodes().stream().map(NodeInfo::id).toList(),
                cluster.primary().isPresent(),
                Kind.of(cluster),
                spare);
    }

    /** As many as leave a majority, at least one, so one of two, which leaves none; one where nodes are in groups, as two of them may be all of a group. */
    public static int spare(NodeController cluster) {
        long groups = cluster.nodes().stream().map(NodeInfo::group).distinct().count();
        return groups > 1 ? 1 : Math.max(1, (cluster.nodes().size() - 1) / 2);
    }
}

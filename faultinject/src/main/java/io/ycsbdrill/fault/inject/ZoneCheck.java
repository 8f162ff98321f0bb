package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks the zone of a step against a cluster. Stateless. */
final class ZoneCheck {
    private ZoneCheck() {}

    /** Why the step cannot be done to its zone; empty when it can, or has none. */
    static Optional<String> problem(ScheduledFault step, NodeController controller) {
        return step.node() instanceof NodeSelector.Zone selector
                ? problem(step.fault(), selector.zone(), controller)
                        .map(text -> "node " + selector.text() + ": " + text)
                : Optional.empty();
    }

    private static Optional<String> problem(Fault fault, String zone, NodeController controller) {
        Map<String, String> zones = controller.zones();
        if (zones.isEmpty()) {
            return Optional.of(
                    "the nodes are in no zones; start the cluster with cluster up --zones a,b,c, or give each"
                            + " node of the inventory its zone");
        }
        if (!zones.containsValue(zone)) {
            return Optional.of(
                    "there is no such zone; the zones are " + String.join(", ", new TreeSet<>(zones.values())));
        }
        List<String> hit = fault.targets(controller).stream()
                .map(NodeInfo::id)
                .filter(id -> zone.equals(zones.get(id)))
                .toList();
        if (hit.isEmpty()) {
            return Optional.of(fault.name() + " cannot be applied to any node of it");
        }
        List<NodeInfo> left = controller.nodes().stream()
                .filter(node -> !hit.contains(node.id()))
                .toList();
        if (left.isEmpty()) {
            return Optional.of("it has all nodes; use node: all, if that is meant");
        }
        return takesAway(fault) && !serves(left, controller.nodes())
                ? Optional.of(
                        "it has " + hit.size() + " of " + controller.nodes().size()
                                + " nodes, and without them no majority is left; name them, if that is meant: node: ["
                                + String.join(", ", hit) + "]")
                : Optional.empty();
    }

    private static boolean takesAway(Fault fault) {
        return fault.injected() == Effect.NODE_DOWN
                || fault.leadsTo().filter(NodeStatus.State.PAUSED::equals).isPresent();
    }

    /** Where nodes are in groups, each has a part of the data, and one of each suffices. */
    private static boolean serves(List<NodeInfo> left, List<NodeInfo> all) {
        Set<Integer> groups = groups(all);
        return groups.size() > 1 ? groups(left).equals(groups) : 2 * left.size() > all.size();
    }

    private static Set<Integer> groups(List<NodeInfo> nodes) {
        return nodes.stream().map(NodeInfo::group).collect(Collectors.toSet());
    }
}

package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** Checks the zone of a step against a cluster. Stateless. */
final class ZoneCheck {
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
        return hit.size() == controller.nodes().size()
                ? Optional.of("it has all nodes; use node: all, if that is meant")
                : Optional.empty();
    }
}

package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Checks a schedule against a cluster before anything starts, so that nothing is found missing half-way. */
public final class ScheduleCheck {

    private ScheduleCheck() {}

    /** Everything that prevents the schedule from running on this cluster; empty when it can run. */
    public static List<String> problems(FaultSchedule schedule, NodeController controller) {
        List<String> problems = new ArrayList<>();
        for (ScheduledFault step : schedule.steps()) {
            List<String> nodes =
                    step.fault().targets(controller).stream().map(NodeInfo::id).toList();
            String subject = "step " + step.name() + ": ";
            step.fault().needs().stream()
                    .filter(type -> controller.capability(type).isEmpty())
                    .map(type -> type.getSimpleName().toLowerCase(Locale.ROOT))
                    .sorted()
                    .forEach(what ->
                            problems.add(subject + "fault " + step.fault().name() + " needs nodes that are " + what
                                    + "; those of " + controller.engine() + " are not"));
            List<String> named = step.fault().namedTargets(controller).stream()
                    .map(NodeInfo::id)
                    .toList();
            node(step.node(), nodes, named, controller).ifPresent(text -> problems.add(subject + text));
        }
        return problems;
    }

    private static Optional<String> node(
            NodeSelector selector, List<String> nodes, List<String> further, NodeController controller) {
        if (selector instanceof NodeSelector.Named named) {
            List<String> unknown = named.ids().stream()
                    .filter(id -> !nodes.contains(id) && !further.contains(id))
                    .toList();
            return unknown.isEmpty()
                    ? Optional.empty()
                    : Optional.of("no node " + String.join(", ", unknown) + "; the nodes are "
                            + String.join(", ", nodes)
                            + (further.isEmpty() ? "" : ", and by name " + String.join(", ", further)));
        }
        boolean role = selector instanceof NodeSelector.PrimaryNode || selector instanceof NodeSelector.NotPrimaryNode;
        if (role && controller.primary().isEmpty()) {
            return Optional.of("node " + selector.text() + ": no node of " + controller.engine()
                    + " is primary; use random or a node's id");
        }
        if (selector instanceof NodeSelector.NotPrimaryNode && nodes.size() < 2) {
            return Optional.of("node not-primary: the cluster has only one data node");
        }
        return Optional.empty();
    }
}

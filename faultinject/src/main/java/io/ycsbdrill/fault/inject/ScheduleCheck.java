package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.FaultContext;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.RunCommand;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

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
            schedule.cycles()
                    .filter(cycles -> cycles.faults() > 1)
                    .flatMap(cycles -> step.fault().onlyOnce())
                    .ifPresent(why -> problems.add(subject + "cannot be done in each of "
                            + schedule.cycles().orElseThrow().faults() + " cycles: " + why));
            step.fault().needs().stream()
                    .filter(type -> controller.capability(type).isEmpty())
                    .map(type -> type.getSimpleName().toLowerCase(Locale.ROOT))
                    .sorted()
                    .forEach(what ->
                            problems.add(subject + "fault " + step.fault().name() + " needs nodes that are " + what
                                    + "; those of " + controller.engine() + " are not"
                                    + hint(step.fault())));
            if (step.fault().needs().stream()
                    .allMatch(type -> controller.capability(type).isPresent())) {
                step.fault().refusals(controller).forEach(text -> problems.add(subject + text));
            }
            Stream.concat(step.fault().targets(controller).stream(), step.fault().namedTargets(controller).stream())
                    .flatMap(each -> step.fault().commands().stream().flatMap(c -> c.problem(each).stream()))
                    .forEach(text -> problems.add(subject + text));
            List<String> named = step.fault().namedTargets(controller).stream()
                    .map(NodeInfo::id)
                    .toList();
            node(step.node(), nodes, named, controller)
                    .map(text -> text + (nodes.isEmpty() ? hint(step.fault()) : ""))
                    .ifPresent(text -> problems.add(subject + text));
        }
        return problems;
    }

    private static String hint(Fault fault) {
        return fault.clusterSwitch()
                .map(option -> "; start the cluster with cluster up --" + option
                        + ", where the engine has it (docs/faults.md)")
                .orElse("");
    }

    /**
     * Asks each step's {@code verify} while nothing is injected. One that says yes now would prove nothing later.
     *
     * @throws io.ycsbdrill.fault.node.NodeControlException when one cannot be run
     */
    static List<String> provenTooEarly(FaultSchedule schedule, NodeController controller, FaultContext context) {
        List<String> problems = new ArrayList<>();
        for (ScheduledFault step : schedule.steps()) {
            if (step.fault() instanceof RunCommand command && !command.verify().isEmpty()) {
                command.targets(controller).stream()
                        .filter(node -> command.look(controller, node, context).effect())
                        .forEach(node -> problems.add("step " + step.name() + ": verify exits with code 0 for node "
                                + node.id() + " before anything was done to it, so it could not prove an effect"));
            }
        }
        return problems;
    }

    private static Optional<String> node(
            NodeSelector selector, List<String> nodes, List<String> further, NodeController controller) {
        if (!selector.named().isEmpty()) {
            List<String> unknown = selector.named().stream()
                    .filter(id -> !nodes.contains(id) && !further.contains(id))
                    .toList();
            return unknown.isEmpty()
                    ? Optional.empty()
                    : Optional.of("no node " + String.join(", ", unknown) + "; "
                            + (nodes.isEmpty()
                                    ? "there is none of this kind"
                                    : "the nodes are " + String.join(", ", nodes))
                            + (further.isEmpty() ? "" : ", and by name " + String.join(", ", further)));
        }
        if (nodes.isEmpty() && !(selector instanceof NodeSelector.SameAs)) {
            return Optional.of("node " + selector.text() + ": there is no node to choose from");
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

package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Capabilities;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.FaultContext;
import io.ycsbdrill.fault.InitialiseNode;
import io.ycsbdrill.fault.NodeChange;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.When;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks a schedule against a cluster before anything starts, so that nothing is found missing half-way. */
public final class ScheduleCheck {
    /** So many members always stay. */
    private static final int LEAST_MEMBERS = 2;

    private ScheduleCheck() {}

    /** Everything that prevents the schedule from running on this cluster; empty when it can run. */
    public static List<String> problems(FaultSchedule schedule, NodeController controller) {
        return problems(schedule, controller, step -> true);
    }

    /** The same, but for steps whose targets the controller does not know. */
    public static List<String> problems(
            FaultSchedule schedule, NodeController controller, Predicate<ScheduledFault> known) {
        List<String> problems = new ArrayList<>();
        for (ScheduledFault step : schedule.steps().stream().filter(known).toList()) {
            List<String> nodes =
                    step.fault().targets(controller).stream().map(NodeInfo::id).toList();
            String subject = "step " + step.name() + ": ";
            schedule.cycles()
                    .filter(cycles -> cycles.faults() > 1)
                    .flatMap(cycles ->
                            step.fault().onlyOnce().or(() -> usedUp(schedule, step, nodes.size(), cycles.faults())))
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
            if (step.fault().takesCopy() && isEvery(step.node(), nodes)) {
                problems.add(subject + "of all nodes, no copy of the data would be left; choose fewer");
            }
            boolean again = step.times(nodes.size()) > 1
                    || schedule.cycles().filter(cycles -> cycles.faults() > 1).isPresent();
            if (step.when() instanceof When.InPhase aim
                    && controller.nodes().stream().noneMatch(node -> node.id().equals(aim.node()))) {
                problems.add(subject + "at: no node " + aim.node() + "; the nodes are "
                        + controller.nodes().stream().map(NodeInfo::id).collect(Collectors.joining(", ")));
            }
            step.fault()
                    .refusal(
                            step.node(), () -> isFirst(schedule, step) ? controller.primary() : Optional.empty(), again)
                    .ifPresent(text -> problems.add(subject + text));
            Stream.concat(step.fault().targets(controller).stream(), step.fault().namedTargets(controller).stream())
                    .flatMap(each -> step.fault().commands().all().stream().flatMap(c -> c.problem(each).stream()))
                    .forEach(text -> problems.add(subject + text));
            ZoneCheck.problem(step, controller).ifPresent(text -> problems.add(subject + text));
            List<String> named = step.fault().namedTargets(controller).stream()
                    .map(NodeInfo::id)
                    .toList();
            node(step.node(), nodes, named, controller)
                    .map(text -> text + (nodes.isEmpty() ? hint(step.fault()) : ""))
                    .ifPresent(text -> problems.add(subject + text));
        }
        controller
                .capability(LocalCluster.class)
                .flatMap(LocalCluster::incomplete)
                .ifPresent(problems::add);
        problems.addAll(SchemaOrder.problems(schedule));
        problems.addAll(SchemaOrder.unpreceded(schedule));
        // But for the repair.
        if (!schedule.steps().stream().allMatch(step -> step.fault() instanceof InitialiseNode)) {
            controller.nodes().stream()
                    .flatMap(node -> Capabilities.damage(controller, node.id()).stream())
                    .forEach(problems::add);
        }
        if (controller.capability(LocalCluster.class).isPresent()) {
            problems.addAll(schedule.limitsWithoutEnd());
        }
        return problems;
    }

    private static boolean isEvery(NodeSelector selector, List<String> nodes) {
        return selector instanceof NodeSelector.EveryNode
                || selector instanceof NodeSelector.Named
                        && nodes.size() > 1
                        && selector.named().containsAll(nodes);
    }

    /** Whether no other step comes before it, so that what is true now is true then, as far as the drill can tell. */
    private static boolean isFirst(FaultSchedule schedule, ScheduledFault step) {
        return step.when() instanceof When.At mine
                && schedule.steps().stream()
                        .filter(other -> other != step && other.when() instanceof When.At)
                        .allMatch(other -> ((When.At) other.when()).offset().compareTo(mine.offset()) > 0);
    }

    /** Why the nodes do not suffice for all cycles of a drill that only adds nodes, or only removes some; empty when they do. */
    private static Optional<String> usedUp(FaultSchedule schedule, ScheduledFault step, int nodes, int cycles) {
        NodeChange change = step.fault().changes();
        boolean adds = change == NodeChange.ADDED;
        NodeChange undoes = adds ? NodeChange.REMOVED : NodeChange.ADDED;
        boolean undone =
                schedule.steps().stream().anyMatch(other -> other.fault().changes() == undoes);
        if (nodes == 0 || undone || !adds && change != NodeChange.REMOVED) {
            return Optional.empty();
        }
        // Every cycle would take the nodes that are named, or all of them, once more.
        boolean again = step.node() instanceof NodeSelector.EveryNode || step.node() instanceof NodeSelector.Named;
        if (again) {
            return Optional.of(
                    "it takes the same nodes each time; " + (adds ? "remove" : "add") + " them again in a later step");
        }
        int wanted = step.times(nodes) * cycles;
        if (step.inTurn() && wanted > step.node().named().size()) {
            return Optional.of("it takes nodes of its list once more; " + (adds ? "remove" : "add")
                    + " them again in a later step");
        }
        int available = adds ? nodes : nodes - LEAST_MEMBERS;
        if (wanted <= available) {
            return Optional.empty();
        }
        return Optional.of(
                adds
                        ? "a node that has joined stays, and there are not enough spare nodes (" + nodes
                                + "); remove it again in a later step"
                        : "a node that has left stays away, and at least " + LEAST_MEMBERS + " of the " + nodes
                                + " members have to stay; add it again in a later step");
    }

    private static String hint(Fault fault) {
        return fault.clusterSwitch()
                .map(option -> "; start the cluster with cluster up --" + option
                        + ", where the engine has it (docs/faults.md)")
                .orElse("");
    }

    /**
     * Asks what only a cluster that is up can answer, and each step's {@code verify} while nothing is injected: one that says yes now would
     * prove nothing later.
     *
     * @throws io.ycsbdrill.fault.node.NodeControlException when one cannot be run
     */
    static List<String> problemsOnceHealed(FaultSchedule schedule, NodeController controller, FaultContext context) {
        List<String> problems = new ArrayList<>();
        for (ScheduledFault step : schedule.steps()) {
            Fault fault = step.fault();
            fault.refusalsOnceHealed(controller).forEach(text -> problems.add("step " + step.name() + ": " + text));
            if (!fault.commands().verify().isEmpty()) {
                hittable(schedule, step, controller)
                        .filter(node -> fault.look(controller, node, context).effect())
                        .forEach(node -> problems.add("step " + step.name() + ": verify exits with code 0 for node "
                                + node.id() + " before anything was done to it, so it could not prove an effect"));
            }
        }
        return problems;
    }

    /** The nodes that a step may hit: those that it names, or the step whose nodes it takes; else all to choose from. */
    private static Stream<NodeInfo> hittable(FaultSchedule schedule, ScheduledFault step, NodeController controller) {
        NodeSelector where = step.node();
        for (int i = 0; i < schedule.steps().size() && where instanceof NodeSelector.SameAs same; i++) {
            String other = same.step();
            where = schedule.steps().stream()
                    .filter(each -> each.name().equals(other))
                    .findFirst()
                    .orElseThrow()
                    .node();
        }
        List<String> named = where.named();
        List<NodeInfo> targets = step.fault().targets(controller);
        return named.isEmpty()
                ? targets.stream()
                : Stream.concat(targets.stream(), step.fault().namedTargets(controller).stream())
                        .filter(node -> named.contains(node.id()));
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
        if (selector.leastAroundPrimary() > 0 && !controller.hasPrimary()) {
            return Optional.of("node " + selector.text() + ": " + controller.noPrimary());
        }
        if (selector.needsSynchronous() && !controller.hasSynchronous()) {
            return Optional.of("node " + selector.text() + ": no commit of " + controller.engine()
                    + " waits for a replica now; use not-primary, or a cluster of Patroni that was started with"
                    + " --synchronous");
        }
        if (nodes.size() < selector.leastAroundPrimary()) {
            return Optional.of("node " + selector.text() + ": the cluster has only one data node");
        }
        return Optional.empty();
    }
}

package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Course.Hold;
import io.ycsbdrill.fault.Demands.Subject;
import io.ycsbdrill.fault.NodeSelector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What must hold between the steps of a schedule, whoever made it. */
final class Rules {
    static final String STEP_NAME = "letters, digits, - and _, at most 40";
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,40}");

    /**
     * A broken rule.
     *
     * @param step index of the step
     * @param key the key of the drill file that breaks it
     * @param text what is wrong and what would be right
     */
    record Broken(int step, String key, String text) {}

    static void notNegative(String what, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(what + " " + duration + " is negative");
        }
    }

    static void stepName(String name) {
        if (!validName(name)) {
            throw new IllegalArgumentException("step name \"" + name + "\" is not of the form: " + STEP_NAME);
        }
    }

    static boolean validName(String name) {
        return NAME.matcher(name).matches();
    }

    /** All rules that the steps break, in order of the steps. */
    static List<Broken> broken(List<ScheduledFault> steps) {
        List<Broken> broken = new ArrayList<>();
        Map<String, ScheduledFault> byName = new HashMap<>();
        for (int i = 0; i < steps.size(); i++) {
            ScheduledFault step = steps.get(i);
            if (byName.putIfAbsent(step.name(), step) != null) {
                broken.add(new Broken(i, "step", "\"" + step.name() + "\" is also the name of an earlier step"));
            }
        }
        for (int i = 0; i < steps.size(); i++) {
            ScheduledFault step = steps.get(i);
            int at = i;
            if (step.when() instanceof When.After after) {
                after(byName, steps, step, after).ifPresent(text -> broken.add(new Broken(at, "after", text)));
            }
            if (step.when() instanceof When.InPhase aim) {
                aimed(byName, steps, step, aim).ifPresent(text -> broken.add(new Broken(at, "at", text)));
            }
            for (ScheduledFault earlier : steps.subList(0, i)) {
                conflict(earlier, step, steps).ifPresent(text -> broken.add(new Broken(at, "at", text)));
            }
            if (step.node() instanceof NodeSelector.SameAs same) {
                sameAs(byName, step, same).ifPresent(text -> broken.add(new Broken(at, "node", text)));
            }
        }
        return broken;
    }

    private static Optional<String> sameAs(
            Map<String, ScheduledFault> byName, ScheduledFault step, NodeSelector.SameAs same) {
        ScheduledFault other = byName.get(same.step());
        if (other == null || same.step().equals(step.name())) {
            return Optional.of("\"" + same.text() + "\" does not name another step"
                    + NearestName.hintOf(same.step(), others(byName.keySet(), step.name())));
        }
        return other.fault().subject() == Subject.NOTHING
                ? Optional.of("\"" + same.text() + "\" names a step that does nothing to any node")
                : Optional.empty();
    }

    private static Optional<String> after(
            Map<String, ScheduledFault> byName, List<ScheduledFault> steps, ScheduledFault step, When.After after) {
        ScheduledFault earlier = byName.get(after.step());
        if (earlier == null || after.step().equals(step.name())) {
            return Optional.of("\"" + after.step() + "\" does not name another step"
                    + NearestName.hintOf(after.step(), others(byName.keySet(), step.name())));
        }
        List<Phase> reaches = earlier.fault().reaches();
        if (after.phase().isPresent() && !reaches.contains(after.phase().get())) {
            return Optional.of("\"" + after.step() + "." + after.phase().get().label() + "\" is never reached: "
                    + earlier.fault().name() + " reaches "
                    + reaches.stream().map(Phase::label).collect(Collectors.joining(", ")));
        }
        if (inCycle(byName, step)) {
            return Optional.of("\"" + after.step() + "\" waits, directly or through others, for \"" + step.name()
                    + "\": a cycle, so neither would ever start");
        }
        return Optional.empty();
    }

    /** Why a node never comes into the phase that the step is aimed at; empty when another step may bring it there. */
    private static Optional<String> aimed(
            Map<String, ScheduledFault> byName, List<ScheduledFault> steps, ScheduledFault step, When.InPhase aim) {
        String phase = "\"" + aim.node() + "." + aim.phase().label() + "\"";
        List<ScheduledFault> hits = steps.stream()
                .filter(other -> other != step && mayHit(byName, other, aim.node()))
                .toList();
        if (hits.isEmpty()) {
            return Optional.of(phase + " is never reached: no other step can do anything to node " + aim.node());
        }
        if (hits.stream().noneMatch(other -> other.fault().reaches().contains(aim.phase()))) {
            return Optional.of(phase + " is never reached: node " + aim.node() + " is brought no further by "
                    + hits.stream()
                            .map(other -> other.fault().name())
                            .distinct()
                            .collect(Collectors.joining(", ")));
        }
        return starts(byName, steps).contains(step.name())
                ? Optional.empty()
                : Optional.of(phase + " is reached only after \"" + step.name()
                        + "\", directly or through others: a cycle, so neither would ever start");
    }

    /** The steps that can become due without any of the others waiting for them. */
    private static Set<String> starts(Map<String, ScheduledFault> byName, List<ScheduledFault> steps) {
        Set<String> starts = new HashSet<>();
        boolean more = true;
        while (more) {
            more = false;
            for (ScheduledFault step : steps) {
                boolean can = step.when() instanceof When.After after
                        ? starts.contains(after.step())
                        : !(step.when() instanceof When.InPhase aim)
                                || steps.stream()
                                        .anyMatch(other -> other != step
                                                && starts.contains(other.name())
                                                && other.fault().reaches().contains(aim.phase())
                                                && mayHit(byName, other, aim.node()));
                more |= can && starts.add(step.name());
            }
        }
        return starts;
    }

    private static boolean mayHit(Map<String, ScheduledFault> byName, ScheduledFault step, String node) {
        NodeSelector where = step.node();
        for (int i = 0; i < byName.size() && where instanceof NodeSelector.SameAs same; i++) {
            ScheduledFault other = byName.get(same.step());
            where = other == null ? where : other.node();
        }
        return step.fault().subject() != Subject.NOTHING
                && (where.named().isEmpty() || where.named().contains(node));
    }

    /** Why two steps whose times and nodes the drill fixes cannot be; of others that is seen when they are due. */
    private static Optional<String> conflict(ScheduledFault one, ScheduledFault other, List<ScheduledFault> steps) {
        if (!together(one, other, steps)
                || !(one.node() instanceof NodeSelector.Named nodes)
                || !(other.node() instanceof NodeSelector.Named others)) {
            return Optional.empty();
        }
        return nodes.ids().stream()
                .filter(others.ids()::contains)
                .flatMap(node -> other
                        .fault()
                        .conflict(one.fault())
                        .map(why -> "step " + one.name() + " is in force on node " + node + " at the same time: " + why)
                        .stream())
                .findFirst();
    }

    private static boolean together(ScheduledFault one, ScheduledFault other, List<ScheduledFault> steps) {
        return !one.steady()
                && !other.steady()
                && one.when() instanceof When.At first
                && other.when() instanceof When.At second
                && first.offset().compareTo(second.offset().plus(length(other, steps))) <= 0
                && second.offset().compareTo(first.offset().plus(length(one, steps))) <= 0;
    }

    /** How long it is in force at least; what another step may end has no least time. */
    private static Duration length(ScheduledFault step, List<ScheduledFault> steps) {
        if (steps.stream().anyMatch(other -> other.fault().mayEnd(step.fault()))) {
            return Duration.ZERO;
        }
        return step.fault().hold().map(Hold::atLeast).orElse(Duration.ZERO);
    }

    private static boolean inCycle(Map<String, ScheduledFault> byName, ScheduledFault start) {
        Set<String> seen = new HashSet<>();
        ScheduledFault step = start;
        while (step != null && step.when() instanceof When.After after && seen.add(step.name())) {
            if (after.step().equals(start.name())) {
                return true;
            }
            step = byName.get(after.step());
        }
        return false;
    }

    private static List<String> others(Set<String> names, String self) {
        return names.stream().filter(n -> !n.equals(self)).sorted().toList();
    }
}

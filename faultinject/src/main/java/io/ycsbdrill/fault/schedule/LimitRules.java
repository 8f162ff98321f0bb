package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Durations;
import io.ycsbdrill.fault.Course.Hold;
import io.ycsbdrill.fault.Demands.Subject;
import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.NodeChange;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which limits of a drill could never be judged: said before the drill, not after it. */
final class LimitRules {
    /** The report measures against no shorter steady state (docs/metrics.md, B). */
    static final Duration SHORTEST_BASELINE = Duration.ofSeconds(5);

    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** What has no end as long as a node is down. */
    private static final Set<Limit> NEED_RECOVERY =
            Set.of(Limit.MAX_RECOVERY, Limit.MAX_AFTER_DIP, Limit.MAX_LOST_SECONDS);

    /** What is measured against the time before the fault only. */
    private static final Set<Limit> NEED_BASELINE = Set.of(
            Limit.MAX_SERVICE_RESTORE,
            Limit.MAX_AFTER_DIP,
            Limit.MAX_LAST_THREAD_BACK,
            Limit.MAX_WRITE_OUTAGE,
            Limit.MAX_READ_OUTAGE);

    /** Why each limit that could never be judged on any cluster cannot, and what to change. */
    static Map<Limit, String> broken(
            Limits limits, List<ScheduledFault> steps, Optional<SteadyState> steady, Duration cooldown) {
        Map<Limit, String> broken = new LinkedHashMap<>();
        boolean harmless = steps.stream().map(ScheduledFault::fault).allMatch(LimitRules::harmsNoNode);
        for (Limit limit : limits.values().keySet()) {
            if (limit == Limit.MIN_THROUGHPUT
                    && harmless
                    && longest(steps).plus(cooldown).compareTo(MINUTE) < 0) {
                broken.put(
                        limit,
                        "could never be kept: it is about the first minute after each fault, and after the last one the data"
                                + " end within "
                                + Durations.print(longest(steps).plus(cooldown)) + "; expected cooldown: "
                                + Durations.print(MINUTE.minus(longest(steps))) + " or more");
            }
            if (limit == Limit.MAX_AFTER_DIP && cooldown.compareTo(MINUTE) < 0) {
                broken.put(limit, needsMinute("the first minute after redundancy is restored", cooldown));
            }
            if ((limit == Limit.MAX_RECOVERY || limit == Limit.MAX_AFTER_DIP) && harmless) {
                broken.put(
                        limit,
                        "could never be judged: no step does anything to a node, so redundancy is never lost; limit"
                                + " max_service_restore instead");
            } else if ((limit == Limit.MAX_RECOVERY || limit == Limit.MAX_AFTER_DIP)
                    && steps.stream().map(ScheduledFault::fault).allMatch(LimitRules::takesNoNodeDown)) {
                broken.put(
                        limit,
                        "could never be judged: no step takes its node down, so it has nothing to recover from; limit"
                                + " max_service_restore instead");
            }
            if (NEED_BASELINE.contains(limit)
                    && steady.isEmpty()
                    && first(steps).compareTo(SHORTEST_BASELINE) < 0) {
                broken.put(
                        limit,
                        "could never be judged: with steady: off the first step is at "
                                + Durations.print(first(steps)) + ", and less than "
                                + Durations.print(SHORTEST_BASELINE)
                                + " before it are nothing to compare with; begin it later, or wait for a steady state");
            }
        }
        return broken;
    }

    /** The limits that could never be kept where nobody but the drill starts nodes, and why. */
    static Map<Limit, String> withoutEnd(Limits limits, List<ScheduledFault> steps, Duration cooldown) {
        Map<Limit, String> broken = new LinkedHashMap<>();
        staysDown(steps).ifPresent(step -> limits.values().keySet().forEach(limit -> {
            if (NEED_RECOVERY.contains(limit)) {
                broken.put(
                        limit,
                        "could never be kept: step " + step + " leaves its node down, and no step starts one; add"
                                + " a step start, or remove the limit");
            } else if (limit == Limit.MIN_THROUGHPUT && steps.size() == 1 && cooldown.compareTo(MINUTE) < 0) {
                broken.put(limit, needsMinute("the first minute without the node", cooldown));
            }
        }));
        return broken;
    }

    private static String needsMinute(String what, Duration cooldown) {
        return "could never be kept: it is about " + what + ", and the cooldown is " + Durations.print(cooldown)
                + "; expected cooldown: 60s or more";
    }

    /** Why the time before the first step may be too short to compare anything with; empty when it is not. */
    static Optional<String> shortBaseline(SteadyState steady, List<ScheduledFault> steps) {
        Duration before = steady.length().plus(first(steps));
        return before.compareTo(SHORTEST_BASELINE) >= 0
                ? Optional.empty()
                : Optional.of("\"" + Durations.print(steady.window()) + "\": two windows, and the "
                        + Durations.print(first(steps))
                        + " until the first step, may be all that is steady before it, and"
                        + " nothing can be compared with less than " + Durations.print(SHORTEST_BASELINE)
                        + "; expected 3s or more, or a later first step");
    }

    /** When the earliest step is due, from the steady state or from the start. */
    static Duration first(List<ScheduledFault> steps) {
        return steps.stream()
                .map(ScheduledFault::when)
                .filter(When.At.class::isInstance)
                .map(when -> ((When.At) when).offset())
                .min(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    /** How long a fault lasts at most that nothing has to recover from. */
    private static Duration longest(List<ScheduledFault> steps) {
        return steps.stream()
                .flatMap(step -> step.fault().hold().stream())
                .map(Hold::atLeast)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
    }

    private static boolean harmsNoNode(Fault fault) {
        return fault.subject() != Subject.NODE;
    }

    /** An operation that leaves its node up throughout, as a backup does; another node may go down for it, which nobody planned. */
    private static boolean takesNoNodeDown(Fault fault) {
        return harmsNoNode(fault)
                || !fault.bringsBack()
                        && fault.injected() == Effect.RELEASED
                        && fault.hold().isEmpty();
    }

    /** The step whose node nobody starts again; a command of the user's may do so, and so may whatever replaces processes. */
    private static Optional<String> staysDown(List<ScheduledFault> steps) {
        boolean started = steps.stream()
                .map(ScheduledFault::fault)
                .anyMatch(fault -> fault.bringsBack()
                        || fault.ended() == Effect.PROCESS_STARTED
                        || !fault.commands().isEmpty());
        return steps.stream()
                .filter(step -> !started && step.fault().changes() == NodeChange.PROCESS_ENDED)
                .map(ScheduledFault::name)
                .findFirst();
    }
}

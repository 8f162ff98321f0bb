package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.Demands.Subject;
import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.marker.Noted;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.recovery.Recovery;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * All steps of a schedule once, from the moment that their times count from to the end of the cool-down. A drill without cycles has
 * one. Owned by the thread {@code fault-injector}.
 */
final class CycleRun {
    private final InjectionContext world;
    private final FaultSchedule schedule;
    private final Map<String, StepRun> steps = new LinkedHashMap<>();
    private final Optional<ServiceReturn> service;
    private final boolean placebo;
    private final long beginsAt;
    private final long watchedFrom;
    private OptionalLong quietSince = OptionalLong.empty();
    private OptionalLong stepsOverSince = OptionalLong.empty();
    private Optional<String> failure = Optional.empty();
    private boolean waiting;
    private boolean over;

    /**
     * Nothing is injected yet.
     *
     * @param doing the steps of this cycle
     * @param number from 1
     * @param beginsAt what times of steps count from
     * @param watchedFrom from when on a node that goes down has to do with it
     */
    CycleRun(
            InjectionContext world,
            FaultSchedule schedule,
            Optional<SteadyGate> gate,
            List<ScheduledFault> doing,
            long seed,
            int number,
            long beginsAt,
            long watchedFrom) {
        this.world = world;
        this.schedule = schedule;
        this.beginsAt = beginsAt;
        this.watchedFrom = watchedFrom;
        service = gate.map(steady -> steady.serviceReturn(schedule));
        placebo = doing.stream().allMatch(step -> step.fault().subject() == Subject.NOTHING);
        for (ScheduledFault step : doing) {
            steps.put(step.name(), new StepRun(world, gate.orElse(null), step, steps, seed, number));
        }
    }

    long beginsAt() {
        return beginsAt;
    }

    /** Whether its cool-down is over. */
    boolean over() {
        return over;
    }

    /** Why it failed; empty when it did not. */
    Optional<String> failure() {
        return failure;
    }

    /** Continues as far as it can now. */
    void poll(long now) {
        steps.values().forEach(s -> s.poll(now, beginsAt));
        failure = steps.values().stream().flatMap(s -> s.failure().stream()).findFirst();
        if (failure.isPresent()) {
            return;
        }
        List<Recovery> underWay = world.underWay().stream()
                .filter(r -> steps.values().stream().noneMatch(s -> s.leftDown(r)))
                .toList();
        underWay.stream()
                .filter(r -> Optional.ofNullable(steps.get(r.of().step()))
                        .map(StepRun::over)
                        .orElse(true))
                .filter(r -> now - r.downNanos() > schedule.recoveryBound().toNanos())
                .findFirst()
                .ifPresent(r -> neverRecovered(r, now));
        boolean stepsOver = steps.values().stream().allMatch(StepRun::over);
        if (stepsOver && stepsOverSince.isEmpty()) {
            stepsOverSince = OptionalLong.of(now);
        }
        boolean quiet = underWay.isEmpty() && stepsOver;
        if (!quiet) {
            quietSince = OptionalLong.empty();
        } else if (quietSince.isEmpty()) {
            quietSince = OptionalLong.of(now);
        }
        if (quiet && cooled(now, now - quietSince.getAsLong())) {
            over = true;
            world.tracker.recoveries().stream()
                    .filter(r -> placebo && r.startNanos() >= watchedFrom)
                    .findFirst()
                    .ifPresent(this::notNothing);
        } else if (stepsOver && now - stepsOverSince.getAsLong() > restless()) {
            neverQuiet(now);
        }
    }

    private boolean cooled(long now, long quietNanos) {
        if (quietNanos < schedule.cooldown().toNanos()) {
            return false;
        }
        boolean cooled = service.map(back -> back.over(now, quietNanos)).orElse(true);
        if (!cooled && !waiting) {
            waiting = true;
            world.emit(new Noted(
                    now,
                    "",
                    "the service is not back at what it was before the fault: the cool-down goes on until it is, for at most "
                            + service.orElseThrow().longestWait().toSeconds() + " s"));
        }
        return cooled;
    }

    private void neverRecovered(Recovery r, long now) {
        boolean unplanned = r.of().equals(Occurrence.UNPLANNED);
        fail(
                now,
                r.node(),
                r.of(),
                "node " + r.node()
                        + (unplanned
                                ? " failed without a fault of this drill"
                                : " went down when " + r.of().step() + " was over")
                        + " and " + FaultFailed.NOT_RECOVERED
                        + schedule.recoveryBound().toSeconds() + " s");
    }

    private void notNothing(Recovery r) {
        failure = Optional.of("nothing was injected, but node " + r.node() + " went through "
                + r.spans().stream().map(s -> s.phase().label()).collect(Collectors.joining(", ")));
    }

    private void neverQuiet(long now) {
        String nodes = world.tracker.recoveries().stream()
                .map(Recovery::node)
                .distinct()
                .collect(Collectors.joining(", "));
        fail(
                now,
                "",
                Occurrence.UNPLANNED,
                "the steps have been over for " + restless() / 1_000_000_000L
                        + " s, but nodes come and go, so there was no cool-down of "
                        + schedule.cooldown().toSeconds() + " s in which all had recovered; nodes that went down: "
                        + nodes);
    }

    private void fail(long now, String node, Occurrence of, String text) {
        world.emit(new FaultFailed(now, node, of, text));
        failure = Optional.of(text);
    }

    /** A last recovery may begin when the steps are over, and the cool-down after it. */
    private long restless() {
        return schedule.cooldown()
                .plus(service.map(ServiceReturn::longestWait).orElse(Duration.ZERO))
                .plus(schedule.recoveryBound().multipliedBy(2))
                .toNanos();
    }
}

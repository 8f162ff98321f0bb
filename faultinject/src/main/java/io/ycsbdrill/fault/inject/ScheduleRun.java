package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.EngineObserved;
import io.ycsbdrill.fault.FaultFailed;
import io.ycsbdrill.fault.Noted;
import io.ycsbdrill.fault.Occurrence;
import io.ycsbdrill.fault.SteadyReached;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.recovery.Recovery;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;

/**
 * A running schedule: all decisions of the injector, as a method that is called again and again. {@link #report} may be called
 * from any thread; all else is owned by the thread {@code fault-injector}.
 */
final class ScheduleRun {
    private static final int QUEUE = 100_000;

    private final InjectionContext world;
    private final FaultSchedule schedule;
    private final Optional<SteadyGate> gate;
    private final Map<String, StepRun> steps = new LinkedHashMap<>();
    private final Queue<EngineEvent> events = new LinkedBlockingQueue<>(QUEUE);
    private final List<String> failures = new ArrayList<>();
    private volatile boolean eventsLost;
    private OptionalLong origin = OptionalLong.empty();
    private OptionalLong quietSince = OptionalLong.empty();
    private OptionalLong stepsOverSince = OptionalLong.empty();
    private boolean over;

    ScheduleRun(InjectionContext world, FaultSchedule schedule, Optional<SteadyGate> gate, long seed) {
        this.world = world;
        this.schedule = schedule;
        this.gate = gate;
        SteadyGate none = gate.orElse(null);
        for (ScheduledFault step : schedule.steps()) {
            steps.put(
                    step.name(),
                    new StepRun(world, none, step, steps, schedule.seed().orElse(seed)));
        }
    }

    /** Takes an engine event; from any thread, without blocking. */
    void report(EngineEvent event) {
        if (!events.offer(event)) {
            eventsLost = true;
        }
    }

    boolean over() {
        return over;
    }

    List<String> failures() {
        return failures;
    }

    /** Continues as far as it can now. Does nothing once it is over. */
    void poll(long now) {
        if (over) {
            return;
        }
        drainEvents();
        if (origin.isEmpty()) {
            origin = gate.isEmpty() ? OptionalLong.of(0) : reachSteady(now);
        }
        if (origin.isPresent() && !over) {
            steps.values().forEach(s -> s.poll(now, origin.getAsLong()));
            judge(now);
        }
    }

    /** Ends it as failed. */
    void fail(String reason) {
        failures.add(reason);
        over = true;
    }

    private void drainEvents() {
        for (EngineEvent e = events.poll(); e != null; e = events.poll()) {
            long at = world.clock.sinceStart(e.atNanos());
            world.emit(
                    e.node().isEmpty()
                            ? new Noted(at, "", e.text())
                            : new EngineObserved(at, e.node(), e.signal(), e.source(), e.text()));
        }
        if (eventsLost) {
            fail("more than " + QUEUE + " engine events were waiting; some are lost");
        }
    }

    private OptionalLong reachSteady(long now) {
        SteadyGate g = gate.orElseThrow();
        Optional<String> steady = now < g.afterNanos() ? Optional.empty() : g.steady(now);
        if (steady.isPresent()) {
            world.emit(new SteadyReached(now, now - g.lengthNanos(), steady.get()));
            return OptionalLong.of(now);
        }
        if (now > g.withinNanos()) {
            String text = "the throughput did not become steady within " + g.withinNanos() / 1_000_000_000L + " s: "
                    + g.last() + "; no fault was injected";
            world.emit(new FaultFailed(now, "", Occurrence.UNPLANNED, text));
            fail(text);
        }
        return OptionalLong.empty();
    }

    private void judge(long now) {
        steps.values().stream().flatMap(s -> s.failure().stream()).findFirst().ifPresent(this::fail);
        if (over) {
            return;
        }
        List<Recovery> underWay = world.tracker.active().stream()
                .filter(r -> steps.values().stream().noneMatch(s -> s.leftDown(r)))
                .toList();
        underWay.stream()
                .filter(r -> Optional.ofNullable(steps.get(r.of().step()))
                        .map(StepRun::over)
                        .orElse(true))
                .filter(r -> now - r.downNanos() > schedule.recoveryBound().toNanos())
                .findFirst()
                .ifPresent(r -> {
                    boolean unplanned = r.of().equals(Occurrence.UNPLANNED);
                    String text = "node " + r.node()
                            + (unplanned
                                    ? " failed without a fault of this drill"
                                    : " went down when " + r.of().step() + " was over")
                            + " and did not recover within "
                            + schedule.recoveryBound().toSeconds() + " s";
                    world.emit(new FaultFailed(now, r.node(), r.of(), text));
                    fail(text);
                });
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
        if (quiet && now - quietSince.getAsLong() >= schedule.cooldown().toNanos()) {
            over = true;
            world.tracker.recoveries().stream()
                    .filter(r -> schedule.isPlacebo())
                    .findFirst()
                    .ifPresent(r -> fail("nothing was injected, but node " + r.node() + " went through "
                            + r.spans().stream().map(s -> s.phase().label()).collect(Collectors.joining(", "))));
        } else if (stepsOver && !over && now - stepsOverSince.getAsLong() > restless()) {
            String nodes = world.tracker.recoveries().stream()
                    .map(Recovery::node)
                    .distinct()
                    .collect(Collectors.joining(", "));
            String text = "the steps have been over for " + restless() / 1_000_000_000L
                    + " s, but nodes come and go, so there was no cool-down of "
                    + schedule.cooldown().toSeconds() + " s in which all had recovered; nodes that went down: " + nodes;
            world.emit(new FaultFailed(now, "", Occurrence.UNPLANNED, text));
            fail(text);
        }
    }

    /** A last recovery may begin when the steps are over, and the cool-down after it. */
    private long restless() {
        return schedule.cooldown()
                .plus(schedule.recoveryBound().multipliedBy(2))
                .toNanos();
    }
}

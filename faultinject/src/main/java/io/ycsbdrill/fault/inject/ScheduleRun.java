package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.EngineObserved;
import io.ycsbdrill.fault.FaultFailed;
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
            world.emit(new EngineObserved(
                    world.clock.sinceStart(e.atNanos()), e.node(), e.signal(), e.source(), e.text()));
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
        boolean quiet = underWay.isEmpty() && steps.values().stream().allMatch(StepRun::over);
        if (!quiet) {
            quietSince = OptionalLong.empty();
        } else if (quietSince.isEmpty()) {
            quietSince = OptionalLong.of(now);
        }
        if (quiet && now - quietSince.getAsLong() >= schedule.cooldown().toNanos()) {
            over = true;
        }
    }
}

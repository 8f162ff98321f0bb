package io.ycsbdrill.fault.inject;

import io.ycsbdrill.fault.NoFault;
import io.ycsbdrill.fault.marker.CycleBegun;
import io.ycsbdrill.fault.marker.CycleEnded;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.marker.Noted;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.marker.SteadyReached;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.schedule.Cycles.Cycle;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.LongSupplier;

/**
 * A running schedule, cycle after cycle: all decisions of the injector, as a method that is called again and again. {@link #report} may be called
 * from any thread; all else is owned by the thread {@code fault-injector}.
 */
final class ScheduleRun {
    private static final int QUEUE = 100_000;
    private static final Duration LEAST_NOTHING = Duration.ofMillis(100);

    private final InjectionContext world;
    private final FaultSchedule schedule;
    private final Optional<SteadyGate> gate;
    private final LongSupplier loadSince;
    private final long seed;
    private final List<Cycle> plan;
    private final Queue<EngineEvent> events = new LinkedBlockingQueue<>(QUEUE);
    private final Queue<Noted> healing = new ConcurrentLinkedQueue<>();
    private final List<String> failures = new ArrayList<>();
    private final List<Long> lengths = new ArrayList<>();
    private volatile boolean eventsLost;
    private OptionalLong steadyAt = OptionalLong.empty();
    private Optional<RecoveryGate> between = Optional.empty();
    private Optional<CycleRun> current = Optional.empty();
    private int begun;
    private boolean over;

    /** @param loadSince since when the load is the one that is judged, since run start; {@link Long#MAX_VALUE} = not yet */
    ScheduleRun(
            InjectionContext world,
            FaultSchedule schedule,
            Optional<SteadyGate> gate,
            LongSupplier loadSince,
            long seed) {
        this.world = world;
        this.schedule = schedule;
        this.gate = gate;
        this.loadSince = loadSince;
        long ownSeed = schedule.seed().orElse(seed);
        plan = schedule.cycles()
                .map(cycles -> cycles.plan(ownSeed))
                .orElse(List.of(new Cycle(1, false, Duration.ZERO)));
        this.seed = ownSeed;
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
        if (!over && current.isEmpty()) {
            OptionalLong origin = between.isPresent() ? between.get().poll(now) : first(now);
            origin.ifPresent(this::begin);
            between.flatMap(RecoveryGate::failure).ifPresent(this::fail);
        }
        if (!over && current.isPresent()) {
            CycleRun cycle = current.get();
            cycle.poll(now);
            if (cycle.over()) {
                end(cycle, now);
            }
            cycle.failure().ifPresent(this::fail);
        }
    }

    private boolean repeated() {
        return schedule.cycles().isPresent();
    }

    private void begin(long origin) {
        Cycle cycle = plan.get(begun++);
        if (repeated()) {
            world.emit(new CycleBegun(origin, cycle.number(), cycle.isNull()));
        }
        List<ScheduledFault> steps = cycle.isNull() ? List.of(nothing()) : schedule.steps();
        int injecting =
                (int) plan.stream().limit(begun).filter(c -> !c.isNull()).count();
        long watchedFrom = repeated() ? origin : 0;
        current = Optional.of(
                new CycleRun(world, schedule, gate, steps, seed, Math.max(1, injecting), origin, watchedFrom));
        between = Optional.empty();
    }

    /** For as long as the cycles with faults have taken so far, in the median. */
    private ScheduledFault nothing() {
        List<Long> sorted = lengths.stream().sorted().toList();
        Duration length = Duration.ofNanos(sorted.get((sorted.size() - 1) / 2)).minus(schedule.cooldown());
        boolean any = length.compareTo(LEAST_NOTHING) > 0;
        return ScheduledFault.step("nothing", new NoFault(any ? length : LEAST_NOTHING));
    }

    private void end(CycleRun cycle, long now) {
        Cycle planned = plan.get(begun - 1);
        if (repeated()) {
            world.emit(new CycleEnded(now, planned.number()));
        }
        if (!planned.isNull()) {
            lengths.add(now - cycle.beginsAt());
        }
        current = Optional.empty();
        over = begun == plan.size();
        if (!over) {
            between = Optional.of(new RecoveryGate(
                    world,
                    gate.orElseThrow(),
                    planned.number(),
                    now,
                    plan.get(begun).pause(),
                    this::heal));
        }
    }

    /** From any thread. A new healer each time: what a command has said of a node holds for one cycle only. */
    private List<String> heal() {
        return new Healer(
                        world.controller,
                        world.record,
                        world.recoveryBound,
                        text -> healing.add(new Noted(world.clock.now(), "", "healing: " + text)))
                .heal();
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
        for (Noted n = healing.poll(); n != null; n = healing.poll()) {
            world.emit(n);
        }
        if (eventsLost) {
            fail("more than " + QUEUE + " engine events were waiting; some are lost");
        }
    }

    /** When the first cycle, or the only one, begins. */
    private OptionalLong first(long now) {
        long since = loadSince.getAsLong();
        if (now < since) {
            return OptionalLong.empty();
        }
        if (gate.isEmpty()) {
            return OptionalLong.of(since);
        }
        if (steadyAt.isEmpty()) {
            reachSteady(now, since, gate.get());
        }
        boolean paused = steadyAt.isPresent()
                && now - steadyAt.getAsLong() < plan.get(0).pause().toNanos();
        return paused ? OptionalLong.empty() : steadyAt.isPresent() ? OptionalLong.of(now) : OptionalLong.empty();
    }

    private void reachSteady(long now, long since, SteadyGate g) {
        Optional<SteadyReached> steady = now - since < g.afterNanos() ? Optional.empty() : g.steady(now, since);
        if (steady.isPresent()) {
            world.emit(steady.get());
            steadyAt = OptionalLong.of(now);
        } else if (g.hopeless().isPresent()) {
            notBegun(now, "the baseline cannot be used: " + g.last());
        } else if (now - since > g.withinNanos()) {
            notBegun(
                    now,
                    "the service did not become steady within " + g.withinNanos() / 1_000_000_000L + " s: " + g.last());
        }
    }

    private void notBegun(long now, String why) {
        String text = why + "; no fault was injected";
        world.emit(new FaultFailed(now, "", Occurrence.UNPLANNED, text));
        fail(text);
    }
}

package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.ManualClock;
import io.ycsbdrill.base.Phase;
import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.fault.NodeSelector.Named;
import io.ycsbdrill.fault.RestartNode;
import io.ycsbdrill.fault.StopMode;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.PhaseEntered;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.FakeNodeController;
import io.ycsbdrill.fault.node.FakeNodeController.Step;
import io.ycsbdrill.fault.recovery.Recovery;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import io.ycsbdrill.fault.schedule.ScheduledFault;
import io.ycsbdrill.fault.schedule.ServedSecond;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/** Runs a schedule against a scripted cluster in milliseconds of manual time, on the test's own thread. */
final class DrillStage {
    /** An origin other than 0, so that times since start and readings of the clock cannot be mixed up unnoticed. */
    private static final long ORIGIN = 5_000_000_000_000L;

    final ManualClock clock = new ManualClock(ORIGIN);
    final FakeNodeController cluster;
    final List<Marker> markers = new ArrayList<>();
    final List<String> phases = new ArrayList<>();
    final HealRecord record = HealRecord.inMemory();
    private final RunClock runClock = new RunClock(clock, ORIGIN, Instant.EPOCH);
    private InjectionContext world;
    /** Who calls the controller: at once, unless a test is about calls that take their time. */
    Executor caller = Runnable::run;

    /** Since when the load is the one that is judged. */
    LongSupplier loadSince = () -> 0;

    ScheduleRun run;

    DrillStage() {
        this(3);
    }

    DrillStage(int nodes) {
        cluster = new FakeNodeController(clock, nodes);
    }

    static Step after(long millis, Signal signal) {
        return new Step(Duration.ofMillis(millis), signal);
    }

    static FaultSchedule.Builder schedule() {
        return FaultSchedule.named("test").cooldown(Duration.ofSeconds(1)).recoveryBound(Duration.ofSeconds(60));
    }

    static RestartNode restart(Duration down) {
        return new RestartNode(StopMode.KILL, down);
    }

    /** A second with so many successes and nothing wrong, in a closed loop. */
    static ServedSecond second(long ok) {
        return new ServedSecond(ok, 0, 0, ok, Double.NaN, 1, 1);
    }

    static Named node(String... ids) {
        return new Named(List.of(ids));
    }

    /** What the engine says after each end and each start of a node. */
    void scriptEngine() {
        cluster.afterDown(after(2, Signal.NODE_DOWN), after(300, Signal.FAILURE_HANDLED));
        cluster.afterStart(
                after(10, Signal.PROCESS_STARTED),
                after(700, Signal.SYNCHRONISE_STARTED),
                after(400, Signal.WAIT_CHECKPOINT_STARTED),
                after(200, Signal.RECOVERED));
    }

    /** Plays these steps to their end. */
    void playToEnd(ScheduledFault... steps) {
        FaultSchedule.Builder schedule = schedule();
        List.of(steps).forEach(schedule::step);
        play(schedule.build()).toEnd();
    }

    DrillStage play(FaultSchedule schedule, ServiceSource service) {
        world = new InjectionContext(
                cluster,
                new CommandRunner(schedule.recoveryBound()),
                runClock,
                record,
                schedule.recoveryBound(),
                caller,
                markers::add,
                (at, phase) -> phases.add(at / 1_000_000 + " " + phase.label()));
        run = new ScheduleRun(
                world, schedule, schedule.steady().map(s -> new SteadyGate(s, true, service)), loadSince, 42);
        cluster.listen(run::report);
        return this;
    }

    DrillStage play(FaultSchedule schedule) {
        return play(schedule, length -> List.of());
    }

    /** Lets a time pass, a millisecond at a time. */
    DrillStage pass(Duration time) {
        for (long ms = 0; ms < time.toMillis() && !run.over(); ms++) {
            run.poll(runClock.now());
            clock.advance(Duration.ofMillis(1));
            cluster.tick();
        }
        return this;
    }

    /** Goes on until it is over, at most an hour. */
    DrillStage toEnd() {
        return pass(Duration.ofHours(1));
    }

    long nowMillis() {
        return runClock.now() / 1_000_000;
    }

    /** Markers but phases and events: {@code 1000 fault-started node1}. */
    List<String> acts() {
        return markers.stream()
                .filter(m -> !(m instanceof PhaseEntered) && !m.kind().equals("event"))
                .map(m -> m.atNanos() / 1_000_000 + " " + m.kind() + " "
                        + m.fields().getOrDefault("node", ""))
                .map(String::strip)
                .toList();
    }

    /** Phase changes: {@code node1 1000 fault}. */
    List<String> phaseChanges() {
        return markers.stream()
                .flatMap(m ->
                        m instanceof PhaseEntered p ? Optional.of(p).stream() : Optional.<PhaseEntered>empty().stream())
                .map(p -> p.node() + " " + p.atNanos() / 1_000_000 + " "
                        + p.phase().label())
                .toList();
    }

    List<Recovery> recoveries() {
        return world.tracker.recoveries();
    }

    Phase phase() {
        return world.tracker.phase(world.underWay());
    }
}

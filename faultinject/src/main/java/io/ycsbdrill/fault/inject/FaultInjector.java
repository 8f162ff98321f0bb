package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.fault.marker.FaultFailed;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.Noted;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.schedule.FaultSchedule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Runs a schedule against a cluster. Use: {@link #builder}, {@link #prepare}, {@link #start}, {@link #await}, {@link #close}.
 *
 * <pre>{@code
 * try (FaultInjector injector = FaultInjector.builder(controller, schedule).onMarker(System.out::println).build()) {
 *     injector.prepare();
 *     injector.start();
 *     DrillOutcome outcome = injector.await();
 * }
 * }</pre>
 *
 * <p>Faults are injected by the thread {@code fault-injector}, which also calls the listeners; calls that block on a node run
 * on threads named {@code fault-node-N}. While it runs, a shutdown hook releases what is injected when the JVM ends. The
 * methods may be called from any thread.
 */
public final class FaultInjector implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(5);
    private static final Duration STOP_BOUND = Duration.ofSeconds(30);

    private final NodeController controller;
    private final FaultSchedule schedule;
    private final RunClock clock;
    private final InjectionContext world;
    private final ScheduleRun run;
    private final Healer healer;
    private final ExecutorService nodeCalls;
    private final Thread thread = Daemon.thread(this::loop, "fault-injector");
    private final Thread hook;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final boolean gated;
    private final boolean serviceKnown;
    private AutoCloseable subscription = () -> {};
    private volatile boolean started;
    private boolean closed;

    private FaultInjector(Builder b) {
        controller = b.controller;
        schedule = b.schedule;
        clock = b.clock.orElseGet(RunClock::startingNow);
        AtomicInteger number = new AtomicInteger();
        nodeCalls = Executors.newCachedThreadPool(r -> Daemon.thread(r, "fault-node-" + number.incrementAndGet()));
        world = new InjectionContext(
                controller,
                new CommandRunner(schedule.recoveryBound()),
                clock,
                b.record,
                schedule.recoveryBound(),
                nodeCalls,
                b.markers,
                b.phases);
        gated = schedule.steady().isPresent();
        serviceKnown = b.service.isPresent();
        run = new ScheduleRun(
                world, schedule, SteadyGate.of(schedule, b.service.orElse(length -> List.of())), b.loadSince, b.seed);
        healer = newHealer();
        hook = new Thread(this::releaseAtTheEnd, "fault-hook");
    }

    private Healer newHealer() {
        return new Healer(
                controller,
                world.record,
                schedule.recoveryBound(),
                text -> world.note(new Noted(clock.now(), "", "healing: " + text)));
    }

    /** An injector for this schedule on this cluster. */
    public static Builder builder(NodeController controller, FaultSchedule schedule) {
        return new Builder(controller, schedule);
    }

    /** Everything that prevents this schedule from running on this cluster; empty when nothing does. */
    public List<String> problems() {
        List<String> problems = new ArrayList<>(ScheduleCheck.problems(schedule, controller));
        if (gated && !serviceKnown) {
            problems.add("the schedule waits for steady throughput, but no throughput source is configured");
        }
        return problems;
    }

    /**
     * Checks the schedule against the cluster and heals the cluster, so that the run starts from a known good state.
     *
     * @throws ScheduleNotPossibleException when the schedule cannot run on this cluster
     * @throws NodeControlException when a node has not recovered and cannot be healed
     */
    public void prepare() {
        prepare(problems(), controller, schedule, newHealer());
    }

    /**
     * Does what {@link #prepare()} does before there is an injector: for a caller whose run clock and throughput come later.
     *
     * @param record what earlier drills have left to heal
     * @param progress receives a short line for each healing action
     * @throws ScheduleNotPossibleException when the schedule cannot run on this cluster
     * @throws NodeControlException when a node has not recovered and cannot be healed
     */
    public static void prepare(
            NodeController controller, FaultSchedule schedule, HealRecord record, Consumer<String> progress) {
        prepare(
                ScheduleCheck.problems(schedule, controller),
                controller,
                schedule,
                new Healer(controller, record, schedule.recoveryBound(), progress));
    }

    private static void prepare(
            List<String> problems, NodeController controller, FaultSchedule schedule, Healer healer) {
        if (!problems.isEmpty()) {
            throw new ScheduleNotPossibleException(problems);
        }
        List<String> unhealed = healer.heal();
        if (!unhealed.isEmpty()) {
            throw new NodeControlException(
                    "the cluster has not fully recovered, so nothing is injected: " + String.join("; ", unhealed));
        }
        List<String> early =
                ScheduleCheck.problemsOnceHealed(schedule, controller, new CommandRunner(schedule.recoveryBound()));
        if (!early.isEmpty()) {
            throw new ScheduleNotPossibleException(early);
        }
    }

    /** Starts the schedule; time counts from the run clock's start. */
    public synchronized void start() {
        if (started || closed) {
            throw new IllegalStateException("an injector runs once");
        }
        started = true;
        Runtime.getRuntime().addShutdownHook(hook);
        subscription = controller.listen(run::report);
        thread.start();
    }

    /**
     * Waits for the end of the schedule, its cool-down included.
     *
     * @throws IllegalStateException when it was not started
     */
    public DrillOutcome await() throws InterruptedException {
        if (!started) {
            throw new IllegalStateException("not started");
        }
        ended.await();
        return outcome();
    }

    /**
     * Stops the schedule where it is, without healing; the outcome is final then. Stopping twice, or after the end, is
     * harmless. Not to be called by a listener.
     */
    public void stop() {
        stop(STOP_BOUND);
    }

    private void stop(Duration bound) {
        world.stop();
        if (!started) {
            return;
        }
        nodeCalls.shutdownNow();
        try {
            if (!ended.await(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new NodeControlException("fault-injector did not stop within " + bound.toSeconds() + " s");
            }
            nodeCalls.awaitTermination(bound.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** For a process that is about to end, in which others may be healing, too. What begins later would stay in force. */
    void releaseAtTheEnd() {
        try {
            stop(Duration.ofSeconds(3)); // whoever ends this process may wait for 10 s only
        } finally {
            healer.release();
        }
    }

    /**
     * Stops, heals and waits until every node has recovered. Healing twice is harmless.
     *
     * @return what could not be healed; there is a marker for each
     */
    public List<String> heal() {
        stop();
        long requested = clock.now();
        List<String> problems = healer.heal();
        if (problems.isEmpty()) {
            world.healed(requested, clock.now());
        }
        for (String problem : problems) {
            world.note(new FaultFailed(clock.now(), "", Occurrence.UNPLANNED, FaultFailed.NOT_HEALED + problem));
        }
        return problems;
    }

    /**
     * Stops, heals and ends all threads. Closing twice is harmless. Leaves the controller open.
     *
     * @throws NodeControlException when something could not be healed
     */
    @Override
    public void close() {
        if (firstClose()) {
            List<String> problems = started ? heal() : List.of();
            release();
            if (!problems.isEmpty()) {
                throw new NodeControlException("the cluster is not healed: " + String.join("; ", problems));
            }
        }
    }

    /** Like {@link #close} without healing: what is injected stays, for a fault injected by hand. */
    public void leave() {
        if (firstClose()) {
            stop();
            release();
        }
    }

    private synchronized boolean firstClose() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    private void release() {
        nodeCalls.shutdownNow();
        try {
            subscription.close();
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the controller, which is closed next, is what the hook heals with.
            NodeLocks.holds(STOP_BOUND.multipliedBy(4), () -> !started || hook.getState() == Thread.State.TERMINATED);
        } catch (Exception e) {
            throw new NodeControlException("engine events could not be unsubscribed: " + e, e);
        }
    }

    private DrillOutcome outcome() {
        return new DrillOutcome(run.failures(), !run.over(), world.tracker.recoveries());
    }

    private void loop() {
        try {
            while (!world.stopping() && !run.over()) {
                run.poll(clock.now());
                LockSupport.parkNanos(TICK.toNanos());
            }
        } catch (RuntimeException | Error e) {
            run.fail("the injector failed: " + e);
        } finally {
            ended.countDown();
        }
    }

    /** Collects what an injector needs. Not thread-safe. */
    public static final class Builder {
        private final NodeController controller;
        private final FaultSchedule schedule;
        private Optional<RunClock> clock = Optional.empty();
        private Optional<ServiceSource> service = Optional.empty();
        private HealRecord record = HealRecord.inMemory();
        private Consumer<Marker> markers = m -> {};
        private PhaseListener phases = (at, phase) -> {};
        private LongSupplier loadSince = () -> 0;
        private long seed;

        private Builder(NodeController controller, FaultSchedule schedule) {
            this.controller = Objects.requireNonNull(controller, "controller");
            this.schedule = Objects.requireNonNull(schedule, "schedule");
        }

        /** The clock that all times are on; by default it starts when the injector is built. */
        public Builder clock(RunClock value) {
            clock = Optional.of(value);
            return this;
        }

        /** Needed by schedules that wait for steady throughput. */
        public Builder service(ServiceSource value) {
            service = Optional.of(value);
            return this;
        }

        /** Since when the load is the one that is judged, since the clock's start, by default all the time; {@link Long#MAX_VALUE} = not yet. */
        public Builder loadSince(LongSupplier value) {
            loadSince = value;
            return this;
        }

        /** Where open faults are recorded; by default in memory only. */
        public Builder record(HealRecord value) {
            record = value;
            return this;
        }

        /** Receives every marker. Called on {@code fault-injector}, while healing on the healing thread; must not block. */
        public Builder onMarker(Consumer<Marker> value) {
            markers = value;
            return this;
        }

        /** Receives the phase of the whole cluster whenever it changes. */
        public Builder onPhase(PhaseListener value) {
            phases = value;
            return this;
        }

        /** Used when the schedule has no seed of its own. */
        public Builder seed(long value) {
            seed = value;
            return this;
        }

        /** The injector; nothing has been done to the cluster yet. */
        public FaultInjector build() {
            return new FaultInjector(this);
        }
    }
}

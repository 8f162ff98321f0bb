package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.client.run.call.CallDeadlines;
import io.ycsbdrill.client.run.call.Reasons;
import io.ycsbdrill.client.run.file.Format;
import io.ycsbdrill.client.run.file.LostConnections;
import io.ycsbdrill.client.run.file.Markers;
import io.ycsbdrill.client.run.file.OwnerSlices;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.file.RunTotals;
import io.ycsbdrill.client.run.file.StockResult;
import io.ycsbdrill.client.run.file.Summary;
import io.ycsbdrill.client.run.file.ThreadGaps;
import io.ycsbdrill.client.run.file.WindowFiles;
import io.ycsbdrill.client.run.measure.Collector;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import io.ycsbdrill.client.run.measure.Timeline;
import io.ycsbdrill.client.run.pace.Calibration;
import io.ycsbdrill.client.run.pace.RatePlan;
import io.ycsbdrill.rundir.RunFile;
import io.ycsbdrill.rundir.RunTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import site.ycsb.Client;

/**
 * The course of one run. Everything here is on the thread that executes the run, except the loop of {@code window-sampler}.
 *
 * <p>Long, as it is the order of everything that a run does, in which each part has to be closed whatever becomes of the others.
 */
final class RunExecution {
    private static final List<String> UNFINISHED =
            List.of("the client has not ended this run: it is still running, or was killed");

    private static final String CALIBRATION = "calibration";

    /** How long a run waits for the cluster to say who owns the keys. */
    private static final Duration OWNERS_TIMEOUT = Duration.ofSeconds(10);

    /** How often it is asked whether they have changed: some bindings ask by a process of their own. */
    private static final Duration OWNERS_EVERY = Duration.ofSeconds(5);

    /** How often it is asked whether the clients have agreed on a start. */
    private static final long GATE_NANOS = 5_000_000;

    private final RunSpec spec;
    private final WorkloadSetup setup;
    private final List<RunCompanion> companions;
    private final RunState state;
    private final RunDirectory directory;
    private final Optional<RunAudit> audit;
    private final Optional<Consumer<String>> readBack;
    private final Optional<DataConsistency> consistency;
    private final RunDocument document;
    private final Operations operations = new Operations();
    private final Markers markers = new Markers();
    private final ClientThreads threads;
    private final WireMeter wire;
    private final Optional<StartGate> gate;
    private List<Summary.Unfinished> inFlight = List.of();
    private OptionalLong stoppedNanos = OptionalLong.empty();
    private Optional<OwnerWatch> owners = Optional.empty();
    private Timeline timeline;
    private WindowSampler sampler;
    private Optional<Calibrator> calibrator = Optional.empty();
    private volatile boolean sampling;
    /** Negative as long as the run has not been measured to its end. */
    private long durationNanos = -1;

    private Optional<RunFigures> figures = Optional.empty();
    private String text = "";

    private interface Step {
        void take() throws IOException, InterruptedException;
    }

    RunExecution(
            RunSpec spec,
            WorkloadSetup setup,
            List<RunCompanion> companions,
            RunBounds bounds,
            RunState state,
            RunDirectory directory,
            Optional<Consumer<String>> readBack,
            Optional<StartGate> gate) {
        this.spec = spec;
        this.setup = setup;
        this.companions = companions;
        this.state = state;
        this.directory = directory;
        audit = spec.auditRun() == 0 ? Optional.empty() : Optional.of(new RunAudit(spec));
        this.readBack = readBack;
        this.gate = gate;
        consistency = DataConsistency.of(spec, setup);
        threads = new ClientThreads(spec, setup, bounds, state, operations);
        timeline = Timeline.of(RunClock.startingNow(), spec.window());
        document = new RunDocument(spec, timeline.sliceNanos());
        wire = new WireMeter(timeline.sliceNanos());
    }

    String text() {
        return text;
    }

    RunResult execute() {
        attempt(() -> {
            directory.write(RunFile.RUN, document.of(RunResult.State.INCOMPLETE, UNFINISHED, null, -1));
            if (!state.isStopped()) {
                lookBefore();
            }
            if (!state.isStopped() && ready()) {
                durationNanos = measure();
            } else {
                threads.cleanUp();
            }
        });
        owners.ifPresent(OwnerWatch::close);
        try {
            setup.workload().cleanup();
        } catch (Exception e) {
            state.abort("the workload's cleanup failed: " + Reasons.of(e));
        }
        try {
            document.stoppedAt(stoppedNanos);
            directory.write(RunFile.RUN, document.of(state.result(), state.reasons(), state.clock(), durationNanos));
        } catch (UncheckedIOException e) {
            state.abort(e.getMessage());
        }
        return new RunResult(directory.path(), state.result(), state.reasons(), figures);
    }

    /** What fails ends the run as incomplete. */
    private void attempt(Step step) {
        try {
            step.take();
        } catch (IOException | UncheckedIOException e) {
            state.abort("the run directory cannot be written: " + e.getMessage());
            stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            state.abort("the thread that executes the run was interrupted");
            stop();
        } catch (RuntimeException | Error e) {
            state.abort("the client loop failed: " + Reasons.of(e));
            stop();
        }
    }

    /** Makes the client threads ready and waits for the start; false when the run cannot start. */
    private boolean ready() throws InterruptedException {
        if (!threads.initialise()) {
            return false;
        }
        owners = OwnerWatch.start(spec, setup, OWNERS_TIMEOUT, OWNERS_EVERY);
        document.ownership(ownership());
        wire.begin(); // takes some milliseconds, which are to be neither in the run nor between clients that start
        // together
        return awaitStart();
    }

    private Optional<Ownership> ownership() {
        return owners.map(OwnerWatch::ownership);
    }

    private Optional<OwnerSlices> ownerSlices() throws IOException {
        Optional<Ownership> known = ownership().filter(Ownership::isKnown);
        return known.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new OwnerSlices(known.get().nodes(), timeline.sliceNanos(), directory.table(RunTable.OWNERS)));
    }

    /** Waits for the time at which the run is to start, if there is one; false when it cannot start. */
    private boolean awaitStart() throws InterruptedException {
        Optional<Instant> start = gate.isPresent() ? agreed(gate.get()) : spec.startAt();
        if (start.isPresent()) {
            document.startsAt(start.get());
            return new StartBarrier(start.get(), spec.startAt().isEmpty(), InstantSource.system())
                    .await(
                            state,
                            left -> companions.forEach(companion ->
                                    guarded(companion, "wait", () -> companion.waiting(start.get(), left))));
        }
        return !state.isStopped();
    }

    private Optional<Instant> agreed(StartGate others) throws InterruptedException {
        others.ready();
        Optional<Instant> start = others.agreed();
        while (start.isEmpty() && !state.isStopped()) {
            state.await(state::isStopped, GATE_NANOS);
            start = others.agreed();
        }
        return start;
    }

    private long measure() throws IOException, InterruptedException {
        RunClock clock = RunClock.startingNow();
        state.clock(clock);
        timeline = Timeline.of(clock, spec.window());
        List<ThreadRecorder> recorders = new ArrayList<>();
        for (int i = 0; i < spec.threads(); i++) {
            recorders.add(new ThreadRecorder(operations, timeline, i));
        }
        LiveRun live = new LiveRun(state, directory, clock, markers, timeline.sliceNanos(), threads::reconnects);
        spec.rate().ifPresent(plan -> live.served().plan(plan, 1.0 / spec.part().of()));
        RunTotals totals = new RunTotals(
                spec.calibration().isPresent() ? Long.MAX_VALUE : spec.warmup().toNanos(),
                spec.cooldown().toNanos());
        Collector collector = new Collector(recorders, timeline);
        WindowFiles files = new WindowFiles(directory, operations, markers, timeline.sliceNanos());
        List<RunCompanion> measuring = new ArrayList<>(calibrating(live, totals));
        measuring.add(wire);
        sampler = new WindowSampler(
                collector,
                operations,
                files,
                totals,
                live,
                state,
                measuring,
                new ThreadGaps(spec.threads(), timeline.sliceNanos(), directory.table(RunTable.THREADS)),
                ownerSlices(),
                spec.window().toNanos());
        Optional<CallDeadlines> deadlines = setup.timeout()
                .map(timeout -> new CallDeadlines(
                        timeout,
                        notAfter -> threads.abandon(notAfter, collector, timeline),
                        e -> state.abort("op-deadline: " + Reasons.of(e))));
        ClientMeter meter = new ClientMeter(
                clock, timeline.sliceNanos(), new ClientLoad(), directory.table(RunTable.CLIENT), state);
        Thread windows = startSampler();
        meter.start();
        long endNanos;
        try {
            threads.start(recorders, audit, wire, ownership());
            owners.ifPresent(watch -> watch.running(clock));
            deadlines.ifPresent(CallDeadlines::start);
            companions.forEach(companion -> guarded(companion, "start", () -> companion.started(live)));
            // When it began, in case that the client is killed: without it nothing of its data can be placed in time.
            directory.write(RunFile.RUN, document.of(RunResult.State.INCOMPLETE, UNFINISHED, clock, -1));
            threads.supervise();
            stoppedNanos = state.stoppedNanos();
            threads.drain(sampler.longestNanos());
            if (deadlines.isPresent()) {
                deadlines.get().end();
            }
            meter.end();
            sampling = false;
            LockSupport.unpark(windows);
            windows.join();
            collector.close();
            endNanos = Math.max(threads.endNanos(), collector.takenUntilNanos());
            inFlight = threads.unfinished();
            totals.stoppedAt(stoppedNanos.orElse(endNanos));
            document.unsent(threads.unsent(stoppedNanos.orElse(endNanos)));
            document.abandoned(threads.abandoned());
            sampler.finish(endNanos);
            document.wire(wire.json());
        } finally {
            deadlines.ifPresent(CallDeadlines::stop);
            meter.stop();
            owners.ifPresent(OwnerWatch::end);
            // Whatever happened, the companions put the cluster back in order.
            state.stop();
            for (int i = companions.size() - 1; i >= 0; i--) {
                RunCompanion companion = companions.get(i);
                guarded(companion, "end", () -> companion.ended(live));
            }
        }
        close(files, live);
        threads.finishCleanups();
        // Each is worth having whatever becomes of the others; closed journals leave room for them on a full disk.
        attempt(() -> audit.ifPresent(RunAudit::close));
        attempt(() -> results(totals, endNanos));
        attempt(() -> readBack(clock));
        attempt(this::lookAfter);
        return endNanos;
    }

    /** The companions of the run and, before them, the one that ends the calibration. */
    private List<RunCompanion> calibrating(LiveRun live, RunTotals totals) {
        if (spec.calibration().isEmpty()) {
            return companions;
        }
        live.served().from(Long.MAX_VALUE);
        live.phase(0, CALIBRATION);
        live.marker(0, CALIBRATION, CALIBRATION, Map.of());
        List<RunCompanion> all = new ArrayList<>();
        calibrator = Optional.of(new Calibrator(
                spec.calibration().get(),
                spec.part().of() == 1,
                spec.duration(),
                state.clock()::now,
                result -> calibrated(result, live, totals)));
        all.add(calibrator.get());
        all.addAll(companions);
        return all;
    }

    private void calibrated(Calibrated result, LiveRun live, RunTotals totals) {
        if (result.maximum() == 0) {
            state.abort("no operation succeeded in the later half of the calibration, so there is no maximum to take "
                    + Format.percent(result.share()) + " of");
            return;
        }
        if (!result.usable()) {
            state.invalidate("the calibration, of " + Format.seconds((long) (result.toSeconds() * 1e9))
                    + " s, found no maximum to take " + Format.percent(result.share()) + " of: "
                    + result.doubt().orElse("") + "; warm the database up first, give a longer "
                    + "load.calibration, or a fixed rate");
            state.stop();
            return;
        }
        totals.from(Math.max(spec.warmup().toNanos(), Calibration.warmupNanos((int) result.toSeconds())));
        RatePlan plan = spec.calibration().get().planFrom(result.sinceNanos(), result.rate());
        threads.calibrated(plan);
        live.served().plan(plan, 1);
        live.served().from(result.sinceNanos());
        live.phase(result.sinceNanos(), "");
        live.marker(result.sinceNanos(), "load", "load", Map.of("text", result.text()));
        document.calibrated(result);
        directory.write(RunFile.RUN, document.of(RunResult.State.INCOMPLETE, UNFINISHED, state.clock(), -1));
        companions.forEach(companion -> guarded(companion, "calibration", () -> companion.calibrated(result)));
    }

    /** The figures so far are worth having even when the disk is full: nothing is thrown. */
    private void close(WindowFiles files, LiveRun live) {
        try (files) {
            files.complete(spec.window().toNanos());
            live.close();
        } catch (IOException | UncheckedIOException e) {
            state.abort("the run directory can no longer be written: " + e.getMessage());
        } catch (RuntimeException e) {
            state.abort("the windows cannot be completed: " + Reasons.of(e));
        }
    }

    private Thread startSampler() {
        sampling = true;
        Thread thread = Daemon.thread(this::sample, "window-sampler");
        thread.start();
        return thread;
    }

    private void sample() {
        try {
            while (sampling) {
                if (!sampler.step()) {
                    long wait = sampler.nextDueNanos() - state.clock().now();
                    LockSupport.parkNanos(Math.max(1_000_000, wait));
                }
            }
        } catch (RuntimeException | Error e) {
            state.abort("window-sampler: " + Reasons.of(e));
        }
    }

    /** After the companions have put the cluster in order, and the client threads have released what they buffered. */
    private void readBack(RunClock clock) throws InterruptedException {
        if (audit.isPresent() && readBack.isPresent()) {
            document.runIsOver();
            directory.write(
                    RunFile.AUDIT,
                    audit.get().readBack(history -> clock.originNanos(), true, state::isInterrupted, readBack.get()));
        }
    }

    private void lookBefore() {
        if (consistency.isPresent()) {
            try {
                consistency.get().before();
            } catch (Exception e) {
                state.abort("the workload cannot check its data before the run: " + Reasons.of(e));
            }
        }
    }

    /** As {@link #readBack}: when nothing changes the data any more. */
    private void lookAfter() throws InterruptedException {
        if (consistency.isPresent()) {
            document.runIsOver();
            directory.write(RunFile.CONSISTENCY, consistency.get().after(inFlight, state::isInterrupted));
        }
    }

    private void results(RunTotals totals, long endNanos) throws IOException {
        Optional<String> uncalibrated = calibrator.flatMap(Calibrator::unfinished);
        // Of a calibration that found no rate nothing is left, either, and it has said so.
        boolean judged = spec.calibration().isEmpty() || document.calibration().isPresent();
        if (totals.isEmpty() && uncalibrated.isEmpty() && judged) {
            state.invalidate("warm-up and cool-down leave nothing of the run's " + Format.seconds(endNanos)
                    + " s: there are no summary figures");
        }
        String result = StockResult.of(totals, operations, spec.properties(), threads.cleanupNanos(), setup.retry());
        String elsewhere = spec.properties().getProperty(Client.EXPORT_FILE_PROPERTY);
        text = elsewhere == null ? result : "";
        ObjectNode summary = Summary.of(totals, operations, endNanos, inFlight, setup.ledger(), setup.retry());
        threads.lastReconnects().ifPresent(reported -> summary.set("connections", LostConnections.of(reported)));
        directory.write(RunFile.SUMMARY, summary);
        figures = Optional.of(RunFigures.of(summary, document.load()));
        uncalibrated.ifPresent(state::invalidate);
        directory.write(RunFile.TOTALS, totals.lines(operations));
        directory.write(RunFile.STOCK_RESULT, result);
        if (elsewhere != null) {
            Files.writeString(Path.of(elsewhere), result);
        }
    }

    private void guarded(RunCompanion companion, String when, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            state.abort(companion.getClass().getSimpleName() + " failed at the run's " + when + ": " + Reasons.of(e));
        }
    }

    private void stop() {
        sampling = false;
        threads.stop();
    }
}

package io.ycsbdrill.client.run;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.client.run.measure.Collector;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import io.ycsbdrill.client.run.measure.Timeline;
import io.ycsbdrill.client.run.pace.Pacer;
import io.ycsbdrill.client.run.pace.Pauses;
import io.ycsbdrill.fault.time.RunClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import site.ycsb.Client;
import site.ycsb.DB;

/** The course of one run. Everything here is on the thread that executes the run, except the loop of {@code window-sampler}. */
final class RunExecution {
    private static final List<String> UNFINISHED =
            List.of("the client has not ended this run: it still runs, or was killed");

    private final RunSpec spec;
    private final WorkloadSetup setup;
    private final List<RunCompanion> companions;
    private final Bounds bounds;
    private final RunState state;
    private final RunDirectory directory;
    private final Optional<RunAudit> audit;
    private final RunDocument document;
    private final Operations operations = new Operations();
    private final Markers markers = new Markers();
    private final List<ClientThread> threads = new ArrayList<>();
    private final List<Summary.Unfinished> inFlight = new ArrayList<>();
    private Timeline timeline;
    private WindowSampler sampler;
    private volatile boolean sampling;
    private String text = "";

    RunExecution(
            RunSpec spec,
            WorkloadSetup setup,
            List<RunCompanion> companions,
            Bounds bounds,
            RunState state,
            RunDirectory directory,
            Optional<RunAudit> audit) {
        this.spec = spec;
        this.setup = setup;
        this.companions = companions;
        this.bounds = bounds;
        this.state = state;
        this.directory = directory;
        this.audit = audit;
        timeline = Timeline.of(RunClock.startingNow(), spec.window());
        document = new RunDocument(spec, timeline.sliceNanos());
    }

    String text() {
        return text;
    }

    RunResult execute() {
        long endNanos = -1;
        try {
            directory.write("run.json", document.of(RunResult.State.INCOMPLETE, UNFINISHED, null, -1));
            endNanos = initialise() && awaitStart() ? measure() : nothing();
        } catch (IOException | UncheckedIOException e) {
            state.abort("the run directory cannot be written: " + e.getMessage());
            stopThreads();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            state.abort("the thread that executes the run was interrupted");
            stopThreads();
        } catch (RuntimeException | Error e) {
            state.abort("the client loop failed: " + Reasons.of(e));
            stopThreads();
        }
        try {
            setup.workload().cleanup();
        } catch (Exception e) {
            state.abort("the workload's cleanup failed: " + Reasons.of(e));
        }
        try {
            directory.write("run.json", document.of(state.result(), state.reasons(), state.clock(), endNanos));
        } catch (UncheckedIOException e) {
            state.abort(e.getMessage());
        }
        return new RunResult(directory.path(), state.result(), state.reasons());
    }

    /** Starts the threads and waits until all are ready; false when the run cannot start. */
    private boolean initialise() throws InterruptedException {
        for (int i = 0; i < spec.threads(); i++) {
            threads.add(new ClientThread(i, spec.threads(), spec.bindingClass(), setup, setup.workload(), state));
        }
        threads.forEach(Thread::start);
        state.await(
                () -> state.isStopped()
                        || threads.stream().anyMatch(thread -> thread.failure().isPresent())
                        || all(thread -> thread.stage() != ClientThread.Stage.INITIALISING),
                bounds.initialisation().toNanos());
        for (ClientThread thread : threads) {
            thread.failure()
                    .ifPresent(failure ->
                            state.abort(thread.getName() + " could not be initialised: " + Reasons.of(failure)));
        }
        for (ClientThread thread : threads) {
            // The others are still busy, not hung, when the wait ended because one of them has failed.
            if (!state.isStopped() && thread.stage() == ClientThread.Stage.INITIALISING) {
                state.abort(thread.getName() + ": init of " + spec.bindingClass() + " has not returned for "
                        + Format.seconds(bounds.initialisation().toNanos()) + " s");
            }
        }
        return !state.isStopped();
    }

    /** Waits for the time at which the run is to start, if there is one; false when it cannot start. */
    private boolean awaitStart() throws InterruptedException {
        if (spec.startAt().isPresent()) {
            Instant start = spec.startAt().get();
            return new StartBarrier(start, InstantSource.system())
                    .await(
                            state,
                            left -> companions.forEach(
                                    companion -> guarded(companion, "wait", () -> companion.waiting(start, left))));
        }
        return true;
    }

    /** Nothing was measured; the threads that were initialised clean up. */
    private long nothing() throws InterruptedException {
        threads.forEach(thread -> thread.go(null));
        state.await(() -> all(ClientThread::isOver), bounds.stop().toNanos());
        stopThreads();
        return -1;
    }

    private long measure() throws IOException, InterruptedException {
        RunClock clock = RunClock.startingNow();
        state.clock(clock);
        timeline = Timeline.of(clock, spec.window());
        List<ThreadRecorder> recorders = new ArrayList<>();
        threads.forEach(thread -> recorders.add(new ThreadRecorder(operations, timeline)));
        LiveRun live = new LiveRun(state, directory, clock, markers, timeline.sliceNanos(), this::reconnects);
        RunTotals totals =
                new RunTotals(spec.warmup().toNanos(), spec.cooldown().toNanos());
        Collector collector = new Collector(recorders, timeline);
        WindowFiles files = new WindowFiles(directory, operations, markers, timeline.sliceNanos());
        sampler = new WindowSampler(
                collector,
                operations,
                files,
                totals,
                live,
                state,
                companions,
                spec.window().toNanos());
        Thread windows = startSampler();
        long endNanos;
        try {
            start(recorders);
            companions.forEach(companion -> guarded(companion, "start", () -> companion.started(live)));
            supervise();
            drain();
            sampling = false;
            LockSupport.unpark(windows);
            windows.join();
            collector.close();
            endNanos = Math.max(endNanos(), collector.takenUntilNanos());
            unfinished();
            sampler.finish(endNanos);
        } finally {
            // Whatever happened, the companions put the cluster back in order.
            state.stop();
            for (int i = companions.size() - 1; i >= 0; i--) {
                RunCompanion companion = companions.get(i);
                guarded(companion, "end", () -> companion.ended(live));
            }
        }
        close(files, live);
        finishCleanups();
        readBack(clock);
        results(totals, endNanos);
        return endNanos;
    }

    /** The figures so far are worth having even when the disk is full: nothing is thrown. */
    private void close(WindowFiles files, LiveRun live) {
        try (files) {
            files.complete(spec.window().toNanos());
            live.close();
        } catch (IOException | UncheckedIOException e) {
            state.abort("the run directory cannot be written any more: " + e.getMessage());
        }
    }

    private Thread startSampler() {
        sampling = true;
        Thread thread = new Thread(this::sample, "window-sampler");
        thread.setDaemon(true);
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

    private void start(List<ThreadRecorder> recorders) {
        long duration = spec.duration().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        for (int i = 0; i < threads.size(); i++) {
            ThreadRecorder recorder = recorders.get(i);
            int number = i;
            Pacer pacer = spec.rate()
                    .map(plan -> new Pacer(
                            plan,
                            spec.part().lane(number),
                            spec.part().lanes(threads.size()),
                            duration,
                            state.clock(),
                            Pauses.PRECISE,
                            recorder::skip))
                    .orElse(null);
            threads.get(i)
                    .go(new ClientThread.Start(
                            recorder,
                            pacer,
                            setup.share(i, threads.size()),
                            setup.ledger().orElse(null),
                            setup.loading(),
                            setup.retry(),
                            audit.map(RunAudit::audit).orElse(null)));
        }
    }

    /** Waits for the end of the load: all threads done, the time up, a stop, or a call that hangs. */
    private void supervise() throws InterruptedException {
        long duration = spec.duration().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        while (!state.isStopped() && !all(ClientThread::hasWorked)) {
            long left = duration - state.clock().now();
            if (left <= 0) {
                state.stop();
            } else {
                state.await(() -> state.isStopped() || all(ClientThread::hasWorked), Math.min(left, 1_000_000_000L));
                threads.forEach(this::checkHung);
            }
        }
        setup.workload().requestStop();
    }

    private void checkHung(ClientThread thread) {
        thread.inFlight()
                .filter(call -> call.nanos() > bounds.call().toNanos())
                .ifPresent(call -> state.abort(hung(thread, call) + "; a call may take "
                        + Format.seconds(bounds.call().toNanos()) + " s"));
    }

    private String hung(ClientThread thread, ThreadRecorder.InFlight call) {
        return String.format(
                Locale.ROOT,
                "%s: %s has not returned for %.1f s",
                thread.getName(),
                operations.name(call.operation()),
                call.nanos() / 1e9);
    }

    /** Lets the calls under way end, within bounds. */
    private void drain() throws InterruptedException {
        long bound =
                Math.min(bounds.longestStop().toNanos(), Math.max(bounds.stop().toNanos(), 2 * sampler.longestNanos()));
        state.await(() -> all(ClientThread::hasWorked), bound);
        for (ClientThread thread : threads) {
            if (!thread.hasWorked()) {
                String what = thread.inFlight()
                        .map(call -> hung(thread, call))
                        .orElse(thread.getName() + ": the workload has not returned");
                state.abort(what + "; its thread was interrupted");
                thread.interrupt();
            }
        }
        if (!all(ClientThread::hasWorked)) {
            state.await(() -> all(ClientThread::hasWorked), bounds.interrupt().toNanos());
        }
    }

    /** The run's end: later than every completion that was recorded. */
    private long endNanos() {
        return all(ClientThread::hasWorked)
                ? 1
                        + threads.stream()
                                .mapToLong(ClientThread::workEndNanos)
                                .max()
                                .orElse(0)
                : state.clock().now();
    }

    private void unfinished() {
        for (ClientThread thread : threads) {
            if (!thread.hasWorked()) {
                thread.inFlight().ifPresent(call -> {
                    Outcome outcome = Operations.isWrite(call.operation()) ? Outcome.UNKNOWN : Outcome.FAILED;
                    inFlight.add(new Summary.Unfinished(
                            thread.getName(), operations.name(call.operation()), outcome, call.nanos()));
                });
                setup.ledger().ifPresent(ledger -> thread.takeKeysInHand()
                        .forEach(key -> ledger.done(key, "(in flight, number " + key + ")", Outcome.UNKNOWN)));
            }
        }
    }

    private void finishCleanups() throws InterruptedException {
        state.await(
                () -> all(thread -> thread.isOver() || !thread.hasWorked()),
                bounds.stop().toNanos());
        for (ClientThread thread : threads) {
            if (thread.hasWorked() && !thread.isOver()) {
                state.abort(thread.getName() + ": cleanup has not returned for "
                        + Format.seconds(bounds.stop().toNanos()) + " s; its thread was interrupted");
            }
        }
        stopThreads();
    }

    /** After the companions have put the cluster in order, and the client threads have let go of what they buffered. */
    private void readBack(RunClock clock) throws InterruptedException {
        if (audit.isPresent()) {
            document.runIsOver();
            ObjectNode result = audit.get()
                    .audit()
                    .readBack(
                            this::connect,
                            spec.threads(),
                            clock.originNanos(),
                            state::isInterrupted,
                            audit.get().say());
            directory.write("audit.json", result);
        }
    }

    private DB connect(Map<String, String> changes) throws Exception {
        DB db = setup.make(spec.bindingClass());
        Properties changed = new Properties();
        changed.putAll(spec.properties());
        changed.putAll(changes);
        db.setProperties(changed);
        db.init();
        return db;
    }

    private void results(RunTotals totals, long endNanos) throws IOException {
        if (totals.isEmpty()) {
            state.invalidate("warm-up and cool-down leave nothing of the run's " + Format.seconds(endNanos)
                    + " s: there are no summary figures");
        }
        List<Long> cleanups = threads.stream()
                .map(ClientThread::cleanupNanos)
                .filter(nanos -> nanos >= 0)
                .toList();
        String result = StockResult.of(totals, operations, spec.properties(), cleanups, setup.retry());
        String elsewhere = spec.properties().getProperty(Client.EXPORT_FILE_PROPERTY);
        text = elsewhere == null ? result : "";
        ObjectNode summary = Summary.of(totals, operations, endNanos, inFlight, setup.ledger(), setup.retry());
        if (threads.stream().anyMatch(ClientThread::tellsReconnects)) {
            summary.set(
                    "connections",
                    Connections.of(threads.stream()
                            .map(thread -> thread.hasWorked()
                                    ? thread.reconnects()
                                    : Optional.<List<Reconnects.Server>>empty())
                            .toList()));
        }
        directory.write("summary.json", summary);
        directory.write("totals.jsonl", HistogramLine.totals(totals, operations));
        directory.write("ycsb.txt", result);
        if (elsewhere != null) {
            Files.writeString(Path.of(elsewhere), result);
        }
    }

    private List<Optional<List<Reconnects.Server>>> reconnects() {
        return threads.stream().map(ClientThread::reconnects).toList();
    }

    private void guarded(RunCompanion companion, String when, Runnable call) {
        try {
            call.run();
        } catch (RuntimeException | Error e) {
            state.abort(companion.getClass().getSimpleName() + " failed at the run's " + when + ": " + Reasons.of(e));
        }
    }

    /** Whatever has not ended is interrupted and left behind; client threads are daemons. */
    private void stopThreads() {
        sampling = false;
        threads.forEach(thread -> {
            thread.go(null);
            if (!thread.isOver()) {
                thread.interrupt();
            }
        });
    }

    private boolean all(Predicate<ClientThread> condition) {
        return threads.stream().allMatch(condition);
    }
}

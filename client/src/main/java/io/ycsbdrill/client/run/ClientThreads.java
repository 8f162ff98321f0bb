package io.ycsbdrill.client.run;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.client.audit.AuditCheck;
import io.ycsbdrill.client.run.call.OpTimeout;
import io.ycsbdrill.client.run.file.Format;
import io.ycsbdrill.client.run.file.LostConnections;
import io.ycsbdrill.client.run.file.Summary;
import io.ycsbdrill.client.run.measure.Collector;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import io.ycsbdrill.client.run.measure.Timeline;
import io.ycsbdrill.client.run.pace.Pacer;
import io.ycsbdrill.client.run.pace.Pauses;
import io.ycsbdrill.client.run.pace.RatePlan;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The client threads of a run together, from their initialisation to their end. Used by the thread that executes the run, but for {@link #abandon},
 * {@link #calibrated} and {@link #reconnects}.
 */
final class ClientThreads {
    /** Abandoned calls that have not returned, for each client thread: each holds a thread and a connection. */
    private static final int MOST_ABANDONED = 4;

    private final RunSpec spec;
    private final WorkloadSetup setup;
    private final RunBounds bounds;
    private final RunState state;
    private final Operations operations;
    /** How many threads there may be, heirs included: an audit can tell only so many apart. */
    private final int writers;

    private final List<ClientThread> threads = new CopyOnWriteArrayList<>();
    private final Supervision supervision;
    /** Those whose call was abandoned, until they are over; guarded by this, as what follows. */
    private final List<ClientThread> abandoned = new ArrayList<>();

    private int abandonedCalls;
    /** What those that are over have reported about lost connections, added up; empty before the first report. */
    private Optional<List<Reconnects.Server>> lostByAbandoned = Optional.empty();

    ClientThreads(RunSpec spec, WorkloadSetup setup, RunBounds bounds, RunState state, Operations operations) {
        this.spec = spec;
        this.setup = setup;
        this.bounds = bounds;
        this.state = state;
        this.operations = operations;
        supervision = new Supervision(spec, bounds, state, operations, threads);
        writers = spec.auditRun() == 0
                ? Integer.MAX_VALUE
                : AuditCheck.writers(spec.part().of());
    }

    /** Starts the threads and waits until all are ready; false when the run cannot start. */
    boolean initialise() throws InterruptedException {
        for (int i = 0; i < spec.threads(); i++) {
            threads.add(new ClientThread(i, spec.threads(), spec.bindingClass(), setup, setup.workload(), state));
        }
        threads.forEach(Thread::start);
        supervision.untilInitialised();
        return !state.isStopped();
    }

    /** Nothing was measured; those that were initialised clean up. */
    void cleanUp() throws InterruptedException {
        threads.forEach(thread -> thread.go(null));
        state.await(() -> all(ClientThread::isOver), bounds.stop().toNanos());
        stop();
    }

    /** Starts all, each with the recorder of its number. */
    void start(
            List<ThreadRecorder> recorders, Optional<RunAudit> audit, WireMeter wire, Optional<Ownership> ownership) {
        spec.rate()
                .ifPresent(
                        plan -> pace(plan, i -> spec.part().lane(i), spec.part().lanes(threads.size())));
        for (int i = 0; i < threads.size(); i++) {
            threads.get(i)
                    .go(new ThreadStart(
                            recorders.get(i),
                            setup.share(i, threads.size()),
                            i,
                            setup.timeout().isPresent(),
                            setup.ledger().orElse(null),
                            setup.loading(),
                            setup.retry(),
                            audit.orElse(null),
                            wire,
                            ownership.orElse(null)));
        }
    }

    /** The rate of this client alone, after its calibration. From {@code window-sampler}. */
    void calibrated(RatePlan plan) {
        pace(plan, i -> i, threads.size());
    }

    /** Synchronized with {@link #abandon}, so that no heir is left without. */
    private synchronized void pace(RatePlan plan, IntUnaryOperator lane, int lanes) {
        long duration = spec.duration().map(Duration::toNanos).orElse(Long.MAX_VALUE);
        for (int i = 0; i < threads.size(); i++) {
            ClientThread thread = threads.get(i);
            thread.pace(new Pacer(
                    plan, lane.applyAsInt(i), lanes, duration, state.clock(), Pauses.PRECISE, ClientThread::skipped));
        }
    }

    /**
     * Gives up the calls that began no later than this {@link System#nanoTime}, each counted as timed out, and lets an heir go on in
     * place of its thread; as long as not too many of them are still under way. When the audit has no number left for an heir,
     * the run is invalid. From {@code op-deadline}.
     *
     * @param collector takes what the heirs record
     */
    synchronized void abandon(long notAfterNanoTime, Collector collector, Timeline timeline) {
        dropThoseOver();
        for (int i = 0; i < threads.size(); i++) {
            ClientThread hung = threads.get(i);
            if (hung.connection().isOverdue(notAfterNanoTime)
                    && mayBeReplaced()
                    && hung.connection().abandon(notAfterNanoTime)) {
                ThreadRecorder recorder = new ThreadRecorder(operations, timeline, i);
                collector.add(recorder);
                recorder.takeOver(hung.recorder());
                ClientThread heir = hung.heir(recorder, nextWriter());
                abandonedCalls++;
                abandoned.add(hung);
                threads.set(i, heir);
                heir.start();
            }
        }
    }

    /**
     * Their buffers would fill the heap of a long run. One that failed to report its losses stays, as it is silent, and so does one whose lost connection the
     * heir may still replace.
     */
    private void dropThoseOver() {
        for (Iterator<ClientThread> all = abandoned.iterator(); all.hasNext(); ) {
            ClientThread thread = all.next();
            if (thread.isOver()
                    && !thread.connection().isSilent()
                    && !thread.connection().isWithoutConnection()) {
                thread.connection().reconnects().ifPresent(this::keep);
                all.remove();
            }
        }
    }

    private void keep(List<Reconnects.Server> lost) {
        lostByAbandoned = Optional.of(List.copyOf(LostConnections.byServer(List.of(lostByAbandoned, Optional.of(lost)))
                .values()));
    }

    /** Whether one more thread can be left behind, and an heir go on. */
    private boolean mayBeReplaced() {
        if (underWay() >= mostUnderWay()) {
            return false;
        }
        if (nextWriter() >= writers) {
            state.invalidate(OpTimeout.PROPERTY + Formatted.of(": %d {call was|calls were}", abandonedCalls)
                    + " abandoned, and later ones had no deadline, as the audit can tell only " + writers
                    + " threads of this client apart, those that"
                    + " go on in place of others included; give a longer " + OpTimeout.PROPERTY
                    + " or fewer clients, or leave --audit out");
            return false;
        }
        return true;
    }

    private int nextWriter() {
        return spec.threads() + abandonedCalls;
    }

    private long underWay() {
        return abandoned.stream().filter(thread -> !thread.isOver()).count();
    }

    private long mostUnderWay() {
        return MOST_ABANDONED * (long) threads.size();
    }

    /** How many calls were abandoned; empty without a deadline. */
    synchronized Optional<Abandoned> abandoned() {
        return setup.timeout().map(timeout -> new Abandoned(timeout, abandonedCalls, underWay(), mostUnderWay()));
    }

    /**
     * The calls that were given up.
     *
     * @param calls how many
     * @param underWay how many of them have not returned
     * @param most how many may be under way at a time
     */
    record Abandoned(Duration timeout, long calls, long underWay, long most) {}

    /** What was due when the load was stopped, and not sent. */
    Pacer.Unsent unsent(long stoppedNanos) {
        return threads.stream()
                .map(thread -> thread.unsent(stoppedNanos))
                .reduce(Pacer.Unsent.NONE, Pacer.Unsent::plus);
    }

    /** Waits for the end of the load: all threads done, the time up, a stop, a call that hangs, or no way to connect again. */
    void supervise() throws InterruptedException {
        supervision.untilTheEnd();
        setup.workload().requestStop();
    }

    /**
     * Lets the calls under way end, within bounds.
     *
     * @param longestNanos the longest call so far
     */
    void drain(long longestNanos) throws InterruptedException {
        long bound =
                Math.min(bounds.longestStop().toNanos(), Math.max(bounds.stop().toNanos(), 2 * longestNanos));
        state.await(() -> all(ClientThread::hasWorked), bound);
        for (ClientThread thread : threads) {
            if (!thread.hasWorked()) {
                String what = thread.inFlight()
                        .map(call -> supervision.hung(thread, call))
                        .orElse(thread.getName() + ": the workload has not returned");
                state.abort(what + "; its thread was interrupted");
                thread.interrupt();
            }
        }
        state.await(() -> all(ClientThread::hasWorked), bounds.interrupt().toNanos());
    }

    /** The run's end: later than every completion that was recorded. */
    long endNanos() {
        return all(thread -> thread.workEndNanos() >= 0)
                ? 1
                        + threads.stream()
                                .mapToLong(ClientThread::workEndNanos)
                                .max()
                                .orElse(0)
                : state.clock().now();
    }

    /** Calls that have not returned; their keys, in a load, are reported to the ledger. */
    List<Summary.Unfinished> unfinished() {
        List<Summary.Unfinished> inFlight = new ArrayList<>();
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
        return inFlight;
    }

    /** Waits until those that have worked have closed their connections. */
    void finishCleanups() throws InterruptedException {
        state.await(
                () -> all(thread -> thread.isOver() || thread.workEndNanos() < 0),
                bounds.stop().toNanos());
        for (ClientThread thread : threads) {
            if (thread.workEndNanos() >= 0 && !thread.isOver()) {
                state.abort(thread.getName() + ": cleanup has not returned for "
                        + Format.seconds(bounds.stop().toNanos()) + " s; its thread was interrupted");
            }
        }
        stop();
    }

    /** How long each that has come to it took for its cleanup. */
    List<Long> cleanupNanos() {
        return threads.stream()
                .map(thread -> thread.connection().cleanupNanos())
                .filter(nanos -> nanos >= 0)
                .toList();
    }

    /** What each has reported about lost connections so far, also those whose call was abandoned. */
    synchronized List<Optional<List<Reconnects.Server>>> reconnects() {
        return reports(thread -> true);
    }

    /** What each reports in the end; nothing of one that hangs. Empty when the binding does not report them. */
    synchronized Optional<List<Optional<List<Reconnects.Server>>>> lastReconnects() {
        return lostByAbandoned.isPresent()
                        || withAbandoned()
                                .anyMatch(thread -> thread.connection().countsReconnects())
                ? Optional.of(reports(thread -> thread.hasWorked() || thread.isOver()))
                : Optional.empty();
    }

    /** @param heard whether a report of the thread is taken */
    private List<Optional<List<Reconnects.Server>>> reports(Predicate<ClientThread> heard) {
        List<Optional<List<Reconnects.Server>>> reports = new ArrayList<>();
        // One that could not connect has no binding, and so no connection that it could have lost.
        withAbandoned()
                .filter(thread -> thread.connection().countsReconnects())
                .forEach(thread ->
                        reports.add(heard.test(thread) ? thread.connection().reconnects() : Optional.empty()));
        if (lostByAbandoned.isPresent()) {
            reports.add(lostByAbandoned);
        }
        return reports;
    }

    private Stream<ClientThread> withAbandoned() {
        return Stream.concat(threads.stream(), abandoned.stream());
    }

    /** Whatever has not ended is interrupted and left behind; client threads are daemons. */
    synchronized void stop() {
        withAbandoned().forEach(thread -> {
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

package io.ycsbdrill.client.run;

import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.client.audit.journal.AuditDb;
import io.ycsbdrill.client.run.call.Reasons;
import io.ycsbdrill.client.run.call.RetryingDb;
import io.ycsbdrill.client.run.key.InsertingThread;
import io.ycsbdrill.client.run.key.UuidKeys;
import io.ycsbdrill.client.run.measure.AbandonedCall;
import io.ycsbdrill.client.run.measure.MeasuredDb;
import io.ycsbdrill.client.run.measure.RoutedMeasurements;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import io.ycsbdrill.client.run.pace.Pacer;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import site.ycsb.DB;
import site.ycsb.Workload;

/**
 * One client thread: makes its binding, waits for the start, runs its share of the operations, cleans up. A daemon, so that a call
 * that never returns does not keep the process; with a deadline for calls such a thread gets an heir, which goes on in its place with a
 * binding of its own. Other threads only call {@link #stage}, {@link #failure} and the like.
 */
final class ClientThread extends Thread implements RoutedMeasurements.Recording, InsertingThread {

    /** Where the thread is; only ever moves on. */
    enum Stage {
        INITIALISING,
        READY,
        RUNNING,
        CLEANING_UP,
        ENDED
    }

    private final int number;
    private final int threads;
    private final boolean heir;
    private final String bindingClass;
    private final BindingFactory factory;
    private final ThreadConnection connection;
    private final Workload workload;
    private final RunState run;
    private final long madeNanos = System.nanoTime();
    private final CountDownLatch go = new CountDownLatch(1);

    private volatile Stage stage = Stage.INITIALISING;
    private volatile Throwable failure;
    private volatile ThreadStart start;
    private volatile Pacer pacer;
    private final AtomicLong started = new AtomicLong();
    private volatile long workEndNanos = -1;
    private MeasuredDb transacting;
    private AuditDb audited;
    private final RecordsInHand records = new RecordsInHand();

    ClientThread(
            int number, int threads, String bindingClass, BindingFactory factory, Workload workload, RunState run) {
        this(number, threads, bindingClass, factory, workload, run, false);
    }

    private ClientThread(
            int number,
            int threads,
            String bindingClass,
            BindingFactory factory,
            Workload workload,
            RunState run,
            boolean heir) {
        super("client-" + number);
        setDaemon(true);
        this.number = number;
        this.threads = threads;
        this.heir = heir;
        this.bindingClass = bindingClass;
        this.factory = factory;
        this.workload = workload;
        this.run = run;
        connection = new ThreadConnection(getName(), number, bindingClass, factory, run);
    }

    /** 0 for the first. */
    @Override
    public int number() {
        return number;
    }

    /** Lets it run, or with null lets it clean up and end without having run; only the first call counts. */
    synchronized void go(ThreadStart with) {
        if (go.getCount() > 0) {
            start = with;
            go.countDown();
        }
    }

    /** From now on it sends what is due by this, and nothing else; without, it sends the next operation when the one before has returned. */
    void pace(Pacer with) {
        pacer = with;
    }

    /** On a client thread: so many arrivals are dropped now. */
    static void skipped(long arrivals) {
        ((ClientThread) Thread.currentThread()).recorder().skip(arrivals);
    }

    /** What it has not sent of what was due; also when it hangs. */
    Pacer.Unsent unsent(long stoppedNanos) {
        Pacer paced = pacer;
        ThreadStart with = start;
        return paced == null || with == null
                ? Pacer.Unsent.NONE
                : paced.unsent(stoppedNanos, with.transactions() - started.getAcquire());
    }

    /** Its binding; of what others may ask. */
    ThreadConnection connection() {
        return connection;
    }

    /**
     * A thread that goes on where this one was abandoned, not started yet.
     *
     * @param recorder in which the abandoned call was recorded
     * @param writer the heir's number in the audit
     */
    ClientThread heir(ThreadRecorder recorder, int writer) {
        ClientThread next = new ClientThread(number, threads, bindingClass, factory, workload, run, true);
        connection.replacedBy(next.connection);
        next.pacer = pacer;
        next.go(new ThreadStart(
                recorder,
                start.transactions() - started.getAcquire(),
                writer,
                true,
                null,
                start.loading(),
                start.retry(),
                start.audit(),
                start.wire(),
                start.ownership()));
        return next;
    }

    /** Its last operation is over; an heir that could not connect before the end has none. */
    boolean hasWorked() {
        return workEndNanos >= 0 || heir && stage == Stage.INITIALISING && run.isStopped();
    }

    /** For how long an heir has been without a connection so far; 0 once it has one, and for every other thread. */
    long connectingNanos() {
        return heir && stage == Stage.INITIALISING ? System.nanoTime() - madeNanos : 0;
    }

    /** Nothing more is to be expected of it. */
    boolean isOver() {
        return stage == Stage.ENDED;
    }

    Stage stage() {
        return stage;
    }

    /** Why the initialisation failed. */
    Optional<Throwable> failure() {
        return Optional.ofNullable(failure);
    }

    /** The call that has not returned; see {@link ThreadRecorder#inFlight}. */
    Optional<ThreadRecorder.InFlight> inFlight() {
        ThreadRecorder recorder = recorder();
        return recorder == null ? Optional.empty() : recorder.inFlight();
    }

    @Override
    public ThreadRecorder recorder() {
        ThreadStart with = start;
        return with == null ? null : with.recorder();
    }

    /** When its last operation was over, since run start; negative while it runs, or when it never did. */
    long workEndNanos() {
        return workEndNanos;
    }

    /** Takes the records in hand from a thread that hangs. */
    List<Long> takeKeysInHand() {
        return records.takeAway();
    }

    @Override
    public long currentKey() {
        return records.current();
    }

    @Override
    public boolean lastCallSucceeded() {
        return transacting == null || transacting.lastOutcome() == Outcome.OK;
    }

    @Override
    public void run() {
        Object state;
        try {
            if (heir && !connection.openAgain()) {
                workEndNanos = run.clock().now();
                enter(Stage.ENDED);
                return;
            }
            if (!heir) {
                connection.open();
            }
            state = factory.workloadState(number, threads);
        } catch (Throwable t) {
            failure = t;
            if (heir) {
                run.abort(getName() + ": " + Reasons.of(t));
            }
            enter(Stage.ENDED);
            return;
        }
        enter(Stage.READY);
        try {
            go.await();
            if (start != null) {
                enter(Stage.RUNNING);
                work(state);
            }
        } catch (AbandonedCall e) {
            leave();
            return;
        } catch (Throwable t) {
            run.abort(getName() + ": " + Reasons.of(t));
        }
        if (start != null) {
            long end = run.clock().now();
            connection.tellReconnects();
            workEndNanos = end;
            start.wire().end(end);
        }
        enter(Stage.CLEANING_UP);
        connection.cleanUp();
        enter(Stage.ENDED);
    }

    /** Its call has come back after all; its heir has long gone on. */
    private void leave() {
        connection.tellReconnects();
        closeJournal();
        enter(Stage.CLEANING_UP);
        connection.giveUp();
        enter(Stage.ENDED);
    }

    /** An open one takes a megabyte of the disk, a file descriptor and a mapping. */
    private void closeJournal() {
        try {
            if (audited != null) {
                audited.close();
            }
        } catch (UncheckedIOException e) {
            // An interrupt at the end of the run closes the file, too; what is in the journal is complete.
            if (!run.isStopped()) {
                run.abort(getName() + ": " + Reasons.of(e));
            }
        }
    }

    private void work(Object state) {
        ThreadStart with = start;
        DB called = connection.calls(with.ledger() == null, with.abandonable());
        if (with.audit() == null) {
            work(called, state, with);
        } else {
            audited = with.audit().around(called, with.writer());
            work(audited, state, with);
        }
    }

    private void work(DB db, Object state, ThreadStart with) {
        if (with.ledger() == null) {
            DB called = with.retry().isOn() ? new RetryingDb(db, with.recorder(), with.retry(), run::isStopped) : db;
            MeasuredDb measured = new MeasuredDb(called, db, with.recorder(), connection.owners(with.ownership()));
            transact(measured, UuidKeys.over(measured, db.getProperties()), state, with);
        } else {
            records.load(
                    db,
                    workload,
                    state,
                    with.ledger(),
                    with.loading(),
                    with.recorder(),
                    run::isStopped,
                    () -> mayStart(with),
                    () -> started.setRelease(with.transactions()));
        }
    }

    private void transact(MeasuredDb db, DB seen, Object state, ThreadStart with) {
        transacting = db;
        ThreadRecorder recorder = with.recorder();
        while (mayStart(with)) {
            boolean more = workload.doTransaction(seen, state);
            recorder.endTransaction();
            if (lastCallSucceeded()) {
                connection.worked();
            }
            if (!more) {
                started.setRelease(with.transactions()); // The workload has no more, so nothing more is due.
                return;
            }
        }
    }

    /** Waits for the next arrival; false when there is none, or its share is done, or the run ends. */
    private boolean mayStart(ThreadStart with) {
        long next = started.getPlain() + 1;
        if (next > with.transactions()) {
            return false;
        }
        if (audited != null) {
            audited.between();
        }
        connection.tellReconnectsIfAsked();
        if (run.isStopped() || workload.isStopRequested()) {
            return false;
        }
        Pacer paced = pacer;
        if (paced == null) {
            started.setRelease(next);
            with.recorder().beginTransaction();
            return true;
        }
        long due = paced.next(run::isStopped);
        if (due == Pacer.END) {
            return false;
        }
        started.setRelease(next);
        with.recorder().beginTransaction(run.clock().originNanos() + due);
        return true;
    }

    private void enter(Stage next) {
        stage = next;
        run.changed();
    }
}

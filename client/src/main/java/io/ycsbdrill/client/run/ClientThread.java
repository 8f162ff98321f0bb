package io.ycsbdrill.client.run;

import io.ycsbdrill.binding.KeyOwners;
import io.ycsbdrill.binding.Outcome;
import io.ycsbdrill.binding.OwnServer;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.Transactions;
import io.ycsbdrill.client.audit.journal.AuditDb;
import io.ycsbdrill.client.run.call.Attempt;
import io.ycsbdrill.client.run.call.DeadlineDb;
import io.ycsbdrill.client.run.call.LoadingDb;
import io.ycsbdrill.client.run.call.Reasons;
import io.ycsbdrill.client.run.call.ReopeningDb;
import io.ycsbdrill.client.run.call.RetryPolicy;
import io.ycsbdrill.client.run.call.RetryingDb;
import io.ycsbdrill.client.run.key.InsertingThread;
import io.ycsbdrill.client.run.key.LoadLedger;
import io.ycsbdrill.client.run.key.UuidKeys;
import io.ycsbdrill.client.run.measure.AbandonedCall;
import io.ycsbdrill.client.run.measure.KeyOwner;
import io.ycsbdrill.client.run.measure.MeasuredDb;
import io.ycsbdrill.client.run.measure.RoutedMeasurements;
import io.ycsbdrill.client.run.measure.ThreadRecorder;
import io.ycsbdrill.client.run.pace.Pacer;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import site.ycsb.DB;
import site.ycsb.Workload;

/**
 * One client thread: makes its binding, waits for the start, runs its share of the operations, cleans up. A daemon, so that a call
 * that never returns does not keep the process; with a deadline for calls such a thread gets an heir, which goes on in its place with a
 * binding of its own. Other threads only call {@link #state}, {@link #failure} and the like.
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

    /**
     * What a thread needs to run, known when all are initialised; without {@code ledger} it is no load, without {@code audit} not audited, and
     * without {@code ownership} operations are not counted by the owners of their keys.
     *
     * @param writer the thread's number in the audit
     * @param abandonable whether a call may be abandoned
     */
    record Start(
            ThreadRecorder recorder,
            long transactions,
            int writer,
            boolean abandonable,
            LoadLedger ledger,
            LoadingDb.Policy loading,
            RetryPolicy retry,
            RunAudit audit,
            WireMeter wire,
            Ownership ownership) {}

    /** What an heir waits after its binding could not be initialised. */
    private static final long RECONNECT_NANOS = 200_000_000;

    private final int number;
    private final int threads;
    private final boolean heir;
    private final String bindingClass;
    private final BindingFactory factory;
    private final Workload workload;
    private final RunState run;
    private final long madeNanos = System.nanoTime();
    private final CountDownLatch go = new CountDownLatch(1);
    /** Whether its binding has had a connection for sure: a call succeeded or was abandoned, or a loss was reported. */
    private final AtomicBoolean connected = new AtomicBoolean();

    private volatile Stage stage = Stage.INITIALISING;
    private volatile Throwable failure;
    private volatile long cleanupNanos = -1;
    private volatile Start start;
    private volatile Pacer pacer;
    private volatile DeadlineDb deadline;
    private final AtomicLong started = new AtomicLong();
    private volatile long workEndNanos = -1;
    private volatile boolean countsReconnects;
    private volatile List<Reconnects.Server> reconnects;
    /** Whether the heir has had a connection; null without an heir. The heir itself would keep those that follow it in memory. */
    private volatile AtomicBoolean replaced;

    private DB binding;
    private int reconnectsTold;
    private long currentKey;
    /** Around a binding that is not ours, in a run. */
    private ReopeningDb reopening;

    private MeasuredDb transacting;
    private AuditDb audited;
    /** The records being inserted; whoever takes one away says what became of it. */
    private final Set<Long> keysInHand = ConcurrentHashMap.newKeySet();

    /** Makes and initialises the binding of one thread. */
    interface BindingFactory {
        /** A new binding, with its properties set, not initialised. */
        DB make(String bindingClass) throws Exception;

        /** How many threads the clients before this one have in all: 0 for the first client. */
        int firstThread();

        /** What the workload keeps for this thread. */
        Object workloadState(int thread, int threads) throws Exception;
    }

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
    }

    /** 0 for the first. */
    @Override
    public int number() {
        return number;
    }

    /** Lets it run, or with null lets it clean up and end without having run; only the first call counts. */
    synchronized void go(Start with) {
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
        Start with = start;
        return paced == null || with == null
                ? Pacer.Unsent.NONE
                : paced.unsent(stoppedNanos, with.transactions - started.getAcquire());
    }

    /** Whether it is in a call that began no later than this {@link System#nanoTime}. */
    boolean isOverdue(long notAfterNanoTime) {
        DeadlineDb calls = deadline;
        return calls != null && calls.isOverdue(notAfterNanoTime);
    }

    /** Gives up its call, if that began no later than this {@link System#nanoTime}; false when there is none. */
    boolean abandon(long notAfterNanoTime) {
        DeadlineDb calls = deadline;
        return calls != null && calls.abandon(notAfterNanoTime);
    }

    /**
     * A thread that goes on where this one was abandoned, not started yet.
     *
     * @param recorder in which the abandoned call was recorded
     * @param writer the heir's number in the audit
     */
    ClientThread heir(ThreadRecorder recorder, int writer) {
        connected.set(true);
        ClientThread next = new ClientThread(number, threads, bindingClass, factory, workload, run, true);
        replaced = next.connected;
        next.pacer = pacer;
        next.go(new Start(
                recorder,
                start.transactions - started.getAcquire(),
                writer,
                true,
                null,
                start.loading,
                start.retry,
                start.audit,
                start.wire,
                start.ownership));
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

    /** How long cleanup took; negative when it did not succeed or has not. */
    long cleanupNanos() {
        return cleanupNanos;
    }

    /** The call that has not returned; see {@link ThreadRecorder#inFlight}. */
    Optional<ThreadRecorder.InFlight> inFlight() {
        ThreadRecorder recorder = recorder();
        return recorder == null ? Optional.empty() : recorder.inFlight();
    }

    @Override
    public ThreadRecorder recorder() {
        Start with = start;
        return with == null ? null : with.recorder;
    }

    /** When its last operation was over, since run start; negative while it runs, or when it never did. */
    long workEndNanos() {
        return workEndNanos;
    }

    /** Whether its binding counts lost connections; known when it is initialised. */
    boolean countsReconnects() {
        return countsReconnects;
    }

    /**
     * What the binding last reported about lost connections, all of them replaced once an heir has one; empty when it has not, or does not report
     * them.
     */
    Optional<List<Reconnects.Server>> reconnects() {
        AtomicBoolean by = replaced;
        Optional<List<Reconnects.Server>> reported = Optional.ofNullable(reconnects);
        return by == null || !by.get()
                ? reported
                : reported.map(
                        lost -> lost.stream().map(Reconnects.Server::replaced).toList());
    }

    /** Whether a connection of its own that it has lost may still be replaced. */
    boolean isWithoutConnection() {
        return reconnects().stream()
                .flatMap(List::stream)
                .anyMatch(server -> !server.shared() && server.regained() < server.lost());
    }

    /** Whether its binding counts lost connections and it has not reported any count, not even none. */
    boolean isSilent() {
        return countsReconnects && reconnects == null;
    }

    /** Takes the records in hand from a thread that hangs. */
    List<Long> takeKeysInHand() {
        return keysInHand.stream().filter(keysInHand::remove).toList();
    }

    @Override
    public long currentKey() {
        return currentKey;
    }

    @Override
    public boolean lastCallSucceeded() {
        return transacting == null || transacting.lastOutcome() == Outcome.OK;
    }

    @Override
    public void run() {
        DB db;
        Object state;
        try {
            db = heir ? reconnected() : connected();
            if (db == null) {
                workEndNanos = run.clock().now();
                enter(Stage.ENDED);
                return;
            }
            countsReconnects = db instanceof Reconnects;
            binding = db;
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
                work(db, state);
            }
        } catch (AbandonedCall e) {
            leave(db);
            return;
        } catch (Throwable t) {
            run.abort(getName() + ": " + Reasons.of(t));
        }
        if (start != null) {
            long end = run.clock().now();
            tellReconnects();
            workEndNanos = end;
            start.wire.end(end);
        }
        enter(Stage.CLEANING_UP);
        cleanUp(db);
        enter(Stage.ENDED);
    }

    private DB connected() throws Exception {
        DB db = factory.make(bindingClass);
        if (db instanceof OwnServer own) {
            own.thread(factory.firstThread() + number);
        }
        db.init();
        return db;
    }

    /** Tries until it succeeds, as what made a call hang may keep a new connection from being made; null when the run ends first. */
    private DB reconnected() {
        while (!run.isStopped()) {
            try {
                return connected();
            } catch (Exception e) {
                Attempt.pause(RECONNECT_NANOS, run::isStopped);
            }
        }
        return null;
    }

    /** Its call has come back after all; its heir has long gone on. */
    private void leave(DB db) {
        tellReconnects();
        closeJournal();
        enter(Stage.CLEANING_UP);
        try {
            (reopening == null ? db : reopening).cleanup();
        } catch (Exception e) {
            enter(Stage.ENDED); // Whatever became of the connection, it was given up.
            return;
        }
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

    private void work(DB bound, Object state) {
        Start with = start;
        DB bare = bound;
        if (with.ledger == null && ReopeningDb.isFor(bound.getClass()) && !(bound instanceof Transactions)) {
            reopening = new ReopeningDb(bound, this::connected, run.bindingWorked(), run::isStopped);
            bare = reopening;
        }
        if (with.abandonable) {
            deadline = new DeadlineDb(bare);
        }
        DB called = with.abandonable ? deadline : bare;
        if (with.audit == null) {
            work(called, state, with);
        } else {
            audited = with.audit.around(called, with.writer);
            work(audited, state, with);
        }
    }

    private void work(DB db, Object state, Start with) {
        if (with.ledger == null) {
            DB called = with.retry.isOn() ? new RetryingDb(db, with.recorder, with.retry, run::isStopped) : db;
            MeasuredDb measured = new MeasuredDb(called, db, with.recorder, owners(with));
            transact(measured, UuidKeys.over(measured, db.getProperties()), state, with);
        } else {
            LoadLedger ledger = with.ledger;
            LoadingDb loading = new LoadingDb(db, with.recorder, with.loading, run::isStopped, (key, name, outcome) -> {
                if (keysInHand.remove(key)) {
                    ledger.done(key, name == null ? "(no key)" : name, outcome);
                }
            });
            try {
                load(loading, UuidKeys.over(loading, db.getProperties()), state, with);
                loading.flush();
            } finally {
                loading.drop();
            }
        }
    }

    private KeyOwner owners(Start with) {
        return with.ownership != null && binding instanceof KeyOwners known
                ? with.ownership.lookup(known)
                : (table, key) -> KeyOwner.NONE;
    }

    private void transact(MeasuredDb db, DB seen, Object state, Start with) {
        transacting = db;
        ThreadRecorder recorder = with.recorder;
        while (mayStart(with)) {
            boolean more = workload.doTransaction(seen, state);
            recorder.endTransaction();
            if (!connected.get() && lastCallSucceeded()) {
                connected.set(true);
            }
            if (!more) {
                started.setRelease(with.transactions); // The workload has no more, so nothing more is due.
                return;
            }
        }
    }

    private void load(LoadingDb db, DB seen, Object state, Start with) {
        LoadLedger ledger = with.ledger;
        // The key is taken last: one that was taken is always tried.
        while (mayStart(with)) {
            long key = ledger.take();
            if (key < 0) {
                started.setRelease(with.transactions);
                return;
            }
            currentKey = key;
            keysInHand.add(key);
            db.begin(key);
            boolean more;
            try {
                more = workload.doInsert(seen, state);
            } finally {
                db.end();
            }
            if (!more && db.accepted()) {
                started.setRelease(with.transactions);
                return;
            }
        }
    }

    /** Waits for the next arrival; false when there is none, or its share is done, or the run ends. */
    private boolean mayStart(Start with) {
        long next = started.getPlain() + 1;
        if (next > with.transactions) {
            return false;
        }
        if (audited != null) {
            audited.between();
        }
        if (reconnectsTold != run.reconnectsAsked()) {
            reconnectsTold = run.reconnectsAsked();
            tellReconnects();
        }
        if (run.isStopped() || workload.isStopRequested()) {
            return false;
        }
        Pacer paced = pacer;
        if (paced == null) {
            started.setRelease(next);
            with.recorder.beginTransaction();
            return true;
        }
        long due = paced.next(run::isStopped);
        if (due == Pacer.END) {
            return false;
        }
        started.setRelease(next);
        with.recorder.beginTransaction(run.clock().originNanos() + due);
        return true;
    }

    private void tellReconnects() {
        if (binding instanceof Reconnects counting) {
            try {
                reconnects = List.copyOf(counting.reconnects());
                if (!reconnects.isEmpty()) {
                    connected.set(true);
                }
            } catch (RuntimeException | Error e) {
                reconnects = null;
                run.abort(getName() + ": the binding failed to report its lost connections: " + Reasons.of(e));
            }
        }
    }

    private void cleanUp(DB db) {
        try {
            long from = System.nanoTime();
            (reopening == null ? db : reopening).cleanup();
            cleanupNanos = System.nanoTime() - from;
        } catch (Throwable t) {
            run.abort(getName() + ": cleanup failed, buffered writes may be lost: " + Reasons.of(t));
        }
    }

    private void enter(Stage next) {
        stage = next;
        run.changed();
    }
}

package io.ycsbdrill.client.run;

import io.ycsbdrill.binding.KeyOwners;
import io.ycsbdrill.binding.OwnServer;
import io.ycsbdrill.binding.Reconnects;
import io.ycsbdrill.binding.Transactions;
import io.ycsbdrill.client.run.call.Attempt;
import io.ycsbdrill.client.run.call.DeadlineDb;
import io.ycsbdrill.client.run.call.Reasons;
import io.ycsbdrill.client.run.call.ReopeningDb;
import io.ycsbdrill.client.run.measure.KeyOwner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import site.ycsb.DB;

/**
 * The binding of one client thread: made, opened again, given a deadline, asked for lost connections, cleaned up. Owned by that
 * thread; others call {@link #isOverdue}, {@link #abandon}, {@link #reconnects} and the like.
 */
final class ThreadConnection {
    /** What an heir waits after its binding could not be initialised. */
    private static final long RECONNECT_NANOS = 200_000_000;

    private final String thread;
    private final int number;
    private final String bindingClass;
    private final BindingFactory factory;
    private final RunState run;
    /** Whether its binding has had a connection for sure: a call succeeded or was abandoned, or a loss was reported. */
    private final AtomicBoolean connected = new AtomicBoolean();

    private volatile long cleanupNanos = -1;
    private volatile DeadlineDb deadline;
    private volatile boolean countsReconnects;
    private volatile List<Reconnects.Server> reconnects;
    /** Whether the heir has had a connection; null without an heir. The heir itself would keep those that follow it in memory. */
    private volatile AtomicBoolean replaced;

    private DB binding;
    private int reconnectsTold;
    /** Around a binding that is not ours, in a run. */
    private ReopeningDb reopening;

    ThreadConnection(String thread, int number, String bindingClass, BindingFactory factory, RunState run) {
        this.thread = thread;
        this.number = number;
        this.bindingClass = bindingClass;
        this.factory = factory;
        this.run = run;
    }

    /** Makes and initialises the binding. */
    void open() throws Exception {
        DB db = connected();
        countsReconnects = db instanceof Reconnects;
        binding = db;
    }

    /** Tries until it succeeds, as what made a call hang may keep a new connection from being made; false when the run ends first. */
    boolean openAgain() {
        while (!run.isStopped()) {
            try {
                open();
                return true;
            } catch (Exception e) {
                Attempt.pause(RECONNECT_NANOS, run::isStopped);
            }
        }
        return false;
    }

    private DB connected() throws Exception {
        DB db = factory.make(bindingClass);
        if (db instanceof OwnServer own) {
            own.thread(factory.firstThread() + number);
        }
        db.init();
        return db;
    }

    /**
     * What operations are to call.
     *
     * @param reopens whether a binding that is not ours is opened again when it throws
     * @param abandonable whether a call may be abandoned
     */
    DB calls(boolean reopens, boolean abandonable) {
        DB bare = binding;
        if (reopens && ReopeningDb.isFor(binding.getClass()) && !(binding instanceof Transactions)) {
            reopening = new ReopeningDb(binding, this::connected, run.bindingWorked(), run::isStopped);
            bare = reopening;
        }
        if (abandonable) {
            deadline = new DeadlineDb(bare);
        }
        return abandonable ? deadline : bare;
    }

    /** Finds the owners of keys; none when the binding does not know them, or when nobody asks. */
    KeyOwner owners(Ownership ownership) {
        return ownership != null && binding instanceof KeyOwners known
                ? ownership.lookup(known)
                : (table, key) -> KeyOwner.NONE;
    }

    /** A call has succeeded. */
    void worked() {
        if (!connected.get()) {
            connected.set(true);
        }
    }

    /** Its thread was abandoned in a call, and that of the other one goes on. */
    void replacedBy(ThreadConnection next) {
        connected.set(true);
        replaced = next.connected;
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

    /** Whether its binding counts lost connections; known when it is initialised. */
    boolean countsReconnects() {
        return countsReconnects;
    }

    /**
     * What the binding last reported about lost connections, all of them replaced once an heir has one; empty when it has not, or does
     * not report them.
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

    /** Reports lost connections if the run has asked for that since. */
    void tellReconnectsIfAsked() {
        int asked = run.reconnectsAsked();
        if (reconnectsTold != asked) {
            reconnectsTold = asked;
            tellReconnects();
        }
    }

    /** Reports lost connections. */
    void tellReconnects() {
        if (binding instanceof Reconnects counting) {
            try {
                reconnects = List.copyOf(counting.reconnects());
                if (!reconnects.isEmpty()) {
                    connected.set(true);
                }
            } catch (RuntimeException | Error e) {
                reconnects = null;
                run.abort(thread + ": the binding failed to report its lost connections: " + Reasons.of(e));
            }
        }
    }

    /** How long cleanup took; negative when it did not succeed or has not. */
    long cleanupNanos() {
        return cleanupNanos;
    }

    void cleanUp() {
        try {
            long from = System.nanoTime();
            current().cleanup();
            cleanupNanos = System.nanoTime() - from;
        } catch (Throwable t) {
            run.abort(thread + ": cleanup failed, buffered writes may be lost: " + Reasons.of(t));
        }
    }

    /** Closes what an abandoned call has come back to; whatever became of the connection, it was given up. */
    void giveUp() {
        try {
            current().cleanup();
        } catch (Exception e) {
            return; // nobody waits for it
        }
    }

    private DB current() {
        return reopening == null ? binding : reopening;
    }
}

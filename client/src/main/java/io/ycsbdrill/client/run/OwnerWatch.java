package io.ycsbdrill.client.run;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.binding.KeyOwners;
import io.ycsbdrill.client.run.call.Reasons;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import site.ycsb.DB;

/**
 * The thread {@code key-owners}: with a binding of its own it asks the cluster for the owners of the keys before the run, and once
 * in a while as long as it lasts. A cluster that does not answer delays nobody.
 */
final class OwnerWatch extends Thread {
    private static final long CLOSE_MILLIS = 2_000;

    private final RunSpec spec;
    private final BindingFactory bindings;
    private final Duration every;
    private final CountDownLatch first = new CountDownLatch(1);
    private volatile Ownership ownership;
    private volatile RunClock clock;
    private volatile boolean ended;

    private OwnerWatch(RunSpec spec, BindingFactory bindings, Duration every) {
        super("key-owners");
        setDaemon(true);
        this.spec = spec;
        this.bindings = bindings;
        this.every = every;
    }

    /**
     * Starts it and waits for the first answer.
     *
     * @param timeout of the first answer
     * @param every how often it asks
     * @return empty when the run does not want it, or its binding cannot tell
     */
    static Optional<OwnerWatch> start(RunSpec spec, BindingFactory bindings, Duration timeout, Duration every)
            throws InterruptedException {
        if (!Ownership.wantedBy(spec) || !isCapable(spec.bindingClass())) {
            return Optional.empty();
        }
        OwnerWatch watch = new OwnerWatch(spec, bindings, every);
        watch.start();
        if (!watch.first.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            watch.answered(Ownership.unknown(
                    Ownership.table(spec), "the cluster did not say within " + timeout.toSeconds() + " s"));
        }
        return Optional.of(watch);
    }

    private static boolean isCapable(String bindingClass) {
        try {
            return KeyOwners.class.isAssignableFrom(Class.forName(bindingClass));
        } catch (ClassNotFoundException | LinkageError e) {
            return false; // The client threads report it.
        }
    }

    /** The owners at the start. */
    Ownership ownership() {
        return ownership;
    }

    /** From now on changes are dated by this clock. */
    void running(RunClock with) {
        clock = with;
        LockSupport.unpark(this);
    }

    /** Asks no more. Does not wait for a question that is not answered. */
    void end() {
        ended = true;
        LockSupport.unpark(this);
    }

    /** Asks no more, and waits a little for its binding to be closed. */
    void close() {
        end();
        try {
            join(CLOSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The first answer counts: one that comes too late does not replace that there was none. */
    private synchronized void answered(Ownership answer) {
        if (ownership == null) {
            ownership = answer;
            first.countDown();
        }
    }

    @Override
    public void run() {
        String table = Ownership.table(spec);
        DB db = null;
        try {
            db = bindings.make(spec.bindingClass());
            db.init();
            answered(Ownership.of(table, ((KeyOwners) db).owners(table)));
            follow((KeyOwners) db, table);
        } catch (Exception | LinkageError e) {
            answered(Ownership.unknown(table, Reasons.of(e)));
        } finally {
            cleanUp(db);
        }
    }

    private void follow(KeyOwners cluster, String table) {
        while (!ended && ownership.isKnown()) {
            LockSupport.parkNanos(every.toNanos());
            RunClock running = clock;
            if (!ended && running != null) {
                try {
                    ownership.seen(cluster.owners(table), running.now());
                } catch (Exception e) {
                    // A cluster in trouble need not answer; what was seen last stays true as far as anybody knows.
                    continue;
                }
            }
        }
    }

    private static void cleanUp(DB db) {
        try {
            if (db != null) {
                db.cleanup();
            }
        } catch (Exception e) {
            // Nothing was written by it.
        }
    }
}

package io.ycsbdrill.client.cli.process;

import io.ycsbdrill.client.run.BenchmarkRun;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.session.Interrupter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Ends a session in order when the process is asked to end: a shutdown hook interrupts the run that is under way, and
 * holds the end of the process until the run directory is complete and the session's cluster is stopped, at most
 * {@value #TIMEOUT_SECONDS} s. Thread-safe.
 */
public final class Stop implements Interrupter, AutoCloseable {
    private static final int TIMEOUT_SECONDS = 60;
    private static final String REASON = "the process was interrupted (Ctrl-C, SIGTERM or SIGHUP)";

    private final Thread session = Thread.currentThread();
    private final CountDownLatch finished = new CountDownLatch(1);
    private final Thread hook = new Thread(this::end, "session-stop");
    private Consumer<String> current;
    private boolean requested;
    private boolean interruptible = true;

    private Stop() {}

    /** From now on until {@link #close}, for a session on the calling thread. */
    public static Stop install() {
        Stop stop = new Stop();
        Runtime.getRuntime().addShutdownHook(stop.hook);
        return stop;
    }

    /** Executes the run so that it can be stopped. */
    public RunResult during(BenchmarkRun run) {
        return during(run::interrupt, run::execute);
    }

    @Override
    public <T> T during(Consumer<String> interrupt, Supplier<T> work) {
        if (requested(interrupt)) {
            interrupt.accept(REASON);
        }
        try {
            return work.get();
        } finally {
            synchronized (this) {
                current = null;
            }
        }
    }

    private synchronized boolean requested(Consumer<String> next) {
        current = next;
        return requested;
    }

    /** From now on the session only puts things in order, and is left alone to do so. */
    public synchronized void noMore() {
        interruptible = false;
        if (requested) {
            // The interrupt was ours and has done its work; the orderly end must not be cut short by it.
            Thread.interrupted();
        }
    }

    /** Whether the process was interrupted. */
    public synchronized boolean requested() {
        return requested;
    }

    private void end() {
        Consumer<String> interrupt;
        synchronized (this) {
            requested = true;
            interrupt = current;
            if (interrupt == null && interruptible) {
                session.interrupt();
            }
        }
        if (interrupt != null) {
            interrupt.accept(REASON);
        }
        try {
            if (!finished.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
                System.err.println("error: the command did not end within " + TIMEOUT_SECONDS
                        + " s of being interrupted; ending it now, its run directory may lack files");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        finished.countDown();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The process is ending already; the hook has just been released.
            return;
        }
    }
}

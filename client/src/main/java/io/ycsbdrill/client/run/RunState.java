package io.ycsbdrill.client.run;

import io.ycsbdrill.base.RunClock;
import io.ycsbdrill.base.Secrets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** Whether a run continues, and why it is not complete or not valid. Thread-safe; the only state that all threads of a run share. */
final class RunState {
    private final Set<String> incomplete = new LinkedHashSet<>();
    private final Set<String> invalid = new LinkedHashSet<>();
    private volatile boolean stopped;
    private volatile boolean interrupted;
    private volatile RunClock clock;
    private volatile int reconnectsAsked;
    private final AtomicBoolean bindingWorked = new AtomicBoolean();
    private long stoppedNanos = -1;

    /** Set once, before the client threads run. */
    void clock(RunClock started) {
        clock = started;
    }

    /** The run's clock; null before its start. */
    RunClock clock() {
        return clock;
    }

    /** Asked by client threads before every operation. */
    boolean isStopped() {
        return stopped;
    }

    /** Whether an operation of a binding has succeeded. */
    AtomicBoolean bindingWorked() {
        return bindingWorked;
    }

    /** Client threads are to report lost connections again. */
    synchronized void askReconnects() {
        reconnectsAsked++;
    }

    /** How often that was asked; looked at by client threads before every operation. */
    int reconnectsAsked() {
        return reconnectsAsked;
    }

    synchronized void stop() {
        if (!stopped && clock != null) {
            stoppedNanos = clock.now();
        }
        stopped = true;
        notifyAll();
    }

    /** When the client threads were first asked to end, since run start; empty before. */
    synchronized OptionalLong stoppedNanos() {
        return stoppedNanos < 0 ? OptionalLong.empty() : OptionalLong.of(stoppedNanos);
    }

    /** Ends the run as incomplete. */
    synchronized void abort(String reason) {
        incomplete.add(Secrets.withoutKnown(reason));
        stop();
    }

    /** Ends the run as incomplete, and what would follow it, too. */
    void interrupt(String reason) {
        interrupted = true;
        abort(reason);
    }

    /** Whether the run was interrupted from outside, so that nothing is to follow it. */
    boolean isInterrupted() {
        return interrupted;
    }

    /** Lets it continue as invalid. */
    synchronized void invalidate(String reason) {
        invalid.add(Secrets.withoutKnown(reason));
    }

    /** Something changed that the supervisor may wait for. */
    synchronized void changed() {
        notifyAll();
    }

    /** Waits until this holds, looking again after every change, for at most so long. */
    synchronized void await(BooleanSupplier condition, long nanos) throws InterruptedException {
        long until = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !condition.getAsBoolean(); left = until - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    synchronized RunResult.State result() {
        return !incomplete.isEmpty()
                ? RunResult.State.INCOMPLETE
                : invalid.isEmpty() ? RunResult.State.COMPLETE : RunResult.State.INVALID;
    }

    /** In the order in which they came up, those that ended the run first; what many threads have said is said once. */
    synchronized List<String> reasons() {
        return Stream.concat(incomplete.stream(), invalid.stream()).distinct().toList();
    }
}

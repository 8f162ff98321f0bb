package io.ycsbdrill.client.run;

import io.ycsbdrill.client.run.measure.IntervalTotals;
import io.ycsbdrill.client.run.measure.Operations;
import io.ycsbdrill.client.run.measure.WindowSnapshot;
import java.time.Duration;
import java.time.Instant;

/**
 * Accompanies a run: a drill, the live status line. {@link #waiting}, {@link #started} and {@link #ended} are called on the thread that
 * executes the run, {@link #window} and {@link #interval} on {@code window-sampler}; an exception from any of them ends the run as incomplete.
 */
public interface RunCompanion {

    /** The client threads are initialised and wait for this time, so long from now. Must return at once. */
    default void waiting(Instant start, Duration left) {}

    /** The client threads are initialised and start now. Must return at once; long work belongs to the companion's own thread. */
    void started(RunControl run);

    /** The calibration is over, and its rate is sent from now on. On {@code window-sampler}; must not block. */
    default void calibrated(Calibrated result) {}

    /**
     * A window is complete or, about once a second, the current one has grown ({@link WindowSnapshot#complete} is false). Must
     * not block.
     */
    default void window(WindowSnapshot window) {}

    /**
     * A recording interval has ended; its sums are complete and change no more, so that they may be kept. Must not block: the next
     * interval waits.
     *
     * @param names of the operations in it
     */
    default void interval(IntervalTotals interval, Operations names) {}

    /**
     * The load has ended, normally or not, and its data are being closed. Blocks until the companion has put the cluster back
     * in order (healed) and added its last markers and files. Called exactly once if {@link #started} was, also when the run is aborted.
     */
    default void ended(RunControl run) {}
}

package io.ycsbdrill.client.run;

/**
 * Something that goes along with a run: a drill, the live status line. {@link #started} and {@link #ended} are called on the thread that
 * executes the run, {@link #window} on {@code window-sampler}; an exception from any of them ends the run as incomplete.
 */
public interface RunCompanion {

    /** The client threads are initialised and start now. Must return at once; long work belongs to the companion's own thread. */
    void started(RunControl run);

    /**
     * A window is complete or, about once a second, the current one has grown ({@link WindowSnapshot#complete} is false). Must
     * not block.
     */
    default void window(WindowSnapshot window) {}

    /**
     * The load has ended, normally or not, and its data are being closed. Blocks until the companion has put the cluster back
     * in order (healed) and added its last markers and files. Called exactly once if {@link #started} was, also when the run is aborted.
     */
    default void ended(RunControl run) {}
}

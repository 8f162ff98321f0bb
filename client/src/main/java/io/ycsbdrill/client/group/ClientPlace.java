package io.ycsbdrill.client.group;

import io.ycsbdrill.client.run.RunSpec;
import java.io.IOException;

/** Where a further client of a run is: this machine, or a host of an inventory. Thread-safe. */
public interface ClientPlace {

    /** For messages, after the client's name: {@code on load1}; empty for this machine. */
    String where();

    /**
     * Brings there what the client needs, if it is not there yet.
     *
     * @throws IOException when the place cannot be reached, or lacks something that cannot be sent
     */
    default void prepare() throws IOException {
        // Everything is here.
    }

    /** The specification as it is to be executed there: with a run directory of the place. */
    default RunSpec placed(RunSpec spec) {
        return spec;
    }

    /**
     * Starts the client's process; {@link JoinedClient} is at the other end of its standard input and output.
     *
     * @throws IOException when it cannot be started
     */
    Process start(RunSpec placed) throws IOException;

    /**
     * Brings the run directory to where the specification says, when the process has ended.
     *
     * @param spec as given to {@link #placed}
     * @throws IOException when it cannot be had
     */
    default void collect(RunSpec spec) throws IOException {
        // It is here already.
    }

    /**
     * Removes what the run has left there, when it has been collected.
     *
     * @param spec as given to {@link #placed}
     * @throws IOException when something is still there, which costs no more than space
     */
    default void clean(RunSpec spec) throws IOException {
        // It is where it belongs.
    }

    /** Whether its clock is another one than this machine's, so that they have to be compared. */
    default boolean hasOwnClock() {
        return false;
    }

    /** Whether the others go on without it when it is lost during the run; else all end with it. */
    default boolean mayBeLost() {
        return false;
    }
}

package io.ycsbdrill.fault.node;

import java.time.Duration;

/** Stops a node through the engine's own management interface. */
public interface Stoppable {

    /** How a node is asked to stop. */
    enum Mode {
        /** Hand over first: transactions end, primaries move. */
        GRACEFUL,
        /** At once, by the engine's own means, without hand-over. */
        ABORT
    }

    /** Whether a node is stopped gracefully while one starts, itself or another one; NDB refuses that. */
    default boolean stopsWhileStarting() {
        return true;
    }

    /**
     * Stops the node and returns when its process is gone. The node stays down until it is started. Stopping a node that is
     * already down does nothing.
     *
     * @throws NodeControlException when the engine refuses, or the node is not down within the bound
     */
    void stop(String node, Mode mode, Duration bound);
}

package io.ycsbdrill.fault.node;

import java.time.Duration;

/** Starts a node that is down. */
public interface Startable {

    /**
     * Starts the node's process with the files it has and returns when the process runs; the engine's events say when it is
     * whole again. Starting a node that runs already does nothing.
     *
     * @throws NodeControlException when the process does not come up or ends at once
     */
    void start(String node);

    /**
     * Waits until the engine calls the node whole ({@link NodeStatus.State#STARTED}).
     *
     * @throws NodeControlException when it is not within the bound
     */
    void awaitStarted(String node, Duration bound);
}

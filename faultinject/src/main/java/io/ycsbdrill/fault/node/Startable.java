package io.ycsbdrill.fault.node;

import java.time.Duration;
import java.util.Optional;

/** Starts a node that is down. */
public interface Startable {

    /**
     * Starts the node's process with the files it has and returns when the process runs; the engine's events say when it has
     * recovered. Starting a node that is already running does nothing; the process of one that is
     * {@link NodeStatus.State#EXPELLED} is ended first.
     *
     * @throws NodeControlException when the process does not come up or ends at once
     */
    void start(String node);

    /**
     * Waits until the engine reports the node as recovered ({@link NodeStatus.State#STARTED}).
     *
     * @throws NodeControlException when it is not within the bound
     */
    void awaitStarted(String node, Duration bound);

    /**
     * Why a node that was started will not come back by itself: it has no process any more, with the last lines of its log. Empty while
     * it has one, and where nobody can tell. May take seconds; one answer is no proof, as a supervisor may just start another process.
     */
    default Optional<String> ended(String node) {
        return Optional.empty();
    }
}

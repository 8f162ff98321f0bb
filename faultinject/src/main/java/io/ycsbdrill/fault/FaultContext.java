package io.ycsbdrill.fault;

import java.time.Duration;
import java.util.List;

/** What a fault may use beside the node controller. Thread-safe. */
public interface FaultContext {

    /** The longest time that a node may take to stop in an orderly way. */
    Duration stopBound();

    /**
     * Runs a command of the user's and waits for its end.
     *
     * @param command program and arguments; no shell is involved
     * @throws io.ycsbdrill.fault.node.NodeControlException when it cannot be started, ends with another code than 0, or runs
     *     longer than the bound; then it is ended
     */
    void run(List<String> command, Duration bound);
}

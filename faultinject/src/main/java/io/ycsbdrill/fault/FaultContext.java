package io.ycsbdrill.fault;

import java.time.Duration;
import java.util.List;

/** What a fault may use beside the node controller. Thread-safe. */
public interface FaultContext {

    /** The longest time that a node may take to stop in an orderly way. */
    Duration stopBound();

    /** The longest time that one injection, and one healing, may take. */
    default Duration recoveryBound() {
        return stopBound();
    }

    /**
     * Runs a command of the user's and waits for its end.
     *
     * @param command program and arguments; no shell is involved
     * @throws io.ycsbdrill.fault.node.NodeControlException when it cannot be started, ends with another code than 0, or runs
     *     longer than the bound; then it is ended
     */
    void run(List<String> command, Duration bound);

    /**
     * Runs a command of the user's that answers a question by its exit code.
     *
     * @return that code; 0 means yes
     * @throws io.ycsbdrill.fault.node.NodeControlException when it cannot be started, or runs longer than the bound
     */
    int ask(List<String> command, Duration bound);

    /**
     * Runs a command of the user's again and again until it ends with code 0.
     *
     * @param bound the longest time that one run of it may take
     * @throws io.ycsbdrill.fault.node.NodeControlException when it does not within the time that a node may take to recover
     */
    void await(List<String> command, Duration bound);
}

package io.ycsbdrill.fault.node;

/** Freezes a node: a grey failure, in which the process is there but does not answer. */
public interface Pausable {

    /** Stops the node's process with SIGSTOP. Pausing a paused node does nothing. */
    void pause(String node);

    /** Lets it go on with SIGCONT. Resuming a node that is not paused, or is down, does nothing. */
    void resume(String node);
}

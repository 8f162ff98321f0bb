package io.ycsbdrill.fault.node;

/** Pauses a node: a grey failure, in which the process exists but does not respond. */
public interface Pausable {

    /** Stops the node's process with SIGSTOP. Pausing a paused node does nothing. */
    void pause(String node);

    /** Resumes the process with SIGCONT. Resuming a node that is not paused, or is down, does nothing. */
    void resume(String node);
}

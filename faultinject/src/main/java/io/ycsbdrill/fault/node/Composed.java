package io.ycsbdrill.fault.node;

import java.util.List;

/**
 * Data nodes of several processes, such as a server beside its supervisor, each of which can be hit while the others run. A process is
 * meant with its children. A capability of a {@code NodeController}; thread-safe.
 */
public interface Composed {

    /** What a node's processes are called in drill files; at least two. */
    List<String> processes();

    /**
     * Sends SIGKILL to this process of the node and returns when it has ended. Another one may start it again; else
     * {@link Startable#start} does.
     *
     * @throws NodeControlException when it does not run
     */
    void kill(String node, String process);

    /** Looks whether the process that {@link #kill} has killed is gone. */
    Sight lookForEnd(String node, String process);

    /**
     * Stops this process of the node with SIGSTOP.
     *
     * @throws NodeControlException when it does not run
     */
    void pause(String node, String process);

    /** Looks whether it is stopped. */
    Sight lookForPause(String node, String process);

    /** Resumes it with SIGCONT; does nothing when it is not stopped. */
    void resume(String node, String process);

    /**
     * Resumes every process of every data node that is stopped, and waits for no operation on a node of which none is.
     *
     * @return what was resumed, such as {@code postgres of node2}; empty when nothing was stopped
     * @throws NodeControlException when one could not be resumed, after all others were
     */
    List<String> resumeAll();
}

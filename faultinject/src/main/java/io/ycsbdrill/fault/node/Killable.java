package io.ycsbdrill.fault.node;

/** Kills a node's process without warning. */
public interface Killable {

    /**
     * Sends SIGKILL to the node's process and returns when it has ended. The node stays down until it is started. Killing a
     * node that is already down does nothing.
     *
     * @throws NodeControlException when the process is still there after the controller's bound
     */
    void kill(String node);
}

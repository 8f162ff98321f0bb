package io.ycsbdrill.fault.node;

/** Ends a node's process without warning. */
public interface Killable {

    /**
     * Sends SIGKILL to the node's process and returns when it is gone. The node stays down until it is started. Killing a
     * node that is down already does nothing.
     *
     * @throws NodeControlException when the process is still there after the controller's bound
     */
    void kill(String node);
}

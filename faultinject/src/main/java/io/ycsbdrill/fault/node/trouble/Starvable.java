package io.ycsbdrill.fault.node.trouble;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;

/** Takes processor time from a node. A capability of a {@code NodeController}; thread-safe. */
public interface Starvable {

    /**
     * Stops the node's process for this share of each tenth of a second, from now on, in place of a share given before. It ends with
     * {@link #relieve}, with the node's process, and with this process, in whatever way it ends.
     *
     * @param share above 0, below 1
     * @throws NodeControlException when the node has no process, or it cannot be done
     */
    void starve(String node, double share);

    /**
     * Looks whether the node's process has been stopped and has run again since {@link #starve}.
     *
     * @throws NodeControlException when the node has no process
     */
    Sight look(String node);

    /** Lets the node run all the time again; does nothing when it does. */
    void relieve(String node);

    /** Lets every node run all the time again. */
    void relieveAll();
}

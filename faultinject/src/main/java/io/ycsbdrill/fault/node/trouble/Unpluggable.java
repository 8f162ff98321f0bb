package io.ycsbdrill.fault.node.trouble;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;

/** Cuts the power of a node, as far as the node can see. A capability of a {@code NodeController}; thread-safe. */
public interface Unpluggable {

    /**
     * Ends the node's process with SIGKILL and takes from its files what was written and not synced. Returns when both are done.
     * The node stays down until it is started. Cutting the power of a node that is down does nothing.
     *
     * @throws NodeControlException when there is no such node, it cannot be done, or it is not known what was synced; in this
     *     last case the node is left alone
     */
    void unplug(String node);

    /** Looks whether the power of the node was cut, and what it has lost. */
    Sight lookForLoss(String node);
}

package io.ycsbdrill.fault.node.trouble;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;

/** Leaves a node less memory than it has in use. A capability of a {@code NodeController}; thread-safe. */
public interface Squeezable {

    /**
     * Limits the memory of the node's processes, its cached files included, to this share of what they have in use now.
     *
     * @param share above 0, below 1
     * @throws NodeControlException when the node has no process, or the kernel cannot take so much away; then there is no limit
     */
    void squeeze(String node, double share);

    /**
     * Looks whether the node has met the limit since {@link #squeeze}.
     *
     * @throws NodeControlException when it cannot be asked
     */
    Sight lookForPressure(String node);

    /**
     * Lifts the limit; does nothing when there is none.
     *
     * @throws NodeControlException when it cannot be done
     */
    void release(String node);

    /**
     * Lifts every limit.
     *
     * @throws NodeControlException when it cannot be done
     */
    void releaseAll();
}

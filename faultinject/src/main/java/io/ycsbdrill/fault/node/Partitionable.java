package io.ycsbdrill.fault.node;

/** Cuts the links of a node to the others, silently. A capability of a {@code NodeController}; thread-safe. */
public interface Partitionable {

    /**
     * Cuts links of the node, in place of those that were cut of it before; returns when they are cut. The node's process need not
     * run. Links that were cut of other nodes stay cut.
     *
     * @throws NodeControlException when there is no such node, or it cannot be done
     */
    void cut(String node, LinkCut cut);

    /**
     * Looks whether packets have been lost on the links that were cut of the node last, in each direction that is cut.
     *
     * @throws NodeControlException when there is no such node, or it cannot be asked
     */
    Sight look(String node, LinkCut cut);

    /**
     * Mends the links that were cut of the node; does nothing when none is.
     *
     * @throws NodeControlException when there is no such node, or it cannot be done
     */
    void mend(String node);

    /**
     * Mends every link.
     *
     * @return whether one was cut
     * @throws NodeControlException when it cannot be done
     */
    boolean mendAll();
}

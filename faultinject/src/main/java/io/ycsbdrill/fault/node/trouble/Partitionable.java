package io.ycsbdrill.fault.node.trouble;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import java.util.Optional;
import java.util.Set;

/** Troubles the links of a node, silently. A capability of a {@code NodeController}; thread-safe. */
public interface Partitionable {

    /** Why this machine cannot trouble links so, and what is missing; empty when it can. */
    Optional<String> lacking(LinkTrouble trouble);

    /** All that have links of their own, data nodes and others, where that is known. */
    default Set<String> linked() {
        return Set.of();
    }

    /**
     * Troubles links of the node, in place of what troubled them before; returns when it is in force. The node's process need not run.
     * What other nodes have stays with them.
     *
     * @throws NodeControlException when there is no such node, or it cannot be done
     */
    void trouble(String node, LinkTrouble trouble);

    /**
     * Looks whether packets have felt the node's last trouble: in each direction that is cut, in either direction of a cable.
     *
     * @throws NodeControlException when there is no such node, or it cannot be asked
     */
    Sight look(String node, LinkTrouble trouble);

    /**
     * Mends the links of the node that it has troubled; does nothing when there are none.
     *
     * @throws NodeControlException when there is no such node, or it cannot be done
     */
    void mend(String node);

    /**
     * Mends every link.
     *
     * @return whether one was troubled
     * @throws NodeControlException when it cannot be done
     */
    boolean mendAll();
}

package io.ycsbdrill.fault.node.trouble;

import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.Sight;
import java.util.Optional;

/** Impairs the disk of a node, as the node sees it. A capability of a {@code NodeController}; thread-safe. */
public interface Impairable {

    /** Why disks cannot be troubled so here; empty when they can. */
    default Optional<String> lacking(DiskTrouble trouble) {
        return Optional.empty();
    }

    /**
     * Puts a trouble in force, in place of the one before; returns when it is. The node's process need not run.
     *
     * @throws NodeControlException when there is no such node, or it cannot be done
     */
    void impair(String node, DiskTrouble trouble);

    /**
     * Looks whether the trouble that was put in force last has affected a call of the node by now.
     *
     * @throws NodeControlException when there is no such node, or it cannot be asked
     */
    Sight look(String node, DiskTrouble trouble);

    /**
     * Lifts it; does nothing when it is not in force.
     *
     * @throws NodeControlException when there is no such node, or it cannot be done
     */
    void restore(String node, DiskTrouble trouble);

    /**
     * Lifts whatever is in force on any node.
     *
     * @throws NodeControlException when it cannot be done
     */
    void restoreAll();
}

package io.ycsbdrill.fault.node;

import java.util.Optional;

/** Spreads the data anew over all nodes of a cluster while it serves. A capability of a {@code NodeController}; thread-safe. */
public interface Rebalanceable {

    /** What it lacks on this cluster; empty when it can be done. */
    default Optional<String> rebalanceLacks() {
        return Optional.empty();
    }

    /**
     * Moves data until every node has its share; returns when that is done. It cannot be undone; doing it again does little.
     *
     * @throws NodeControlException when the engine refuses, or it fails
     */
    void rebalance();

    /** Looks whether {@link #rebalance} was done since this controller was made, and every node has data. */
    Sight lookForBalance();
}

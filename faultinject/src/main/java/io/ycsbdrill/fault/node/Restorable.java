package io.ycsbdrill.fault.node;

import java.util.Optional;

/**
 * Loses all data of a cluster and brings it back from a backup. A capability of a {@code NodeController} whose nodes and files are this
 * tool's own; thread-safe.
 */
public interface Restorable {

    /** Why it cannot, and what is missing; empty when it can. */
    default Optional<String> restoreLacks() {
        return Optional.empty();
    }

    /**
     * Kills a node; its data stay until {@link #restore}.
     *
     * @throws NodeControlException when this controller has made no backup that is complete; then the node goes on
     */
    void lose(String node);

    /**
     * Called for each of the nodes, all of which are being lost: removes the data of all, once, puts the last backup back on one of them and
     * starts it as a new cluster; the others are started, empty, once it serves, and copy from it, unless the engine puts it back on all. Returns when the
     * node's process runs. When it is cut short after the first file was removed, no node of the cluster can be started any more.
     *
     * @throws NodeControlException when a node stays up, or the backup cannot be put back; says whether any data was removed
     */
    void restore(String node);
}

package io.ycsbdrill.fault.node;

import java.nio.file.Path;

/**
 * Copies the data of all nodes of a cluster on this machine while they are down, and puts copies back, so that a table need not be loaded
 * again. Only of engines that have all of a node's state in its data directory.
 */
public interface Copyable {

    /**
     * Copies the data of every node.
     *
     * @param to absent, or an empty directory; becomes ours
     * @throws NodeControlException when a node is running, or the copy is not complete; then nothing can be put back from it
     */
    void copyTo(Path to);

    /**
     * Replaces the data of every node by what {@link #copyTo} has kept of a cluster with the same nodes.
     *
     * @throws NodeControlException when a node is running, or that is no complete copy of such a cluster, and nothing was changed; or the
     *     files cannot be replaced
     */
    void replaceBy(Path from);
}

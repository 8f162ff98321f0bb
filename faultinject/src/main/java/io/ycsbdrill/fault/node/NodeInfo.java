package io.ycsbdrill.fault.node;

import java.util.Objects;

/**
 * One data node of a cluster.
 *
 * @param id the name that the engine and the user know it by, unique in its cluster: {@code node1}, or the NDB node id
 * @param host where it runs, as the client reaches it
 * @param group the group of nodes that hold the same data (NDB node group); 0 when the engine has one group only
 */
public record NodeInfo(String id, String host, int group) {
    public NodeInfo {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(host, "host");
        if (group < 0) {
            throw new IllegalArgumentException("group " + group + " of node " + id + " is negative");
        }
    }
}

package io.ycsbdrill.fault.node;

import java.util.List;

/** A cluster on this machine whose processes we started. */
public interface LocalCluster extends NodeController {

    /** How others find and use it. */
    ClusterDescriptor descriptor();

    /** Proxies before its SQL servers, which are no targets of faults, and their state now; often none. */
    default List<NodeStatus> proxies() {
        return List.of();
    }

    /** Stops every process of the cluster, by recorded pid and checked command, and removes its state directory. */
    void down();
}

package io.ycsbdrill.fault.node;

/** A cluster on this machine whose processes we started. */
public interface LocalCluster extends NodeController {

    /** How others find and use it. */
    ClusterDescriptor descriptor();

    /** Stops every process of the cluster, by recorded pid and checked command, and removes its state directory. */
    void down();
}

package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeOperations;
import io.ycsbdrill.fault.node.os.SandboxedNodes;
import java.util.List;

/** The nodes of a local cluster as a {@link Restoration} loses them and brings them back. Thread-safe. */
public interface LostNodes extends SandboxedNodes, NodeOperations {

    /** Those that belong to the cluster, in their order. */
    List<NodeInfo> nodes();

    /** Whether no process of the node runs, or is about to. */
    boolean idle(String node);

    /** Tells listeners that the backup of this node is in the place of the data of all, while no client can use them. */
    void restored(String node, String text);

    /**
     * Starts the node on which a backup was put back, though the cluster is {@linkplain Restoration#unfinished unfinished}; lets clients in where the
     * engine has started it already.
     *
     * @param empty whether it is started as a new node
     */
    void launchRestored(String node, boolean empty);
}

package io.ycsbdrill.fault.node;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster on this machine whose processes this tool started. */
public interface LocalCluster extends NodeController {

    /** The record by which later commands find and use the cluster. */
    ClusterDescriptor descriptor();

    @Override
    default Map<String, String> zones() {
        Map<String, String> all = new LinkedHashMap<>(Zones.of(descriptor().directory()));
        all.keySet().retainAll(nodes().stream().map(NodeInfo::id).toList());
        return all;
    }

    /** Current state of the proxies in front of its SQL servers, which faults do not target; often none. */
    default List<NodeStatus> proxies() {
        return List.of();
    }

    /** Why its data are incomplete, so that none of its nodes can be started; empty when nothing says so. */
    default Optional<String> incomplete() {
        return Optional.empty();
    }

    /** Stops every process of the cluster, each proven to be ours, and removes its state directory. */
    void down();
}

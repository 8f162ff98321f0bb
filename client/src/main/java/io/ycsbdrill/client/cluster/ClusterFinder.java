package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import java.util.List;
import java.util.Optional;

/** Attaches to the clusters of this machine that are written down. */
public final class ClusterFinder {
    private final CommandContext world;

    public ClusterFinder(CommandContext world) {
        this.world = world;
    }

    /** The engine of that name. */
    public LocalEngine engine(String name) {
        List<String> names =
                world.engines().stream().map(LocalEngine::name).sorted().toList();
        return world.engine(name)
                .orElseThrow(() -> new ConfigException("unknown engine \"" + name + "\": this build has "
                        + (names.isEmpty() ? "none" : String.join(", ", names)) + NearestName.hint(name, names)));
    }

    /** The engine's cluster, if it is written down and at least one of its nodes runs. */
    Optional<LocalCluster> alive(String engine) {
        Optional<ClusterDescriptor> descriptor = world.clusters().find(engine);
        if (descriptor.isEmpty() || world.engine(engine).isEmpty()) {
            return Optional.empty();
        }
        try {
            LocalCluster cluster = engine(engine).attach(descriptor.get());
            if (cluster.status().stream().anyMatch(ClusterFinder::runs)) {
                return Optional.of(cluster);
            }
            cluster.close();
            world.say("note: none of the nodes of the " + engine + " cluster in "
                    + descriptor.get().directory() + " runs, so it is not used"
                    + " (start them, or remove it: ycsb cluster down " + engine + ")");
        } catch (NodeControlException e) {
            world.say("note: the " + engine + " cluster in " + descriptor.get().directory() + " is not used: "
                    + e.getMessage() + " (remove it: ycsb cluster down " + engine + ")");
        }
        return Optional.empty();
    }

    private static boolean runs(NodeStatus node) {
        return node.state() != NodeStatus.State.DOWN && node.state() != NodeStatus.State.UNKNOWN;
    }
}

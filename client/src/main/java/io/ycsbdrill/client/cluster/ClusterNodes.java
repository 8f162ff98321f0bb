package io.ycsbdrill.client.cluster;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.RemoteOptions;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import java.util.List;
import java.util.Optional;

/** Finds the cluster that a command on its nodes means, also when none of its nodes runs. */
public final class ClusterNodes {
    private ClusterNodes() {}

    /** The cluster, attached; the caller closes it. */
    public static ControlledCluster attach(CommandContext world, Optional<String> engine, RemoteOptions remote) {
        Optional<RemoteCluster> elsewhere = remote.named(world, engine);
        if (elsewhere.isPresent()) {
            return elsewhere.get().connect();
        }
        ClusterFinder finder = new ClusterFinder(world);
        engine.ifPresent(finder::engine);
        List<ClusterDescriptor> found = world.clusters().all().stream()
                .filter(d -> engine.isEmpty() || d.engine().equals(engine.get()))
                .toList();
        if (found.isEmpty()) {
            throw new ConfigException(
                    "no cluster " + engine.map(e -> "of engine " + e + " ").orElse("")
                            + "is up; start one: ycsb cluster up, or name one elsewhere: -p ndb.connectstring=HOST:1186");
        }
        if (found.size() > 1) {
            throw new ConfigException("more than one cluster is up; say which with --engine: "
                    + String.join(
                            ", ", found.stream().map(ClusterDescriptor::engine).toList()));
        }
        return ControlledCluster.local(finder.engine(found.get(0).engine()).attach(found.get(0)));
    }
}

package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Stops a cluster and removes its data.")
final class ClusterDown implements Callable<Integer> {
    private final Surroundings world;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ENGINE",
            description = "Which engine's, or all; may be left out when one cluster is up.")
    private String engine;

    ClusterDown(Surroundings world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        ClusterFinder finder = new ClusterFinder(world);
        boolean all = "all".equals(engine);
        if (engine != null && !all) {
            finder.engine(engine);
        }
        List<ClusterDescriptor> found = world.clusters().all().stream()
                .filter(d -> engine == null || all || d.engine().equals(engine))
                .toList();
        if (found.isEmpty()) {
            world.say("no cluster " + (engine == null || all ? "" : "of engine " + engine + " ")
                    + "is up; nothing to do");
            return CommandLine.ExitCode.OK;
        }
        if (found.size() > 1 && !all) {
            throw new ConfigException("more than one cluster is up; say which, or all: "
                    + String.join(
                            ", ", found.stream().map(ClusterDescriptor::engine).toList()));
        }
        found.forEach(descriptor -> stop(finder, descriptor));
        return CommandLine.ExitCode.OK;
    }

    private void stop(ClusterFinder finder, ClusterDescriptor descriptor) {
        LocalCluster cluster;
        try {
            cluster = finder.engine(descriptor.engine()).attach(descriptor);
        } catch (NodeControlException e) {
            world.clusters().forget(descriptor.engine());
            world.say("nothing of the " + descriptor.engine() + " cluster runs any more (" + e.getMessage()
                    + "); forgotten. Files that may be left: " + descriptor.directory());
            return;
        }
        cluster.down();
        world.clusters().forget(descriptor.engine());
        world.say(descriptor.engine() + " is down; " + descriptor.directory() + " is removed");
    }
}

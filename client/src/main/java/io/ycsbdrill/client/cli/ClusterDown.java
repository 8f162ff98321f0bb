package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Io;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.ClusterLock;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.OutsideNetworkException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
    private CommandContext world;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ENGINE",
            completionCandidates = BindingNames.Local.class,
            description = "Engine whose cluster to stop, or all; optional when only one cluster is up.")
    private String engine;

    private boolean failed;

    ClusterDown(CommandContext world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        boolean all = isAll();
        if (engine != null && !all) {
            LocalEngine chosen = new ClusterFinder(world).engine(engine);
            engine = chosen.name();
            world = world.with(chosen);
        }
        ClusterFinder finder = new ClusterFinder(world);
        List<ClusterDescriptor> found = finder.recorded(Optional.ofNullable(all ? null : engine));
        boolean removed = removeLeftovers(
                engine == null || all
                        ? world.localEngines().stream().map(LocalEngine::name).toList()
                        : List.of(engine));
        if (found.isEmpty() && !removed && !failed) {
            world.say("no cluster " + (engine == null || all ? "" : "of engine " + engine + " ")
                    + "is up; nothing to do");
        }
        if (found.size() > 1 && !all) {
            throw new ConfigException(
                    "more than one cluster is up; say which, or all: " + ClusterFinder.engines(found));
        }
        found.forEach(descriptor -> stop(finder, descriptor));
        return failed ? CommandLine.ExitCode.SOFTWARE : CommandLine.ExitCode.OK;
    }

    /** Removes the remains of starts that were interrupted before their cluster was recorded, for example by {@code kill -9}. */
    private boolean removeLeftovers(List<String> engines) {
        boolean any = false;
        for (String name : engines) {
            Path directory = world.clusters().directory(name);
            // A recorded cluster has none, and a command may be at work on it.
            if (hasFiles(directory) && world.clusters().find(name).isEmpty()) {
                try {
                    any |= ClusterLock.during(directory, () -> removeLeftovers(name, directory));
                } catch (ConfigException | NodeControlException e) {
                    notStopped(e);
                }
            }
        }
        return any;
    }

    /** An empty one is in nobody's way, and may be anybody's. */
    static boolean hasFiles(Path directory) {
        return Files.isDirectory(directory)
                && !NodeIo.get("state directory " + directory + " cannot be listed", () -> Io.list(directory))
                        .isEmpty();
    }

    private boolean removeLeftovers(String name, Path directory) {
        if (world.clusters().find(name).isPresent()) {
            return false;
        }
        Directories.owned(directory);
        world.engine(name).orElseThrow().removeLeftovers(directory);
        world.say("removed the remains of an interrupted start of " + name + ": its processes and " + directory);
        return true;
    }

    private void stop(ClusterFinder finder, ClusterDescriptor descriptor) {
        try {
            world.say(ClusterLock.during(descriptor.directory(), () -> end(finder, descriptor)));
        } catch (OutsideNetworkException e) {
            failed |= new Inside(world).run(e, List.of("cluster", "down", descriptor.engine()))
                    != CommandLine.ExitCode.OK;
        } catch (ConfigException | NodeControlException e) {
            notStopped(e);
        }
    }

    private boolean isAll() {
        return "all".equals(engine);
    }

    /** Reports one that cannot be stopped, which keeps none of the others up. */
    private void notStopped(RuntimeException reason) {
        if (!isAll()) {
            throw reason;
        }
        failed = true;
        world.say("error: " + reason.getMessage());
    }

    /** @return what was done, in words */
    private String end(ClusterFinder finder, ClusterDescriptor descriptor) {
        world.clusters().owned(descriptor);
        LocalCluster cluster;
        try {
            cluster = finder.attach(descriptor);
        } catch (NodeControlException e) {
            finder.engine(descriptor.engine()).removeLeftovers(descriptor.directory());
            world.clusters().forget(descriptor.engine());
            return "what was left of the " + descriptor.engine() + " cluster is ended (" + e.getMessage() + "); "
                    + descriptor.directory() + " is removed";
        }
        cluster.down();
        world.clusters().forget(descriptor.engine());
        return descriptor.engine() + " is down; " + descriptor.directory() + " is removed";
    }
}

package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.OutsideNetworkException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "Shows the clusters that were started here, or one elsewhere, and their nodes.",
        footer = {
            "",
            "Exit code 0 when every node and proxy of every cluster is started, 1 otherwise or when there is none."
        })
final class ClusterStatus implements Callable<Integer> {
    private final CommandContext world;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ENGINE",
            completionCandidates = BindingNames.Local.class,
            description = "Show only this engine's cluster.")
    private String engine;

    @Mixin
    private RemoteOptions remote;

    ClusterStatus(CommandContext world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        ClusterFinder finder = new ClusterFinder(world);
        Optional<String> asked = Optional.ofNullable(engine);
        List<ClusterDescriptor> found = finder.recorded(asked);
        Optional<RemoteCluster> elsewhere = remote.named(world, asked);
        if (elsewhere.isPresent()) {
            return show(finder, elsewhere.get()) ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
        if (found.isEmpty()) {
            world.say("no cluster " + (engine == null ? "" : "of engine " + engine + " ")
                    + "is up; start one: ycsb cluster up" + (engine == null ? "" : " " + engine));
            return CommandLine.ExitCode.SOFTWARE;
        }
        boolean healthy = true;
        for (ClusterDescriptor descriptor : found) {
            try {
                healthy &= show(finder, descriptor);
            } catch (OutsideNetworkException e) {
                int exitCode = new Inside(world).run(e, List.of("cluster", "status", descriptor.engine()));
                healthy &= exitCode == CommandLine.ExitCode.OK;
            }
        }
        return healthy ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }

    private boolean show(ClusterFinder finder, ClusterDescriptor descriptor) {
        IsolatedNetwork.requireInside(descriptor.directory());
        world.out()
                .println(descriptor.engine() + " " + descriptor.engineVersion() + ", up since " + descriptor.createdAt()
                        + ", in " + descriptor.directory());
        try (LocalCluster cluster = finder.attach(descriptor)) {
            boolean healthy = show(cluster);
            List<NodeStatus> proxies = cluster.proxies();
            proxies.forEach(proxy -> world.out().println(line(proxy, Optional.empty())));
            return healthy && started(proxies);
        } catch (NodeControlException e) {
            world.out().println("  not running: " + e.getMessage());
            return false;
        } finally {
            world.out().flush();
        }
    }

    private boolean show(ClusterFinder finder, RemoteCluster elsewhere) {
        try (ControlledCluster cluster = finder.connect(elsewhere)) {
            NodeController nodes = cluster.nodes();
            world.out().println(nodes.engine() + " " + nodes.engineVersion() + ", at " + elsewhere.address());
            return show(nodes);
        } finally {
            world.out().flush();
        }
    }

    private boolean show(NodeController cluster) {
        Optional<String> primary = cluster.primary();
        List<NodeStatus> nodes = cluster.status();
        nodes.forEach(node -> world.out().println(line(node, primary)));
        return started(nodes);
    }

    private static boolean started(List<NodeStatus> all) {
        return all.stream().allMatch(n -> n.state() == NodeStatus.State.STARTED);
    }

    private static String line(NodeStatus node, Optional<String> primary) {
        StringBuilder line = new StringBuilder(String.format(
                Locale.ROOT, "  %-10s %-9s", node.id(), node.state().name().toLowerCase(Locale.ROOT)));
        node.pid().ifPresent(pid -> line.append(" pid ").append(pid));
        if (primary.filter(node.id()::equals).isPresent()) {
            line.append(" (primary)");
        }
        if (!node.detail().isEmpty()) {
            line.append("  ").append(node.detail());
        }
        return line.toString().stripTrailing();
    }
}

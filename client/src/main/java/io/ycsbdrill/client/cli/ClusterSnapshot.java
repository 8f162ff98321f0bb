package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.fault.inject.Healer;
import io.ycsbdrill.fault.node.Copyable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.Stoppable.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "snapshot",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description =
                "Stops all nodes of a cluster on this machine, copies their data to a directory, and starts them again;"
                        + " or puts such a copy back in place of what they have. Of the embedded cluster and of Galera.")
final class ClusterSnapshot implements Callable<Integer> {
    private final CommandContext world;

    @Parameters(paramLabel = "DIR", description = "Where the copy is: new or empty, or with --put-back a complete one.")
    private Path directory;

    @Option(
            names = "--put-back",
            description = "Ends all nodes, replaces all their data by the copy, and starts them again.")
    private boolean putBack;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            completionCandidates = BindingNames.Local.class,
            description = "Engine of the cluster; needed only when several are up.")
    private String engine;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            description = "Maximum time for a node to stop, and to recover (default: ${DEFAULT-VALUE}).")
    private String timeout;

    ClusterSnapshot(CommandContext world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        Duration bound = ClusterFault.time("--timeout", timeout);
        Path there = world.workingDirectory().resolve(directory);
        try (ControlledCluster cluster =
                new ClusterFinder(world).attach(Optional.ofNullable(engine), Optional.empty())) {
            Copyable data = cluster.nodes()
                    .capability(Copyable.class)
                    .orElseThrow(() -> new ConfigException("the data of a cluster of "
                            + cluster.nodes().engine() + " cannot be copied and put back; load its table again"));
            return cluster.during(() -> work(cluster, data, there, bound));
        }
    }

    private int work(ControlledCluster cluster, Copyable data, Path there, Duration bound) {
        NodeController nodes = cluster.nodes();
        List<String> ids = nodes.nodes().stream().map(NodeInfo::id).toList();
        List<String> problems = new ArrayList<>();
        try {
            if (putBack) {
                Killable killable = nodes.capability(Killable.class).orElseThrow();
                ids.forEach(killable::kill);
                data.replaceBy(there);
            } else {
                Stoppable stoppable = nodes.capability(Stoppable.class).orElseThrow();
                ids.forEach(node -> stoppable.stop(node, Mode.GRACEFUL, bound));
                data.copyTo(there);
            }
        } catch (NodeControlException e) {
            problems.add(e.getMessage());
        }
        problems.addAll(new Healer(nodes, cluster.healRecord(), bound, line -> {}).heal()); // also when it has failed
        problems.forEach(problem -> world.say("error: " + problem));
        if (problems.isEmpty()) {
            world.say((putBack ? "put back " : "copied to ") + there + "; every node has recovered"
                    + (putBack ? "" : ". Put it back: ycsb cluster snapshot " + there + " --put-back"));
        }
        return problems.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}

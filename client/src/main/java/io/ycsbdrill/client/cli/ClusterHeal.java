package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.RemoteOptions;
import io.ycsbdrill.client.cluster.AlterableCluster;
import io.ycsbdrill.client.cluster.BindingNames;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inject.Healer;
import io.ycsbdrill.fault.inventory.NodeAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "heal",
        description = "Resumes and starts whatever is paused or down, undoes what a killed drill left open, and waits"
                + " until every node has recovered. Healing a recovered cluster does nothing.")
final class ClusterHeal extends ContextCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ENGINE",
            completionCandidates = BindingNames.Local.class,
            description = "Engine of the cluster; needed only when several are up.")
    private String named;

    @Option(
            names = "--engine",
            paramLabel = "NAME",
            completionCandidates = BindingNames.Local.class,
            description = "The same as ENGINE.")
    private String engine;

    @Mixin
    private RemoteOptions remote;

    @Option(
            names = "--timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            description = "Maximum time for one node to recover (default: ${DEFAULT-VALUE}).")
    private String timeout;

    ClusterHeal(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        if (named != null && engine != null && !named.equals(engine)) {
            throw new ConfigException(
                    "cluster heal " + named + " --engine " + engine + ": two engines are named; name one");
        }
        Duration bound = ClusterFault.time("--timeout", timeout);
        try (ControlledCluster cluster = remote.attach(world, Optional.ofNullable(named == null ? engine : named))) {
            return cluster.during(() -> heal(cluster, bound));
        }
    }

    private int heal(ControlledCluster cluster, Duration bound) {
        HealRecord record = cluster.healRecord();
        record.open().forEach(e -> world.say("left open by an earlier drill: " + e.fault() + " of " + e.node()));
        List<String> problems = new ArrayList<>();
        Map<String, List<String>> onHosts = cluster.journal().open(problems::add);
        onHosts.forEach((node, faults) ->
                faults.forEach(fault -> world.say("left open, as recorded on the host of " + node + ": " + fault)));
        problems.addAll(new Healer(
                        AlterableCluster.of(cluster, world.environment(), new Properties()), record, bound, world::say)
                .heal());
        if (problems.isEmpty() && !onHosts.isEmpty()) {
            // Of nodes that had come back by themselves.
            onHosts.keySet().forEach(node -> cluster.journal().closed(node, NodeAction.UNDONE));
            cluster.journal()
                    .open(problems::add)
                    .forEach((node, faults) -> problems.add("every node is up, but as this inventory names the nodes,"
                            + " nothing here ends what is open on the host of " + node + ": "
                            + String.join(", ", faults)
                            + "; heal with the inventory that the drill had"));
        }
        problems.forEach(problem -> world.say("error: " + problem));
        if (problems.isEmpty()) {
            world.say("every node has recovered");
        }
        return problems.isEmpty() ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
    }
}

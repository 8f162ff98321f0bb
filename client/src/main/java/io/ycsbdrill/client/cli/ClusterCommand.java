package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.CommandContext;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "cluster",
        synopsisSubcommandLabel = "COMMAND",
        description = "Starts, shows and stops a cluster on this machine; later commands find it by themselves.")
final class ClusterCommand extends ContextCommand {
    @Spec
    private CommandSpec spec;

    private ClusterCommand(CommandContext world) {
        super(world);
    }

    /** The command with its own commands; a new one is one line here. */
    static CommandLine commandLine(CommandContext world) {
        CommandLine cluster = new CommandLine(new ClusterCommand(world));
        cluster.addSubcommand(ClusterUp.commandLine(world));
        cluster.addSubcommand(new ClusterDown(world));
        cluster.addSubcommand(new ClusterStatus(world));
        ClusterFault.all().forEach(cluster::addSubcommand);
        cluster.addSubcommand(new ClusterHeal(world));
        return cluster;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return CommandLine.ExitCode.USAGE;
    }
}

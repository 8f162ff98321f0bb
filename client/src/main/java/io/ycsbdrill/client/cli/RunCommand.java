package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.RunOptions;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.session.Loading;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "run",
        sortOptions = false,
        description = "Runs a workload's transactions and prints the stock YCSB result.")
final class RunCommand extends ContextCommand implements RunsWorkload {
    @Mixin
    private BindingOptions binding;

    @Mixin
    private RunOptions options;

    @Option(names = "--no-load", description = "Do not load the records first when the table is empty.")
    private boolean noLoad;

    @Spec
    private CommandSpec spec;

    RunCommand(CommandContext world) {
        super(world);
    }

    @Override
    public RunSession session() {
        List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
        return new RunSession(world, binding, options, typed);
    }

    @Override
    public Mode mode() {
        return Mode.RUN;
    }

    @Override
    public Integer call() {
        return session().execute(Mode.RUN, noLoad ? Loading.NEVER : Loading.WHEN_EMPTY);
    }
}

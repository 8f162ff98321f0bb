package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cli.option.BindingOptions;
import io.ycsbdrill.client.cli.option.RunOptions;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.run.RunSpec.Mode;
import io.ycsbdrill.client.session.Loading;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "load",
        sortOptions = false,
        description = "Inserts a workload's records; what could not be inserted is reported by key range.")
final class LoadCommand extends ContextCommand implements RunsWorkload {
    @Mixin
    private BindingOptions binding;

    @Mixin
    private RunOptions options;

    @Option(
            names = "--resume",
            paramLabel = "RUN_DIR",
            description = "Load only what that load left over: keys that failed, are unknown, or were not started.")
    private Path resume;

    @Spec
    private CommandSpec spec;

    LoadCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Mode mode() {
        return Mode.LOAD;
    }

    @Override
    public RunSession session() {
        List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
        RunSession session = new RunSession(world, binding, options, typed);
        if (resume != null) {
            session.resume(world.workingDirectory().resolve(resume));
        }
        return session;
    }

    @Override
    public Integer call() {
        return session().execute(Mode.LOAD, Loading.NEVER);
    }
}

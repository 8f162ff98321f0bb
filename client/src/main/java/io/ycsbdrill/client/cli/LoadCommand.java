package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.run.RunSpec.Mode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

@Command(
        name = "load",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = "Inserts a workload's records; what could not be inserted is reported by key range.")
final class LoadCommand implements Callable<Integer> {
    private final Surroundings world;

    @Mixin
    private BindingOptions binding;

    @Mixin
    private RunOptions options;

    @Spec
    private CommandSpec spec;

    LoadCommand(Surroundings world) {
        this.world = world;
    }

    @Override
    public Integer call() {
        List<String> typed = spec.root().commandLine().getParseResult().originalArgs();
        return new RunSession(world, binding, options, RunExtension.NONE, typed).execute(Mode.LOAD, false);
    }
}

package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.base.InputFile;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.option.ExperimentOptions;
import io.ycsbdrill.client.cli.option.JsonOption;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.session.WorkloadFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "experiment",
        sortOptions = false,
        description = "Runs every combination of settings several times and compares them; see docs/experiments.md.",
        footer = {
            "",
            "Exit codes:  0 all cells were run, 1 none counts, or it was interrupted%n             (continue: --resume), 2 usage or file"
        })
final class ExperimentCommand extends ContextCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "FILE", description = "The experiment, a YAML file.")
    private Path file;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "The experiment's directory, new or empty (default: results/TIME-NAME).")
    private Path out;

    @Option(
            names = "--until",
            paramLabel = "SHARE",
            description =
                    "Stop when the 95 %% interval of each variant's throughput ratio to the reference ends at most"
                            + " this far above it, 10%%, or after the file's repeats (default: 30); used instead of"
                            + " the key until.")
    private String until;

    @Mixin
    private ExperimentOptions options;

    @Mixin
    private JsonOption json;

    ExperimentCommand(CommandContext world) {
        super(world);
    }

    @Override
    public Integer call() {
        return options.resumed(world, new Problems(), Set.of())
                .map(directory -> ExperimentSession.resumed(world, directory))
                .orElseGet(this::begun)
                .execute(options.dryRun(), json.given(), () -> 0);
    }

    private ExperimentSession begun() {
        if (file == null) {
            throw new ConfigException("no experiment given: ycsb experiment FILE.yaml, or --resume DIR");
        }
        return ExperimentSession.begun(
                world, "experiment", file.toString(), read(), Optional.ofNullable(until), Optional.ofNullable(out));
    }

    private String read() {
        Path there = world.workingDirectory().resolve(file);
        if (!Files.exists(there)
                && world.home().isPresent()
                && Files.exists(world.home().get().resolve(file))) {
            there = world.home().get().resolve(file);
        }
        try {
            if (!Files.exists(there)) {
                throw new ConfigException(
                        "experiment file " + file + " is not there" + WorkloadFiles.hint(file.toString(), world));
            }
            return InputFile.text(there, InputFile.Kind.SETTINGS);
        } catch (IOException e) {
            throw new ConfigException("experiment file " + file + " cannot be read: " + FileReason.of(e));
        }
    }
}

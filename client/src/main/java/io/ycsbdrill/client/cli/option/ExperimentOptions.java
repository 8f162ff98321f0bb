package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.CommandContext;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/** Whether an experiment is only shown, begun or continued; a picocli mixin. */
public final class ExperimentOptions {
    private static final Set<String> OWN = Set.of("--resume", "--dry-run", "--json");

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue the experiment in DIR: only what is not complete there is run.")
    private Optional<Path> resume = Optional.empty();

    @Option(
            names = "--dry-run",
            description = "Only show the cells, their order, their commands and the expected time; starts nothing.")
    private boolean dryRun;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Whether nothing is to be started. */
    public boolean dryRun() {
        return dryRun;
    }

    /**
     * The directory to continue; empty when an experiment is to be begun.
     *
     * @param problems what was found before; what is typed beside {@code --resume} and would be ignored is added
     * @param also options of the command that mean something there, too
     * @throws ConfigException when an experiment is to be continued and there are problems
     */
    public Optional<Path> resumed(CommandContext world, Problems problems, Set<String> also) {
        if (resume.isEmpty()) {
            return resume;
        }
        ParseResult typed = command.commandLine().getParseResult();
        String ignored = Stream.concat(
                        typed.matchedPositionals().stream().map(PositionalParamSpec::paramLabel),
                        typed.matchedOptions().stream().map(OptionSpec::longestName))
                .filter(name -> !OWN.contains(name) && !also.contains(name))
                .distinct()
                .collect(Collectors.joining(", "));
        if (!ignored.isEmpty()) {
            problems.add("--resume continues with what is in its directory; leave out " + ignored);
        }
        problems.throwIfAny(ConfigException::new);
        return resume.map(world.workingDirectory()::resolve);
    }
}

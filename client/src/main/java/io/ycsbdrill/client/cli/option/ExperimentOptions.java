package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.Problems;
import java.nio.file.Path;
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
    public Path resume;

    @Option(
            names = "--dry-run",
            description = "Only show the cells, their order, their commands and the expected time; starts nothing.")
    public boolean dryRun;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /**
     * Finds what is typed beside {@code --resume} and would be ignored.
     *
     * @param also options of the command that mean something there, too
     */
    public void checkResume(Set<String> also, Problems problems) {
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
    }
}

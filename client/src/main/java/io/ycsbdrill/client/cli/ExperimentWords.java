package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.session.KnownProperties;
import io.ycsbdrill.experiment.spec.Command;
import io.ycsbdrill.experiment.spec.Vocabulary;
import io.ycsbdrill.fault.node.LocalEngine;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The names that settings of an experiment may have: the options of the commands themselves. Stateless. */
final class ExperimentWords {
    /** Options that have another name in an experiment, that belong to it, or that mean nothing there. */
    private static final Set<String> LEFT_OUT = Set.of("""
            -P -p -D --out --live --resume --check --junit --quiet --dry-run --client --start-at -s --help
            --version""".split("\\s+"));

    static Vocabulary of(CommandContext world) {
        Map<Command, Map<String, Vocabulary.Option>> options = new EnumMap<>(Command.class);
        Map<String, CommandLine> commands = Main.commandLine(world).getSubcommands();
        for (Command command : Command.values()) {
            Map<String, Vocabulary.Option> known = new TreeMap<>();
            commands.get(command.word()).getCommandSpec().options().stream()
                    .filter(option -> Arrays.stream(option.names()).noneMatch(LEFT_OUT::contains))
                    .forEach(option -> known.put(
                            name(option),
                            new Vocabulary.Option(
                                    option.longestName(), option.arity().max() == 0)));
            options.put(command, known);
        }
        Map<String, Set<String>> clusters = world.localEngines().stream()
                .collect(Collectors.toMap(LocalEngine::name, engine -> engine.allOptions().stream()
                        .map(LocalEngine.Option::name)
                        .collect(Collectors.toSet())));
        return new Vocabulary(options, clusters, KnownProperties.names());
    }

    /** Without its dashes. */
    static String name(OptionSpec option) {
        return option.longestName().replaceFirst("^-+", "");
    }
}

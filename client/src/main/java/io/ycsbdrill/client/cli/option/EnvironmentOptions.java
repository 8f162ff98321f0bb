package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.fault.inventory.Inventory;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Options that environment variables give: {@code YCSB_DRILL_THREADS} is {@code -threads}, of every command that has it. They become
 * words of the command line, where it does not have the option itself, so that they are checked, and recorded in {@code run.json}, like
 * typed ones. What only shows or checks something has no variable: it would turn every drill of a job into none.
 *
 * @param arguments the command line with them
 * @param used the variables among them
 * @param warnings of variables that are no option of any command, or set nothing
 */
public record EnvironmentOptions(String[] arguments, List<String> used, List<String> warnings) {
    private static final String PREFIX = "YCSB_DRILL_";

    /** Variables of other meanings. */
    private static final Set<String> OTHERS =
            Set.of("STATE", "HOME", "INSIDE", "SECRET_OPTIONS", "HARPER", "TESTED_IN", "REPOSITORY");

    /** Names that a letter does not give; {@code -cp} and {@code -jvm-args} are the launcher's, which has YCSB_JVM_ARGS. */
    private static final Map<String, String> NAMES = Map.of(
            "-P", "WORKLOAD", "-p", "PROPERTY", "-D", "DRILL", "-l", "LABEL", "-s", "", "-cp", "", "-jvm-args", "");

    /** Options in whose place a command does something else. */
    private static final Set<String> MODES = Set.of("--plan", "--list", "--check", "--dry-run");

    /** Prints the result of what is not one of them. */
    private static final String RESULT = "--json";

    /** Properties that options set or replace. */
    private static final Map<String, String> PROPERTIES = Map.of(
            "-threads", "threadcount",
            "-target", "target",
            "-l", "label",
            "-db", "db",
            "--on", Inventory.PROPERTY,
            "--duration", "maxexecutiontime");

    /** Options that exclude each other: one that is typed counts in place of the other's variable. */
    private static final Map<String, String> OTHER_WAY = Map.of("--rate", "-target", "-target", "--rate");

    private static final String ASSIGNMENT = "-p";

    /** @param typed the command line */
    public static EnvironmentOptions of(CommandLine root, Map<String, String> environment, String... typed) {
        List<String> set = environment.keySet().stream()
                .filter(EnvironmentOptions::isOption)
                .sorted()
                .toList();
        CommandLine command = root;
        int words = 0;
        while (words < typed.length && command.getSubcommands().containsKey(typed[words])) {
            command = command.getSubcommands().get(typed[words++]);
        }
        if (set.isEmpty() || command.getCommandSpec().usageMessage().hidden()) {
            return new EnvironmentOptions(typed, List.of(), List.of());
        }
        List<String> line = new ArrayList<>(List.of(typed).subList(0, words));
        List<String> used = new ArrayList<>();
        List<String> warnings = new ArrayList<>(unknown(root, set));
        for (OptionSpec option : command.getCommandSpec().options()) {
            String variable = variable(option);
            OptionSpec other = command.getCommandSpec().findOption(OTHER_WAY.getOrDefault(option.longestName(), "--"));
            if (!set.contains(variable)
                    || isTyped(option, typed)
                    || other != null && isTyped(other, typed)
                    || option.longestName().equals(RESULT) && hasNoResult(typed)) {
                continue;
            }
            if (environment.get(variable).isEmpty()) {
                warnings.add("warning: the environment variable " + variable + " is empty and sets nothing; unset it");
                continue;
            }
            used.add(variable);
            environment.get(variable).lines().forEach(value -> add(line, option, value));
        }
        line.addAll(List.of(typed).subList(words, typed.length));
        return new EnvironmentOptions(line.toArray(String[]::new), used, warnings);
    }

    /** Whether a mode is typed, which makes no result that could be printed. */
    private static boolean hasNoResult(String... typed) {
        return Stream.of(typed).anyMatch(word -> MODES.contains(word.replaceFirst("=.*", "")));
    }

    /** Whether the option, or the property that it sets, is typed; a typed property only adds to those of the environment. */
    private static boolean isTyped(OptionSpec option, String... typed) {
        String property = PROPERTIES.get(option.longestName());
        for (int i = 0; i < typed.length; i++) {
            String before = i == 0 ? "" : typed[i - 1];
            if (before.equals("-jvm-args")) {
                continue; // such as -Dkey=value, which is no drill
            }
            if (!option.longestName().equals(ASSIGNMENT) && names(option, typed[i])) {
                return true;
            }
            String assignment = before.equals(ASSIGNMENT)
                    ? typed[i]
                    : typed[i].startsWith(ASSIGNMENT) ? typed[i].substring(ASSIGNMENT.length()) : "";
            if (property != null
                    && assignment
                            .replaceFirst("^=", "")
                            .replaceFirst("=.*", "")
                            .strip()
                            .equals(property)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a variable of this name is meant for options. */
    public static boolean isOption(String variable) {
        return variable.startsWith(PREFIX) && !OTHERS.contains(variable.substring(PREFIX.length()));
    }

    /** The variable of an option; the prefix alone when it has none. */
    public static String variable(OptionSpec option) {
        String name = option.longestName();
        return option.usageHelp() || option.versionHelp() || MODES.contains(name)
                ? PREFIX
                : PREFIX
                        + NAMES.getOrDefault(
                                name,
                                name.replaceFirst("^-+", "").replace('-', '_').toUpperCase(Locale.ROOT));
    }

    /** In two words, as typed, so that what hides secrets in typed properties hides them here. */
    private static void add(List<String> line, OptionSpec option, String value) {
        boolean joined = option.arity().max() == 0 || option.arity().min() == 0 || value.startsWith("-");
        line.addAll(joined ? List.of(option.longestName() + "=" + value) : List.of(option.longestName(), value));
    }

    /** A value may be attached to a name of one letter. */
    private static boolean names(OptionSpec option, String word) {
        return Stream.of(option.names())
                .anyMatch(name -> word.equals(name) || word.startsWith(name.length() == 2 ? name : name + "="));
    }

    private static List<String> unknown(CommandLine root, List<String> set) {
        Set<String> known = new TreeSet<>();
        collect(root, known);
        return set.stream()
                .filter(variable -> !known.contains(variable))
                .map(variable -> "warning: the environment variable " + variable + " is no option of any command"
                        + NearestName.hint(variable, List.copyOf(known)))
                .toList();
    }

    private static void collect(CommandLine command, Set<String> known) {
        command.getCommandSpec().options().forEach(option -> known.add(variable(option)));
        command.getSubcommands().values().forEach(below -> collect(below, known));
    }
}

package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.Formatted;
import java.lang.reflect.Field;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The help of commands with many options: those that several commands share are below a heading of their own. */
public final class HelpGroups {
    private static final Map<Class<?>, String> HEADINGS = new LinkedHashMap<>();

    static {
        HEADINGS.put(BindingOptions.class, "Database and workload");
        HEADINGS.put(PaceOptions.class, "Load");
        HEADINGS.put(RunOptions.class, "Run");
        HEADINGS.put(ClientOptions.class, "Several clients");
        HEADINGS.put(ExperimentOptions.class, "Experiment");
        HEADINGS.put(RemoteOptions.class, "Cluster elsewhere");
    }

    private HelpGroups() {}

    /** Groups the options of this command and of all below it. */
    public static void in(CommandLine command) {
        command.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_OPTION_LIST, HelpGroups::options);
        command.getSubcommands().values().forEach(HelpGroups::in);
    }

    private static String options(Help help) {
        List<OptionSpec> shown = help.commandSpec().options().stream()
                .filter(option -> !option.hidden())
                .toList();
        Map<String, List<OptionSpec>> groups = new LinkedHashMap<>();
        groups.put(
                "", shown.stream().filter(option -> heading(option).isEmpty()).toList());
        HEADINGS.values()
                .forEach(heading -> groups.put(
                        heading,
                        shown.stream()
                                .filter(option -> heading(option).equals(heading))
                                .toList()));
        return groups.entrySet().stream()
                .filter(group -> !group.getValue().isEmpty())
                .map(group -> (group.getKey().isEmpty() ? "" : Formatted.of("%n%s:%n", group.getKey()))
                        + table(help, shown, group.getValue()))
                .collect(Collectors.joining());
    }

    /** @param all of the command: the columns of its tables are alike */
    private static String table(Help help, List<OptionSpec> all, List<OptionSpec> options) {
        Help.Layout layout = help.createDefaultLayout(all, List.of(), help.colorScheme());
        layout.addOptions(options, help.parameterLabelRenderer());
        return layout.toString();
    }

    private static String heading(OptionSpec option) {
        return option.userObject() instanceof Field field ? HEADINGS.getOrDefault(field.getDeclaringClass(), "") : "";
    }
}

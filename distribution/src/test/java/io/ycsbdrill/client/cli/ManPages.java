package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.cluster.CommandContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Writes a man page for each command, from the same model that {@code --help} prints. Run by the build of a release. */
final class ManPages {
    private ManPages() {}

    /** @param arguments the directory to write to, and the version */
    public static void main(String[] arguments) throws IOException {
        Path directory = Files.createDirectories(Path.of(arguments[0]));
        write(Main.commandLine(CommandContext.ofProcess()), directory, arguments[1]);
    }

    private static void write(CommandLine command, Path directory, String version) throws IOException {
        CommandSpec spec = command.getCommandSpec();
        if (spec.usageMessage().hidden()) {
            return;
        }
        String name = spec.qualifiedName("-");
        Files.writeString(directory.resolve(name + ".1"), page(command, name, version));
        for (CommandLine sub : command.getSubcommands().values()) {
            write(sub, directory, version);
        }
    }

    private static String page(CommandLine command, String name, String version) {
        Help help = command.getHelp();
        CommandSpec spec = command.getCommandSpec();
        StringBuilder page = new StringBuilder();
        page.append(".TH \"").append(name.toUpperCase(java.util.Locale.ROOT)).append("\" 1 \"\" \"ycsb-drill ");
        page.append(version)
                .append("\"\n.SH NAME\n")
                .append(text(name + " - " + first(spec.usageMessage().description())));
        page.append(".SH SYNOPSIS\n.nf\n").append(text(help.synopsis(0))).append(".fi\n.SH DESCRIPTION\n");
        page.append(text(String.join("\n.PP\n", spec.usageMessage().description())));
        if (!spec.positionalParameters().isEmpty()) {
            page.append(".SH ARGUMENTS\n");
            spec.positionalParameters().stream()
                    .filter(arg -> !arg.hidden())
                    .forEach(arg -> item(page, arg.paramLabel(), arg));
        }
        if (!spec.options().isEmpty()) {
            page.append(".SH OPTIONS\n");
            spec.options().stream()
                    .filter(option -> !option.hidden())
                    .forEach(option -> item(page, names(option), option));
        }
        if (!command.getSubcommands().isEmpty()) {
            page.append(".SH COMMANDS\n");
            command.getSubcommands().forEach((sub, line) -> {
                CommandSpec of = line.getCommandSpec();
                if (!of.usageMessage().hidden()) {
                    page.append(".TP\n.BR ")
                            .append(text(of.qualifiedName("-")).strip())
                            .append(" (1)\n");
                    page.append(text(first(of.usageMessage().description())));
                }
            });
        }
        if (spec.usageMessage().footer().length > 0) {
            page.append(".SH NOTES\n.nf\n")
                    .append(text(String.join("\n", spec.usageMessage().footer())))
                    .append(".fi\n");
        }
        return page.toString();
    }

    private static String names(OptionSpec option) {
        return String.join(", ", option.names()) + (option.arity().max() > 0 ? " " + option.paramLabel() : "");
    }

    private static void item(StringBuilder page, String label, ArgSpec arg) {
        page.append(".TP\n.B ")
                .append(text(label).strip())
                .append('\n')
                .append(text(String.join(" ", arg.description())));
    }

    private static String first(String[] lines) {
        return lines.length == 0 ? "" : lines[0];
    }

    /** Without picocli's mark-up, and so that no line is a request by accident; ends with a line break. */
    private static String text(String of) {
        String plain =
                Help.Ansi.OFF.string(of.replace("%n", "\n").replace("%%", "%")).strip();
        return plain.replace("\\", "\\e").replace("-", "\\-").replaceAll("(?m)^(?!\\.PP$)([.'])", "\\\\&$1") + "\n";
    }
}

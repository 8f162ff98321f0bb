package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.PlainStream;
import io.ycsbdrill.client.cli.option.EnvironmentOptions;
import io.ycsbdrill.client.cli.option.HelpGroups;
import io.ycsbdrill.client.cli.process.Signals;
import io.ycsbdrill.client.cli.process.ThisJvm;
import io.ycsbdrill.client.cli.start.InitCommand;
import io.ycsbdrill.client.cluster.CommandContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import picocli.AutoComplete;
import picocli.CommandLine;

/** The entry point of {@code bin/ycsb}. */
public final class Main {
    /** It is about all commands. */
    private static final String COMPLETION = "generate-completion";

    private Main() {}

    /** Runs the command and ends the process with its exit code. */
    public static void main(String[] arguments) {
        ThisJvm.takeSecrets();
        // Libraries print what servers say, too.
        System.setOut(PlainStream.of(System.out));
        System.setErr(PlainStream.of(System.err));
        if (Inside.here() || arguments.length > 0 && arguments[0].equals(ClientCommand.NAME)) {
            Signals.installForClient();
        } else {
            Signals.install();
        }
        quietLibraries();
        Signals.exit(execute(CommandContext.ofProcess(), arguments));
    }

    /**
     * Libraries speak up only when something is wrong, and never on standard output, where the results are. Set here and not in a
     * file of the jar, which would be found by every program that has the jar on its class path.
     */
    private static void quietLibraries() {
        Map.of(
                        "logFile", "System.err",
                        "defaultLogLevel", "warn",
                        "showThreadName", "false",
                        "showShortLogName", "true",
                        // It would log every error of the server's, which the caller is given anyway.
                        "log.org.mariadb.jdbc", "off")
                .forEach((key, value) -> {
                    String property = "org.slf4j.simpleLogger." + key;
                    System.setProperty(property, System.getProperty(property, value));
                });
    }

    /**
     * Runs the command.
     *
     * @return the exit code: 0 success, 1 failed, 2 usage or configuration, 3 a drill missed its limits
     */
    public static int execute(CommandContext world, String... arguments) {
        try {
            CommandLine root = commandLine(world, arguments);
            EnvironmentOptions options = EnvironmentOptions.of(root, world.environment(), arguments);
            options.warnings().forEach(world::say);
            int exitCode = root.execute(options.arguments());
            if (exitCode == CommandLine.ExitCode.USAGE && !options.used().isEmpty()) {
                world.say("note: options of this command from the environment: " + String.join(", ", options.used()));
            }
            return exitCode;
        } catch (OutOfMemoryError e) {
            world.say("error: not enough memory for this command; give Java more with -jvm-args=-Xmx..., now "
                    + Runtime.getRuntime().maxMemory() / (1 << 20) + " MiB");
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /** The commands by their names, in the order of the help; a new one is one line here. */
    private static Map<String, Supplier<Object>> commands(CommandContext world) {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("init", () -> new InitCommand(world));
        commands.put("load", () -> new LoadCommand(world));
        commands.put("run", () -> new RunCommand(world));
        commands.put("drill", () -> new DrillCommand(world));
        commands.put("explore", () -> new ExploreCommand(world));
        commands.put("experiment", () -> new ExperimentCommand(world));
        commands.put("sweep", () -> new SweepCommand(world));
        commands.put("ab", () -> new AbCommand(world));
        commands.put("suite", () -> new SuiteCommand(world));
        commands.put("shell", () -> new ShellCommand(world));
        commands.put("cluster", () -> ClusterCommand.commandLine(world));
        commands.put("report", () -> new ReportCommand(world));
        commands.put("audit", () -> new AuditCommand(world));
        commands.put("compare", () -> new CompareCommand(world));
        commands.put("merge", () -> new MergeCommand(world));
        commands.put("history", () -> new HistoryCommand(world));
        commands.put("doctor", () -> new DoctorCommand(world));
        commands.put(ClientCommand.NAME, () -> new ClientCommand(world));
        commands.put(COMPLETION, AutoComplete.GenerateCompletion::new);
        return commands;
    }

    /**
     * The parser of command lines, with the command alone that is typed, as all of them take a third of a second to be made, and with all
     * where none is typed, all are asked about, or options come from the environment.
     *
     * @param typed the command line that it is made for
     */
    static CommandLine commandLine(CommandContext world, String... typed) {
        CommandLine root = new CommandLine(new YcsbCommand());
        Map<String, Supplier<Object>> commands = commands(world);
        boolean alone = typed.length > 0
                && commands.containsKey(typed[0])
                && !typed[0].equals(COMPLETION)
                && world.environment().keySet().stream().noneMatch(EnvironmentOptions::isOption);
        commands.forEach((name, command) -> {
            if (!alone || name.equals(typed[0])) {
                root.addSubcommand(name, command.get());
            }
        });

        ErrorMessages errors = new ErrorMessages(world, List.of(typed));
        root.setOut(new java.io.PrintWriter(world.out(), true));
        root.setErr(new java.io.PrintWriter(world.err(), true));
        root.setExpandAtFiles(false);
        root.setPosixClusteredShortOptionsAllowed(false);
        root.setOverwrittenOptionsAllowed(true);
        root.setUsageHelpAutoWidth(true);
        HelpGroups.in(root);
        root.setParameterExceptionHandler(errors::badUsage);
        root.setExecutionExceptionHandler(errors::failed);
        return root;
    }
}

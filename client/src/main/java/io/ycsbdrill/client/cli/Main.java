package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.PlainStream;
import io.ycsbdrill.client.cli.option.EnvironmentOptions;
import io.ycsbdrill.client.cli.option.HelpGroups;
import io.ycsbdrill.client.cli.process.Signals;
import io.ycsbdrill.client.cli.process.ThisJvm;
import io.ycsbdrill.client.cli.start.InitCommand;
import io.ycsbdrill.client.cluster.CommandContext;
import java.util.List;
import java.util.Map;
import picocli.AutoComplete;
import picocli.CommandLine;

/** The entry point of {@code bin/ycsb}. */
public final class Main {
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

    /**
     * All commands; a new one is one line here.
     *
     * @param typed the command line that it is made for
     */
    static CommandLine commandLine(CommandContext world, String... typed) {
        CommandLine root = new CommandLine(new YcsbCommand());
        root.addSubcommand(new InitCommand(world));
        root.addSubcommand(new LoadCommand(world));
        root.addSubcommand(new RunCommand(world));
        root.addSubcommand(new DrillCommand(world));
        root.addSubcommand(new ExploreCommand(world));
        root.addSubcommand(new ExperimentCommand(world));
        root.addSubcommand(new SweepCommand(world));
        root.addSubcommand(new AbCommand(world));
        root.addSubcommand(new SuiteCommand(world));
        root.addSubcommand(new ShellCommand(world));
        root.addSubcommand(ClusterCommand.commandLine(world));
        root.addSubcommand(new ReportCommand(world));
        root.addSubcommand(new AuditCommand(world));
        root.addSubcommand(new CompareCommand(world));
        root.addSubcommand(new MergeCommand(world));
        root.addSubcommand(new HistoryCommand(world));
        root.addSubcommand(new DoctorCommand(world));
        root.addSubcommand(new ClientCommand(world));
        root.addSubcommand(new AutoComplete.GenerateCompletion());

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

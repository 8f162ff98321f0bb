package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.group.JoinedClient;
import io.ycsbdrill.client.run.RunResult;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Not for users: the process of a further client of {@code --clients}. */
@Command(
        name = ClientCommand.NAME,
        hidden = true,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = "A client process started by --clients N; reads its orders from standard input.")
final class ClientCommand implements Callable<Integer> {
    static final String NAME = "client-process";

    private final CommandContext world;

    @Parameters(arity = "0..1", paramLabel = "I/N", description = "Client number, shown in process listings.")
    private String part;

    ClientCommand(CommandContext world) {
        this.world = world;
    }

    /** The command line of such a process: this one's Java with its options, and this command. */
    static List<String> program() {
        List<String> program = new ArrayList<>();
        program.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        program.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        program.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), NAME));
        return program;
    }

    @Override
    public Integer call() {
        JoinedClient client;
        try {
            client = JoinedClient.of(world.in(), world.out(), Signals::halt);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(NAME + " is started by --clients, not by hand: " + e.getMessage());
        }
        // Bindings that print would be taken for answers.
        System.setOut(System.err);
        try (Stop stop = Stop.install()) {
            RunResult result = client.execute(stop::during);
            return result.state() == RunResult.State.COMPLETE ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }
}

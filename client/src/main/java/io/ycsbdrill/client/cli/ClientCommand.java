package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.FileReason;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.process.Signals;
import io.ycsbdrill.client.cli.process.Stop;
import io.ycsbdrill.client.cli.process.ThisJvm;
import io.ycsbdrill.client.cli.status.LiveStatus;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.group.ClientPlace;
import io.ycsbdrill.client.group.HostPlace;
import io.ycsbdrill.client.group.JoinedClient;
import io.ycsbdrill.client.group.LocalPlace;
import io.ycsbdrill.client.group.SentProgram;
import io.ycsbdrill.client.run.BuildInfo;
import io.ycsbdrill.client.run.RunResult;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.fault.inventory.ClientHost;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Not for users: the process of a further client of {@code --clients}. */
@Command(
        name = ClientCommand.NAME,
        hidden = true,
        description = "A client process started by --clients N; reads its orders from standard input.")
final class ClientCommand extends ContextCommand {
    static final String NAME = "client-process";

    private static final String STATUS = "--status";
    /** Options that are for this machine, or of no use to a client on another one. */
    private static final List<String> OWN = List.of(
            "-Dycsb.drill.",
            "-XX:SharedArchiveFile",
            "-XX:TieredStopAtLevel",
            "-Xlog:",
            "-Xshare",
            "-javaagent",
            "-agentlib");

    @Option(names = STATUS, description = "Print status lines: of a client on another machine.")
    private boolean status;

    @Parameters(arity = "0..1", paramLabel = "I/N", description = "Client number, shown in process listings.")
    private String part;

    ClientCommand(CommandContext world) {
        super(world);
    }

    /** The command line of such a process: this one's Java with its options, and this command. */
    static List<String> program() {
        List<String> program = ThisJvm.command();
        program.addAll(List.of("-cp", System.getProperty("java.class.path"), Main.class.getName(), NAME));
        return program;
    }

    /**
     * Where further clients are started: on the hosts in turn, or on this machine when there are none.
     *
     * @param count how many; not negative
     */
    static List<ClientPlace> others(int count, List<ClientHost> hosts, Path workingDirectory) {
        return hosts.isEmpty()
                ? Collections.nCopies(count, new LocalPlace(program(), workingDirectory, ThisJvm.environment()))
                : List.copyOf(onHosts(count, hosts));
    }

    /** Says what would be run on the hosts, for the clients after the first one. */
    static void rehearse(int clients, List<ClientHost> hosts, Consumer<String> lines) {
        if (hosts.isEmpty()) {
            return;
        }
        int number = 2;
        for (HostPlace place : onHosts(clients - 1, hosts)) {
            ClientShare part = new ClientShare(number++, clients);
            lines.accept("client " + part.number() + " " + place.where() + ":");
            try {
                place.calls(part).forEach(call -> lines.accept("    " + call));
            } catch (IOException e) {
                throw new ConfigException("the classes of this process cannot be read: " + FileReason.of(e));
            }
        }
    }

    private static List<HostPlace> onHosts(int count, List<ClientHost> hosts) {
        List<String> secrets = ThisJvm.secretOptions();
        if (!secrets.isEmpty()
                && hosts.stream().anyMatch(host -> host.jvmArguments().isEmpty())) {
            throw new ConfigException(
                    String.join(", ", secrets) + " of this JVM is a secret, and would be in the process"
                            + " list of the clients' hosts: give them jvm_args in the inventory, with the name of an argument file"
                            + " there that has it: [\"@/path/of/file\"]");
        }
        SentProgram parts = new SentProgram(
                BuildInfo.current().version(),
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(Path::of)
                        .toList());
        List<String> arguments = ThisJvm.options().stream()
                .filter(argument -> OWN.stream().noneMatch(argument::startsWith))
                .toList();
        HostPlace.Program program =
                new HostPlace.Program(parts, arguments, List.of(Main.class.getName(), NAME, STATUS));
        String run = UUID.randomUUID().toString();
        List<HostPlace> places = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            places.add(new HostPlace(hosts.get(i % hosts.size()), program, run));
        }
        return places;
    }

    @Override
    public Integer call() {
        JoinedClient client = ConfigException.from(
                NAME + " is started by --clients, not by hand: ",
                () -> JoinedClient.of(
                        world.in(),
                        world.out(),
                        Signals::halt,
                        spec -> status ? List.of(LiveStatus.of(world, spec, () -> "")) : List.of()));
        // Bindings that print would be taken for answers.
        System.setOut(System.err);
        try (Stop stop = Stop.install()) {
            RunResult result = client.execute(stop::during);
            return result.state() == RunResult.State.COMPLETE ? CommandLine.ExitCode.OK : CommandLine.ExitCode.SOFTWARE;
        }
    }
}

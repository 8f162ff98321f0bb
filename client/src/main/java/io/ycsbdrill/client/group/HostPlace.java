package io.ycsbdrill.client.group;

import io.ycsbdrill.client.run.ClientShare;
import io.ycsbdrill.client.run.RunDirectory;
import io.ycsbdrill.client.run.RunDocument;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.inventory.ClientHost;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A host of an inventory, reached through its transport. What is sent there stays for the next run of the same version. */
public final class HostPlace implements ClientPlace {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration COPY_BOUND = Duration.ofMinutes(30);

    private final ClientHost client;
    private final Program program;
    private final String run;
    private String there = "";

    /**
     * What runs a client.
     *
     * @param parts of the class path, in order
     * @param jvmArguments of this process, as far as they are of use elsewhere
     * @param main the main class and its arguments; the client's number is added
     */
    public record Program(SentProgram parts, List<String> jvmArguments, List<String> main) {
        public Program {
            jvmArguments = List.copyOf(jvmArguments);
            main = List.copyOf(main);
        }
    }

    /** @param run a name that no other run has; letters, digits and - */
    public HostPlace(ClientHost client, Program program, String run) {
        this.client = client;
        this.program = program;
        this.run = run;
    }

    @Override
    public String where() {
        return "on " + client.id();
    }

    @Override
    public boolean hasOwnClock() {
        return true;
    }

    @Override
    public boolean mayBeLost() {
        return true;
    }

    @Override
    public void prepare() throws IOException {
        if (client.installed().isPresent()) {
            return;
        }
        String name = program.parts().name();
        there = client.directory() + "/" + name;
        if (shell("[ -e \"$1/.complete\" ] && echo yes || echo no", there).equals("yes")) {
            return;
        }
        // Another client may be sending the same; whoever is first puts its copy there as a whole.
        HostCall call = send();
        Path archive = program.parts().archive();
        expect(new ProcessBuilder(call.line()).redirectInput(archive.toFile()), COPY_BOUND, call);
    }

    @Override
    public RunSpec placed(RunSpec spec) {
        Properties properties = new Properties();
        properties.putAll(spec.properties());
        properties.putAll(client.properties());
        RunSpec.Builder placed = spec.toBuilder();
        if (!client.properties().isEmpty()) {
            // For the merge, which else refuses runs whose properties differ.
            placed.extra(
                    RunDocument.OWN_PROPERTIES,
                    RunDirectory.JSON.valueToTree(
                            new TreeSet<>(client.properties().keySet())));
        }
        return placed.properties(properties)
                .out(Path.of(runs()).resolve(spec.out().getFileName()))
                .build();
    }

    private String runs() {
        return client.directory() + "/runs/" + run;
    }

    @Override
    public Process start(RunSpec placed) throws IOException {
        shell("mkdir -p \"$1\"", runs());
        List<String> line = new ArrayList<>();
        // A Ctrl-C in the terminal is for this process only, which ends the others in order.
        Stream.of("/usr/bin/setsid", "/bin/setsid")
                .filter(setsid -> Files.isExecutable(Path.of(setsid)))
                .findFirst()
                .ifPresent(line::add);
        line.addAll(client(placed.part().toString()).line());
        return new ProcessBuilder(line).start();
    }

    private HostCall client(String part) {
        List<String> command = new ArrayList<>();
        if (client.installed().isPresent()) {
            command.addAll(List.of(
                    "env",
                    "YCSB_JVM_ARGS=" + String.join(" ", client.jvmArguments()),
                    client.installed().get() + "/bin/ycsb"));
            command.addAll(program.main().subList(1, program.main().size()));
        } else {
            command.add(client.java());
            command.addAll(program.jvmArguments().stream()
                    .filter(argument -> client.jvmArguments().isEmpty() || argument.startsWith("--add-opens"))
                    .toList());
            command.addAll(client.jvmArguments());
            command.addAll(List.of("-cp", program.parts().classPath(there)));
            command.addAll(program.main());
        }
        command.add(part);
        return client.host().call(command);
    }

    private HostCall fetch(String name) {
        return client.host().call(List.of("tar", "-C", runs(), "-cf", "-", name));
    }

    private HostCall send() {
        return client.host()
                .call(List.of(
                        "sh",
                        "-c",
                        "set -e; mkdir -p \"$1\"; t=$(mktemp -d \"$1/sent.XXXXXX\"); tar -C \"$t\" -xf -; : >\"$t/.complete\";"
                                + " mv -T \"$t\" \"$2\" 2>/dev/null || rm -rf \"$t\"; [ -e \"$2/.complete\" ]",
                        "sh",
                        client.directory(),
                        there));
    }

    /**
     * What is run there, without running it: what sends the program, starts the client and fetches its run directory.
     *
     * @throws IOException when the classes of this process cannot be read
     */
    public List<HostCall> calls(ClientShare part) throws IOException {
        if (client.installed().isPresent()) {
            return List.of(client(part.toString()), fetch("client-" + part.number()));
        }
        there = client.directory() + "/" + program.parts().name();
        return List.of(send(), client(part.toString()), fetch("client-" + part.number()));
    }

    @Override
    public void collect(RunSpec spec) throws IOException {
        Path archive = Files.createTempFile("ycsb-drill", ".tar");
        try {
            Path name = spec.out().getFileName();
            HostCall call = fetch(name.toString());
            expect(new ProcessBuilder(call.line()).redirectOutput(archive.toFile()), COPY_BOUND, call);
            Path parent = Files.createDirectories(spec.out().toAbsolutePath().getParent());
            HostCall unpack = new HostCall(
                    List.of("tar", "-C", parent.toString(), "--no-same-owner", "-xf", archive.toString()),
                    Optional.empty());
            expect(new ProcessBuilder(unpack.line()), COPY_BOUND, unpack);
        } finally {
            Files.deleteIfExists(archive);
        }
    }

    @Override
    public void clean(RunSpec spec) throws IOException {
        shell(
                "rm -r -- \"$1\" && { rmdir -- \"${1%/*}\" 2>/dev/null || :; }",
                runs() + "/" + spec.out().getFileName());
    }

    /** What a line of ours prints there. */
    private String shell(String line, String argument) throws IOException {
        HostCall call = client.host().call(List.of("sh", "-c", line, "sh", argument));
        ProgramOutput output = call.run(BOUND);
        if (output.exit() != 0) {
            throw new IOException("client host " + client.id() + ", " + client.host() + ": exit code " + output.exit()
                    + " of " + call + ": " + output.text().strip());
        }
        return output.firstLine();
    }

    private void expect(ProcessBuilder builder, Duration bound, HostCall call) throws IOException {
        Path errors = Files.createTempFile("ycsb-drill", ".err");
        try {
            if (builder.redirectInput().file() == null) {
                builder.redirectInput(new File("/dev/null"));
            }
            if (builder.redirectOutput().file() == null) {
                builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
            }
            Process process = builder.redirectError(errors.toFile()).start();
            try {
                if (!process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                    throw new IOException(call + " did not end within " + bound.toMinutes() + " min");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while waiting for " + call, e);
            } finally {
                process.destroyForcibly();
            }
            if (process.exitValue() != 0) {
                throw new IOException("client host " + client.id() + ", " + client.host() + ": exit code "
                        + process.exitValue() + " of " + call + ": "
                        + Files.readString(errors).strip());
            }
        } finally {
            Files.deleteIfExists(errors);
        }
    }
}

package io.ycsbdrill.client.group;

import io.ycsbdrill.client.run.RunDocument;
import io.ycsbdrill.client.run.RunSpec;
import io.ycsbdrill.client.run.file.RunDirectory;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.fault.host.AtOnce;
import io.ycsbdrill.fault.host.HostCall;
import io.ycsbdrill.fault.host.HostScript;
import io.ycsbdrill.fault.inventory.ClientHost;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A host of an inventory, reached through its transport. What is sent there stays for the next run of the same version, which compares
 * every file before it runs any of it. The directory there is this user's alone.
 */
public final class HostPlace implements ClientPlace {
    private static final Duration BOUND = Duration.ofSeconds(60);
    private static final Duration COPY_BOUND = Duration.ofMinutes(30);
    private static final int LAST_WORDS_SECONDS = 2;
    private static final int MOST_ERRORS = 8192;
    private static final int LAST_RECORD = 1 << 20;
    /** What the script writes before each path, as the login may print other lines. */
    private static final String FOUND = "place: ";

    private static final HostScript SCRIPT = new HostScript(HostPlace.class, "place.sh");

    private final ClientHost client;
    private final Program program;
    private final String run;
    private String directory;
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
        this.directory = client.directory();
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
        List<String> found = ask(find()).stream()
                .filter(line -> line.startsWith(FOUND))
                .map(line -> line.substring(FOUND.length()))
                .toList();
        directory = found.get(0);
        there = directory + "/" + name;
        if (found.size() > 1) {
            HostCall call = send(found.get(1));
            transfer(call, process -> {
                try (OutputStream out = process.getOutputStream()) {
                    program.parts().writeTo(out);
                }
            });
            ask(take(found.get(1)));
        }
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
        return directory + "/runs/" + run;
    }

    @Override
    public Process start(RunSpec placed) throws IOException {
        ask(script("", "runs", run));
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

    private HostCall find() throws IOException {
        return script(sums(), "find", program.parts().name());
    }

    private HostCall send(String folder) {
        // Where others of a group could change what has come, it is not run.
        return client.host().call(List.of("sh", "-c", "umask 077; exec tar -C \"$1\" -oxf -", "sh", folder));
    }

    private HostCall take(String folder) throws IOException {
        return script(sums(), "take", program.parts().name(), folder);
    }

    private String sums() throws IOException {
        return "sums() {\ncat <<'END-OF-SUMS'\n" + program.parts().sums() + "END-OF-SUMS\n}\n";
    }

    private HostCall script(String definitions, String verb, String... more) {
        List<String> arguments = new ArrayList<>(List.of(client.directory()));
        arguments.addAll(List.of(more));
        return SCRIPT.on(client.host(), definitions, verb, arguments);
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
        String sent = client.directory() + "/sent.XXXXXX";
        return List.of(find(), send(sent), take(sent), client(part.toString()), fetch("client-" + part.number()));
    }

    @Override
    public void collect(RunSpec spec) throws IOException {
        String name = spec.out().getFileName().toString();
        Path parent = Files.createDirectories(spec.out().toAbsolutePath().getParent());
        transfer(fetch(name), process -> {
            process.getOutputStream().close();
            new ForeignArchive(process.getInputStream(), name).unpackInto(parent);
            // Zeros after the end.
            process.getInputStream().readNBytes(LAST_RECORD);
        });
    }

    @Override
    public void clean(RunSpec spec) throws IOException {
        ask(script("", "clean", run, spec.out().getFileName().toString()));
    }

    /** What a script of ours prints there. */
    private List<String> ask(HostCall call) throws IOException {
        ProgramOutput output = call.run(BOUND);
        if (output.exit() != 0) {
            throw failed(call, output.exit(), output.text());
        }
        return output.text().lines().toList();
    }

    private IOException failed(HostCall call, int exit, String said) {
        return new IOException("client host " + client.id() + ", " + client.host() + ": exit code " + exit + " of "
                + call + ": " + said.strip());
    }

    /** What reads or writes files by the input or output of a command. */
    private interface Exchange {
        void with(Process process) throws IOException;
    }

    private void transfer(HostCall call, Exchange exchange) throws IOException {
        Process process = new ProcessBuilder(call.line()).start();
        CompletableFuture<String> errors = AtOnce.ask(() -> errors(process));
        process.onExit().orTimeout(COPY_BOUND.toMillis(), TimeUnit.MILLISECONDS).whenComplete((over, late) -> {
            // Of one that has ended it would close what is still to be read.
            if (late != null) {
                process.destroyForcibly();
            }
        });
        IOException problem = null;
        try {
            exchange.with(process);
        } catch (IOException e) {
            problem = e;
        }
        try {
            // What the command itself says about its end explains more than a pipe that broke.
            boolean ended =
                    problem == null ? process.waitFor() >= 0 : process.waitFor(LAST_WORDS_SECONDS, TimeUnit.SECONDS);
            if (ended && process.exitValue() != 0) {
                throw failed(call, process.exitValue(), errors.join());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while waiting for " + call, e);
        } finally {
            process.destroyForcibly();
        }
        if (problem != null) {
            throw new IOException(
                    "client host " + client.id() + ", " + client.host() + ": " + problem.getMessage(), problem);
        }
    }

    private static String errors(Process process) {
        try (InputStream in = process.getErrorStream()) {
            String said = new String(in.readNBytes(MOST_ERRORS), StandardCharsets.UTF_8);
            in.transferTo(OutputStream.nullOutputStream());
            return said;
        } catch (IOException e) {
            return e.toString();
        }
    }
}

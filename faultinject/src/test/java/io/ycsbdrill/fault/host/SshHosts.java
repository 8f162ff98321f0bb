package io.ycsbdrill.fault.host;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * "Machines" that are reached by ssh: a real sshd for each, on loopback or in a network namespace of its own, with a host key, a port and an
 * authorised key of its own, and a configuration for ssh that knows them by name. All of them see the same file system. Skips the test
 * where there is no sshd.
 */
public final class SshHosts implements AutoCloseable {
    private static final long START_SECONDS = 30;
    private static final int PORTS = 5;

    /**
     * One of them.
     *
     * @param address at which its sshd listens
     * @param into the beginning of the command line that starts it; empty where it is on this machine's own network
     * @param environment is added to that of what it runs, as {@code NAME=value}
     */
    public record Machine(String name, String address, List<String> into, List<String> environment) {}

    private final Path folder;
    private final Map<String, Process> servers = new LinkedHashMap<>();

    private SshHosts(Path folder) {
        this.folder = folder;
    }

    /** Starts them; {@code environment} is added to that of each, as {@code NAME=value}. */
    public static SshHosts start(Path folder, List<String> names, Map<String, List<String>> environment)
            throws IOException, InterruptedException {
        return start(
                folder,
                names.stream()
                        .map(name ->
                                new Machine(name, "127.0.0.1", List.of(), environment.getOrDefault(name, List.of())))
                        .toList());
    }

    /** Starts them. */
    public static SshHosts start(Path folder, List<Machine> machines) throws IOException, InterruptedException {
        Path sshd = Path.of("/usr/sbin/sshd");
        boolean root = System.getProperty("user.name").equals("root");
        if (!Files.isExecutable(sshd)
                || program("ssh").isEmpty()
                || program("ssh-keygen").isEmpty()) {
            Assumptions.abort("no sshd, ssh or ssh-keygen is installed (package openssh-server)");
        }
        if (root) {
            // Empty; sshd of root confines itself to it. It is made when the system's own sshd is started, which need
            // not run here.
            Files.createDirectories(Path.of("/run/sshd"));
        }
        SshHosts hosts = new SshHosts(Files.createDirectories(folder));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        hosts.key("user");
        Files.copy(folder.resolve("user.pub"), folder.resolve("authorized_keys"));
        List<String> config = new ArrayList<>();
        List<String> known = new ArrayList<>();
        try {
            for (Machine machine : machines) {
                String name = machine.name();
                hosts.key(name);
                int port = hosts.serve(machine);
                known.add("[" + machine.address() + "]:" + port + " "
                        + Files.readString(folder.resolve(name + ".pub")).strip());
                config.addAll(List.of(
                        "Host " + name,
                        "  HostName " + machine.address(),
                        "  Port " + port,
                        "  IdentityFile " + folder.resolve("user"),
                        "  IdentitiesOnly yes",
                        "  UserKnownHostsFile " + folder.resolve("known_hosts")));
            }
            Files.write(folder.resolve("known_hosts"), known);
            Files.write(hosts.config(), config);
            return hosts;
        } catch (IOException | InterruptedException | RuntimeException e) {
            hosts.close();
            throw e;
        }
    }

    /** The port that it listens on. One that is free here may be taken in the machine's own network. */
    private int serve(Machine machine) throws IOException, InterruptedException {
        for (int i = 0; i < PORTS; i++) {
            int port = freePort();
            String said = serve(machine, port);
            if (said.isEmpty()) {
                return port;
            }
            if (!said.contains("Address already in use")) {
                Assumptions.abort("sshd does not start here: " + said);
            }
        }
        throw new IOException("no free port for an sshd on " + machine.address() + " in " + PORTS + " attempts");
    }

    /** What it says when it does not listen; else empty. */
    private String serve(Machine machine, int port) throws IOException, InterruptedException {
        String name = machine.name();
        List<String> lines = new ArrayList<>(List.of(
                "Port " + port,
                "ListenAddress " + machine.address(),
                "HostKey " + folder.resolve(name),
                "AuthorizedKeysFile " + folder.resolve("authorized_keys"),
                "PidFile none",
                "UsePAM no",
                "StrictModes no",
                "PasswordAuthentication no",
                "KbdInteractiveAuthentication no",
                "PermitRootLogin prohibit-password"));
        if (!machine.environment().isEmpty()) {
            lines.add("SetEnv " + String.join(" ", machine.environment()));
        }
        Path config = Files.write(folder.resolve(name + ".sshd_config"), lines);
        Path log = folder.resolve(name + ".log");
        List<String> command = new ArrayList<>(machine.into());
        command.addAll(List.of("/usr/sbin/sshd", "-D", "-e", "-f", config.toString()));
        Process server = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        servers.put(name, server);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        while (!Files.readString(log).contains("Server listening on " + machine.address())) {
            if (!server.isAlive() || System.nanoTime() - deadline > 0) {
                return "sshd: " + Files.readString(log);
            }
            Thread.sleep(50);
        }
        return "";
    }

    /** For {@code ssh -F}, or {@code ssh_config} of an inventory. */
    public Path config() {
        return folder.resolve("ssh_config");
    }

    /** Whoever has the private key that the configuration names may log in; this takes that away from a configuration of its own. */
    public Path knownHosts() {
        return folder.resolve("known_hosts");
    }

    /** The machine is off at once: its server, all sessions, and whatever these have started and not let go. */
    public void turnOff(String name) {
        Process server = servers.get(name);
        List<ProcessHandle> all = server.descendants().toList();
        server.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        server.onExit().join(); // until then the kernel may still accept connections for it
    }

    /** The connections break; what runs on the machine goes on. */
    public void cutSessions(String name) {
        servers.get(name)
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("sshd"))
                .forEach(ProcessHandle::destroyForcibly);
    }

    /** The machine hangs: its server and sessions are stopped, or go on; what runs on the machine beside them goes on all the time. */
    public void hang(String name, boolean hangs) throws IOException, InterruptedException {
        Process server = servers.get(name);
        List<String> command = new ArrayList<>(List.of("kill", hangs ? "-STOP" : "-CONT"));
        Stream.concat(Stream.of(server.toHandle()), server.descendants())
                .forEach(process -> command.add(Long.toString(process.pid())));
        new ProcessBuilder(command).start().waitFor();
    }

    private void key(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder(
                        "ssh-keygen",
                        "-q",
                        "-t",
                        "ed25519",
                        "-N",
                        "",
                        "-C",
                        name,
                        "-f",
                        folder.resolve(name).toString())
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("ssh-keygen ended with " + code);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    private static Optional<Path> program(String name) {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> Path.of(directory, name))
                .filter(Files::isExecutable)
                .findFirst();
    }

    @Override
    public void close() {
        servers.keySet().forEach(this::turnOff);
    }
}

package io.ycsbdrill.fault.node.haproxy;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/**
 * The HAProxy of a local cluster: one process with one port for clients, found again by its pid file in the cluster's
 * directory. Immutable and thread-safe.
 */
public final class Haproxy {
    /** Its name in {@code cluster status}. */
    public static final String NAME = "haproxy";

    private static final String STATE_KEY = "haproxyPort";
    private static final Duration START_BOUND = Duration.ofSeconds(60);
    private static final Duration END_BOUND = Duration.ofSeconds(10);

    private final Path directory;
    private final int port;

    private Haproxy(Path directory, int port) {
        this.directory = directory;
        this.port = port;
    }

    /** That of the cluster, running or not; empty when it was started without one. */
    public static Optional<Haproxy> of(ClusterDescriptor cluster) {
        return Optional.ofNullable(cluster.engineState().get(STATE_KEY))
                .map(port -> new Haproxy(cluster.directory(), Integer.parseInt(port)));
    }

    /** What an engine adds to its state in the descriptor so that {@link #of} finds the proxy. */
    public static Map<String, String> state(int port) {
        return Map.of(STATE_KEY, Integer.toString(port));
    }

    /**
     * Starts it and returns when it has found every server well.
     *
     * @param directory the cluster's
     * @param port for clients, on the loopback interface
     * @param servers ports by node
     * @throws NodeControlException when it does not come up; it is left as it is
     */
    public static void start(
            HaproxyHome home, Path directory, int port, HealthCheck check, Map<String, Integer> servers) {
        Haproxy proxy = new Haproxy(directory, port);
        OsProcess process = proxy.launch(home, check, servers);
        NodeLocks.await(
                START_BOUND,
                () -> {
                    if (!process.alive()) {
                        throw new NodeControlException("HAProxy ended at once; " + proxy.printed());
                    }
                    List<ProxiedServer> seen = proxy.servers();
                    return seen.size() == servers.size() && seen.stream().allMatch(ProxiedServer::checked);
                },
                () -> "HAProxy does not find every server well after " + START_BOUND.toSeconds() + " s: "
                        + proxy.servers() + "; " + proxy.printed());
    }

    private OsProcess launch(HaproxyHome home, HealthCheck check, Map<String, Integer> servers) {
        Path config = directory.resolve("haproxy.cfg");
        try {
            Files.writeString(config, HaproxyConfig.text(socket(), port, check, servers));
            // Its own session: out of reach of the terminal's Ctrl-C.
            ProcessBuilder builder = new ProcessBuilder(
                            "setsid", home.program().toString(), "-f", config.toString(), "-db")
                    .directory(directory.toFile())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output().toFile());
            builder.environment().putAll(home.environment(builder.environment()));
            Process process = builder.start();
            Files.writeString(pidFile(), process.pid() + "\n");
            return new OsProcess(process.pid());
        } catch (IOException e) {
            throw new NodeControlException("cannot start HAProxy: " + e.getMessage(), e);
        }
    }

    /** Ends the HAProxy of the cluster in the directory; nothing happens when none runs. */
    public static void stop(Path directory) {
        Haproxy proxy = new Haproxy(directory, 0);
        proxy.process().ifPresent(process -> {
            process.kill();
            if (!process.awaitEnd(END_BOUND.toMillis())) {
                throw new NodeControlException("HAProxy (pid " + process.pid() + ") is still there "
                        + END_BOUND.toSeconds() + " s after SIGKILL; files are kept in " + directory);
            }
        });
    }

    /** Where clients connect: {@code host:port}. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Itself and what it sees of the servers now. */
    public NodeStatus status() {
        Optional<OsProcess> process = process();
        if (process.isEmpty()) {
            return new NodeStatus(NAME, State.DOWN, "no process; " + printed(), OptionalLong.empty());
        }
        OptionalLong pid = OptionalLong.of(process.get().pid());
        if (process.get().stopped()) {
            return new NodeStatus(NAME, State.PAUSED, "frozen", pid);
        }
        List<ProxiedServer> servers = servers();
        String detail = servers.isEmpty()
                ? "does not answer on " + socket()
                : servers.stream().map(ProxiedServer::toString).collect(Collectors.joining("; "));
        State state = servers.isEmpty() ? State.UNKNOWN : State.STARTED;
        return new NodeStatus(NAME, state, "on " + address() + ", " + detail, pid);
    }

    /** What it sees of the servers now, in the order of the nodes; empty when it does not answer. */
    public List<ProxiedServer> servers() {
        return ProxiedServer.ask(socket());
    }

    private Optional<OsProcess> process() {
        return OsProcess.recorded(pidFile(), directory + "/");
    }

    private String printed() {
        try {
            List<String> lines = Files.readAllLines(output());
            return "it printed: \"" + String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()))
                    + "\" (" + output() + ")";
        } catch (IOException e) {
            return "it printed nothing (" + output() + ")";
        }
    }

    private Path socket() {
        return directory.resolve("haproxy.sock");
    }

    private Path pidFile() {
        return directory.resolve("run/haproxy.pid");
    }

    private Path output() {
        return directory.resolve("log/haproxy.out");
    }
}

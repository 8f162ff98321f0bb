package io.ycsbdrill.fault.node.haproxy;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.ProcFs;
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
     * Starts it and returns when it has found every server healthy, or the primary where only that is.
     *
     * @param directory the cluster's
     * @param port for clients, on the loopback interface
     * @param servers addresses by node: {@code host:port}
     * @param checked ports that are asked whether a node is well; its own where there is none
     * @throws NodeControlException when it does not come up; it is left as it is
     */
    public static void start(
            HaproxyHome home,
            Path directory,
            int port,
            HealthCheck check,
            Map<String, String> servers,
            Map<String, Integer> checked) {
        Haproxy proxy = new Haproxy(directory, port);
        Process process = proxy.launch(home, HaproxyConfig.text(proxy.socket(), port, check, servers, checked));
        NodeLocks.await(
                START_BOUND,
                () -> {
                    if (!process.isAlive()) {
                        throw new NodeControlException("HAProxy ended at once with exit status " + process.exitValue()
                                + "; " + proxy.printed());
                    }
                    List<ProxiedServer> seen = proxy.servers();
                    return seen.size() == servers.size() && check.satisfied(seen);
                },
                () -> "HAProxy has not found " + check.wanted() + " healthy after " + START_BOUND.toSeconds() + " s: "
                        + proxy.servers() + "; " + proxy.printed());
    }

    private Process launch(HaproxyHome home, String text) {
        Path config = directory.resolve("haproxy.cfg");
        return NodeIo.get("cannot start HAProxy", () -> {
            Files.writeString(config, text);
            return Launcher.start(
                    List.of(home.program().toString(), "-f", config.toString(), "-db"),
                    directory,
                    output(),
                    pidFile(),
                    List.of("haproxy"),
                    environment -> environment.putAll(home.environment(environment)));
        });
    }

    /** Ends the HAProxy of the cluster in the directory; nothing happens when none runs. */
    public static void stop(Path directory) {
        Haproxy proxy = new Haproxy(directory, 0);
        proxy.process().ifPresent(process -> {
            process.kill();
            if (!process.awaitEnd(END_BOUND.toMillis())) {
                throw new NodeControlException("HAProxy (pid " + process.pid() + ") is still running "
                        + END_BOUND.toSeconds() + " s after SIGKILL; files are kept in " + directory);
            }
        });
    }

    /** Where clients connect: {@code host:port}. */
    public String address() {
        return "127.0.0.1:" + port;
    }

    /** Its own state and the servers' current states as it sees them. */
    public NodeStatus status() {
        Optional<OsProcess> process = process();
        if (process.isEmpty()) {
            return new NodeStatus(NAME, State.DOWN, "no process; " + printed(), OptionalLong.empty());
        }
        OptionalLong pid = OptionalLong.of(process.get().pid());
        if (process.get().stopped()) {
            return new NodeStatus(NAME, State.PAUSED, "paused", pid);
        }
        List<ProxiedServer> servers = servers();
        String detail = servers.isEmpty()
                ? "does not answer on " + socket()
                : servers.stream().map(ProxiedServer::toString).collect(Collectors.joining("; "));
        State state = servers.isEmpty() ? State.UNKNOWN : State.STARTED;
        return new NodeStatus(NAME, state, "on " + address() + ", " + detail, pid);
    }

    /** What its process has used; empty when none runs. */
    public Optional<NodeUse> use() {
        return process().flatMap(process -> ProcFs.use(process.pid()));
    }

    /** The servers as it sees them now, in the order of the nodes; empty when it does not answer. */
    public List<ProxiedServer> servers() {
        return ProxiedServer.ask(socket());
    }

    private Optional<OsProcess> process() {
        return PidFile.running(pidFile());
    }

    private String printed() {
        return "it printed: " + LogTail.quoted(output(), 5);
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

package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.RunAs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The PgBouncer of a local cluster, before its HAProxy: one process with one port for clients, found again by its pid file in the cluster's
 * directory. Immutable and thread-safe.
 */
record PgBouncer(PatroniFiles files, int port) {
    /** Its name in {@code cluster status}. */
    static final String NAME = "pgbouncer";

    private static final String STATE_KEY = "pgbouncerPort";
    private static final Duration START_BOUND = Duration.ofSeconds(20);

    /** That of the cluster, running or not; empty when it was started without one. */
    static Optional<PgBouncer> of(ClusterDescriptor cluster) {
        return Optional.ofNullable(cluster.engineState().get(STATE_KEY))
                .map(port -> new PgBouncer(new PatroniFiles(cluster.directory()), Integer.parseInt(port)));
    }

    /** What the descriptor must have so that {@link #of} finds it. */
    Map<String, String> state() {
        return Map.of(STATE_KEY, Integer.toString(port));
    }

    /** Where clients connect: {@code host:port}. */
    String address() {
        return "127.0.0.1:" + port;
    }

    /**
     * A server's connection belongs to a client as long as the client's own. One that cannot be made is tried again after a second, not
     * after fifteen, its default.
     *
     * @param server port of what is behind it
     */
    String configuration(int server) {
        return Formatted.of("""
                [databases]
                ycsb = host=127.0.0.1 port=%s dbname=ycsb user=ycsb
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %s
                unix_socket_dir =
                auth_type = any
                pool_mode = session
                default_pool_size = 200
                max_client_conn = 400
                server_login_retry = 1
                server_connect_timeout = 2
                ignore_startup_parameters = extra_float_digits
                """, server, port);
    }

    /**
     * Starts it and returns when it listens, whatever is behind it.
     *
     * @param server port of what is behind it
     * @throws NodeControlException when it does not come up
     */
    void start(PatroniHome home, RunAs user, int server) throws IOException {
        Path folder = Files.createDirectories(files.home(NAME));
        Path file = Files.writeString(folder.resolve("pgbouncer.ini"), configuration(server));
        user.own(folder);
        List<String> command = new ArrayList<>(user.prefix());
        command.addAll(List.of(home.pgbouncer().toString(), file.toString()));
        Process process =
                Launcher.start(command, folder, files.output(NAME), files.pid(NAME), List.of(NAME), environment -> {
                    environment.putAll(home.environment(environment));
                });
        NodeLocks.await(
                START_BOUND,
                () -> {
                    if (!process.isAlive()) {
                        throw new NodeControlException(
                                "PgBouncer ended at once with exit status " + process.exitValue() + "; " + printed());
                    }
                    return LogTail.last(files.output(NAME), 20).stream().anyMatch(line -> line.contains("process up"));
                },
                () -> "PgBouncer does not say that it is up after " + START_BOUND.toSeconds() + " s; " + printed());
    }

    /** Its own state. */
    NodeStatus status() {
        Optional<OsProcess> process = PidFile.running(files.pid(NAME));
        return process.map(running -> new NodeStatus(
                        NAME,
                        running.stopped() ? State.PAUSED : State.STARTED,
                        "on " + address() + ", before HAProxy",
                        OptionalLong.of(running.pid())))
                .orElseGet(() -> new NodeStatus(NAME, State.DOWN, "no process; " + printed(), OptionalLong.empty()));
    }

    /** What its process has used; empty when none runs. */
    Optional<NodeUse> use() {
        return PidFile.running(files.pid(NAME)).flatMap(process -> ProcFs.use(process.pid()));
    }

    private String printed() {
        return "it printed: " + LogTail.quoted(files.output(NAME), 5);
    }
}

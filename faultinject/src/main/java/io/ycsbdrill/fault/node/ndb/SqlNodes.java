package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Stoppable.Mode;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;

/** The SQL nodes of a local cluster, {@code sql1}, {@code sql2}, ...: MySQL servers, which hold no rows of NDB tables. */
final class SqlNodes implements AutoCloseable {
    private static final String PREFIX = "sql";
    private static final Duration SIGNAL_BOUND = Duration.ofSeconds(10);
    private static final int GREETING_MILLIS = 2_000;

    private final NdbPrograms programs;
    private final Map<String, Integer> ports = new LinkedHashMap<>();
    private final NodeLocks locks;
    private final SqlWatch watch;
    private boolean watching;

    /** @param ports of the servers, in order */
    SqlNodes(NdbPrograms programs, NdbFiles files, List<Integer> ports) {
        this.programs = programs;
        Map<String, Path> logs = new LinkedHashMap<>();
        for (int sql = 1; sql <= ports.size(); sql++) {
            this.ports.put(PREFIX + sql, ports.get(sql - 1));
            logs.put(PREFIX + sql, files.output("mysqld" + sql));
        }
        locks = new NodeLocks(this.ports.keySet());
        watch = new SqlWatch(logs, node -> programs.sql(number(node)));
    }

    private static int number(String node) {
        return Integer.parseInt(node.substring(PREFIX.length()));
    }

    boolean has(String node) {
        return ports.containsKey(node);
    }

    List<NodeInfo> all() {
        return ports.keySet().stream()
                .map(node -> new NodeInfo(node, "127.0.0.1", 0))
                .toList();
    }

    List<NodeStatus> status() {
        return ports.keySet().stream().map(this::status).toList();
    }

    private NodeStatus status(String node) {
        return programs.sql(number(node))
                .map(process -> {
                    State state =
                            process.stopped() ? State.PAUSED : greets(ports.get(node)) ? State.STARTED : State.STARTING;
                    return new NodeStatus(
                            node, state, "SQL node on port " + ports.get(node), OptionalLong.of(process.pid()));
                })
                .orElseGet(() -> new NodeStatus(node, State.DOWN, "no process", OptionalLong.empty()));
    }

    /** Whether a MySQL server sends its greeting: a packet that begins with protocol version 10. */
    static boolean greets(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), GREETING_MILLIS);
            socket.setSoTimeout(GREETING_MILLIS);
            InputStream in = socket.getInputStream();
            byte[] start = in.readNBytes(5);
            return start.length == 5 && start[4] == 10;
        } catch (IOException e) {
            return false; // not yet
        }
    }

    void kill(String node) {
        locks.locked(node, () -> programs.sql(number(node)).ifPresent(process -> {
            process.kill();
            if (!process.awaitEnd(SIGNAL_BOUND.toMillis())) {
                throw new NodeControlException(stillThere(node, process, SIGNAL_BOUND, "SIGKILL"));
            }
            awaitTold(() -> watch.told(h -> !h.running(node)));
        }));
    }

    /** SIGTERM: the server ends its connections and shuts down. */
    void stop(String node, Mode mode, Duration bound) {
        if (mode == Mode.ABORT) {
            throw new NodeControlException(node + " is a SQL node, which cannot be aborted; use kill");
        }
        locks.locked(node, () -> programs.sql(number(node)).ifPresent(process -> {
            process.signal("TERM");
            NodeLocks.await(bound, () -> !process.alive(), () -> stillThere(node, process, bound, "SIGTERM"));
            awaitTold(() -> watch.told(h -> !h.running(node)));
        }));
    }

    private String stillThere(String node, OsProcess process, Duration bound, String signal) {
        return node + " (pid " + process.pid() + ") is still there " + bound.toSeconds() + " s after " + signal + "; "
                + programs.lastLines("mysqld" + number(node));
    }

    void start(String node) {
        locks.locked(node, () -> {
            if (programs.sql(number(node)).isEmpty()) {
                programs.startSql(number(node));
            }
        });
    }

    void awaitStarted(String node, Duration bound) {
        locks.check(node);
        NodeLocks.await(
                bound,
                () -> {
                    if (programs.sql(number(node)).isEmpty()) {
                        throw new NodeControlException(
                                node + " has no process; " + programs.lastLines("mysqld" + number(node)));
                    }
                    return status(node).state() == State.STARTED;
                },
                () -> node + " takes no connection after " + bound.toSeconds() + " s; "
                        + programs.lastLines("mysqld" + number(node)));
        awaitTold(() -> watch.told(h -> h.ready(node)));
    }

    void pause(String node) {
        signal(node, "STOP", true);
    }

    void resume(String node) {
        signal(node, "CONT", false);
    }

    private void signal(String node, String signal, boolean stopped) {
        locks.locked(node, () -> {
            OsProcess process = programs.sql(number(node)).orElse(null);
            if (process == null && stopped) {
                throw new NodeControlException(node + " cannot be paused: it has no process");
            }
            if (process == null || process.stopped() == stopped) {
                return;
            }
            process.signal(signal);
            NodeLocks.await(
                    SIGNAL_BOUND,
                    () -> !process.alive() || process.stopped() == stopped,
                    () -> node + " (pid " + process.pid() + ") does not follow SIG" + signal);
        });
    }

    /** So that the event is out before the operation returns; not more than a courtesy. */
    private void awaitTold(java.util.function.BooleanSupplier told) {
        long end = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        while (watch.running() && !told.getAsBoolean() && System.nanoTime() - end < 0) {
            NodeLocks.pause(NodeLocks.POLL);
        }
    }

    synchronized AutoCloseable listen(Consumer<EngineEvent> listener) {
        if (!watching && !ports.isEmpty()) {
            watching = true;
            watch.start();
        }
        return watch.listen(listener);
    }

    @Override
    public void close() {
        watch.close();
    }
}

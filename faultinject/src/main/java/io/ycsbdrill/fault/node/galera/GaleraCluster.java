package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeLogs;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.galera.ClusterHistory.Life;
import io.ycsbdrill.fault.node.galera.GaleraPrograms.Begin;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.Teardown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * Controls a local cluster through its processes, files and signals. One operation at a time runs on a node; what the
 * servers log is read by a {@link ClusterWatch}.
 */
final class GaleraCluster implements LocalCluster, Killable, Stoppable, Startable, Initialisable, Pausable, NodeLogs {
    private static final Duration SIGNAL_BOUND = Duration.ofSeconds(10);
    private static final Duration PROCESS_BOUND = Duration.ofSeconds(60);
    /** The others need some 3 s to give a node up; on a busy machine more. */
    private static final Duration HANDLING_BOUND = Duration.ofSeconds(15);

    private final ClusterDescriptor descriptor;
    private final GaleraPrograms programs;
    private final GaleraFiles files;
    private final Process watchdog;
    private final List<String> nodes;
    private final NodeLocks locks;
    private final ClusterWatch watch;

    /** @param watchdog ends the processes with this one; null when they outlive it, or another process holds it */
    private GaleraCluster(ClusterDescriptor descriptor, GaleraPrograms programs, GaleraFiles files, Process watchdog) {
        this.descriptor = descriptor;
        this.programs = programs;
        this.files = files;
        this.watchdog = watchdog;
        this.nodes = nodeIds(Integer.parseInt(descriptor.engineState().get("nodes")));
        this.locks = new NodeLocks(nodes);
        this.watch = new ClusterWatch(nodes, files, programs::process);
    }

    /** Watches from now on; what happened before counts for the nodes' state, but is not told again. */
    static GaleraCluster open(
            ClusterDescriptor descriptor, GaleraPrograms programs, GaleraFiles files, Process watchdog) {
        GaleraCluster cluster = new GaleraCluster(descriptor, programs, files, watchdog);
        cluster.watch.start();
        return cluster;
    }

    static GaleraCluster attach(ClusterDescriptor descriptor) {
        Map<String, String> state = descriptor.engineState();
        for (String key : List.of("home", "nodes")) {
            if (!state.containsKey(key)) {
                throw new NodeControlException("the cluster descriptor of " + descriptor.directory() + " lacks " + key
                        + "; it was not written by this engine");
            }
        }
        GaleraFiles files = new GaleraFiles(descriptor.directory());
        if (!Files.isRegularFile(files.script())) {
            throw new NodeControlException("no Galera cluster is left in " + descriptor.directory());
        }
        GaleraPrograms programs = new GaleraPrograms(
                new GaleraHome(Path.of(state.get("home"))), files, nodeIds(Integer.parseInt(state.get("nodes"))));
        return open(descriptor, programs, files, null);
    }

    static String nodeId(int number) {
        return "node" + number;
    }

    static List<String> nodeIds(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(GaleraCluster::nodeId).toList();
    }

    @Override
    public String engine() {
        return GaleraEngine.NAME;
    }

    @Override
    public String engineVersion() {
        String logged = watch.ask(ClusterHistory::version);
        return logged.equals("unknown") ? descriptor.engineVersion() : logged;
    }

    @Override
    public ClusterDescriptor descriptor() {
        return new ClusterDescriptor(
                descriptor.engine(),
                descriptor.directory(),
                descriptor.createdAt(),
                engineVersion(),
                descriptor.bindings(),
                descriptor.engineState());
    }

    @Override
    public List<NodeStatus> proxies() {
        return Haproxy.of(descriptor).map(Haproxy::status).stream().toList();
    }

    @Override
    public List<NodeInfo> nodes() {
        return nodes.stream().map(node -> new NodeInfo(node, "127.0.0.1", 0)).toList();
    }

    @Override
    public List<NodeStatus> status() {
        return nodes.stream().map(this::status).toList();
    }

    /** The first member of the group: Galera has no other node with a part of its own. */
    @Override
    public Optional<String> primary() {
        return watch.ask(ClusterHistory::coordinator);
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public AutoCloseable listen(Consumer<EngineEvent> listener) {
        return watch.listen(listener);
    }

    @Override
    public void kill(String node) {
        locks.locked(node, () -> programs.process(node).ifPresent(process -> {
            programs.kill(node);
            awaitNoticed(node);
        }));
    }

    @Override
    public void stop(String node, Mode mode, Duration bound) {
        locks.locked(node, () -> {
            Optional<OsProcess> running = programs.process(node);
            if (running.isEmpty()) {
                return;
            }
            OsProcess process = running.get();
            if (process.stopped()) {
                throw new NodeControlException(
                        node + " (pid " + process.pid() + ") is paused and cannot obey; resume it first, or kill it");
            }
            if (!programs.serves(node)) {
                process.signalGroup("TERM"); // still recovering, or waiting for the others
            } else if (mode == Mode.ABORT) {
                programs.abort(node);
            } else {
                process.signal("TERM");
            }
            if (!process.awaitEnd(bound.toMillis())) {
                throw new NodeControlException(node + " did not stop within " + bound.toSeconds()
                        + " s after it was asked to (pid " + process.pid() + " still alive); "
                        + programs.lastWords(node));
            }
            awaitNoticed(node);
        });
    }

    @Override
    public void start(String node) {
        locks.locked(node, () -> {
            if (programs.process(node).isEmpty()) {
                launch(node, Begin.AGAIN);
            }
        });
    }

    @Override
    public void startInitial(String node) {
        locks.locked(node, () -> {
            if (programs.process(node).isPresent()) {
                throw new NodeControlException(node + " is running; an initial start needs it down");
            }
            if (nodes.stream().noneMatch(other -> !other.equals(node) && programs.serves(other))) {
                throw new NodeControlException("no other node runs from which " + node
                        + " could copy the data; its files are kept. Start the others first");
            }
            awaitFailureHandled(node);
            try {
                Directories.delete(files.data(node));
                Files.createDirectories(files.data(node));
            } catch (IOException e) {
                throw new NodeControlException("files of " + node + " cannot be removed: " + e, e);
            }
            launch(node, Begin.INITIAL);
        });
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        locks.check(node);
        NodeLocks.await(
                bound,
                () -> {
                    if (programs.process(node).isEmpty()) {
                        throw new NodeControlException(node + " is down, so it will not become whole; start it first; "
                                + programs.lastWords(node));
                    }
                    return watch.told(h -> h.process(node) && h.life(node) == Life.WHOLE);
                },
                () -> node + " is not whole after " + bound.toSeconds() + " s: "
                        + status(node).detail() + "; " + programs.lastWords(node));
    }

    @Override
    public void pause(String node) {
        locks.locked(node, () -> {
            OsProcess process = programs.process(node)
                    .orElseThrow(() -> new NodeControlException(node + " is down; nothing to pause"));
            process.signal("STOP");
            NodeLocks.await(
                    SIGNAL_BOUND,
                    () -> process.stopped() || !process.alive(),
                    () -> node + " (pid " + process.pid() + ") does not stand still after SIGSTOP");
        });
    }

    @Override
    public void resume(String node) {
        locks.locked(
                node, () -> programs.process(node).filter(OsProcess::stopped).ifPresent(process -> {
                    process.signal("CONT");
                    NodeLocks.await(
                            SIGNAL_BOUND,
                            () -> !process.stopped(),
                            () -> node + " (pid " + process.pid() + ") stands still after SIGCONT");
                }));
    }

    @Override
    public String logTail(String node, int lines) {
        locks.check(node);
        return GaleraFiles.lastLines(files.log(node), lines);
    }

    @Override
    public void down() {
        close();
        Teardown.run(files.directory(), watchdog);
    }

    @Override
    public void close() {
        watch.close();
    }

    private NodeStatus status(String node) {
        Optional<OsProcess> process = programs.process(node);
        if (process.isEmpty()) {
            return new NodeStatus(node, State.DOWN, "no process", OptionalLong.empty());
        }
        OptionalLong pid = OptionalLong.of(process.get().pid());
        boolean out = watch.ask(h -> h.out(node));
        if (process.get().stopped()) {
            return new NodeStatus(node, State.PAUSED, out ? "frozen, and given up by the others" : "frozen", pid);
        }
        if (!programs.serves(node)) {
            String detail = Files.exists(files.position(node))
                    ? "knows its position, waits for the nodes that have not said theirs: " + silent(node)
                    : "recovers its data";
            return new NodeStatus(node, State.STARTING, detail, pid);
        }
        Optional<StatusFile> told = StatusFile.read(files.status(node));
        String state = told.map(StatusFile::state).orElse("");
        String detail = told.map(s -> s.state() + ", " + s.comment()).orElse("no status yet");
        if (state.startsWith("DISCONNECTING") || watch.ask(h -> h.life(node)) == Life.LEAVING) {
            return new NodeStatus(node, State.STOPPING, detail, pid);
        }
        boolean whole = told.filter(StatusFile::whole).isPresent() && !out;
        return new NodeStatus(node, whole ? State.STARTED : State.STARTING, detail, pid);
    }

    /** The others without server and position. */
    private String silent(String node) {
        List<String> silent = nodes.stream()
                .filter(other -> !other.equals(node) && !Files.exists(files.position(other)))
                .toList();
        return silent.isEmpty() ? "none; one of them is about to begin the cluster anew" : String.join(", ", silent);
    }

    private void launch(String node, Begin mode) {
        awaitFailureHandled(node);
        OsProcess process = programs.start(node, mode);
        NodeLocks.await(
                PROCESS_BOUND,
                () -> {
                    if (!process.alive()) {
                        throw new NodeControlException(node + " ended at once; " + programs.lastWords(node));
                    }
                    return watch.told(h -> h.process(node) && h.life(node) != Life.DOWN)
                            || Files.exists(files.position(node));
                },
                () -> node + " has logged nothing after " + PROCESS_BOUND.toSeconds() + " s; "
                        + programs.lastWords(node));
    }

    /**
     * A node that comes back while the others still handle its failure would have to wait anyway; waiting here keeps the two
     * apart in the record. When the bound passes the start goes on.
     */
    private void awaitFailureHandled(String node) {
        long bound = System.nanoTime() + HANDLING_BOUND.toNanos();
        while (watch.running() && watch.ask(h -> h.failureOpen(node)) && System.nanoTime() - bound < 0) {
            NodeLocks.pause(NodeLocks.POLL);
        }
    }

    /** So that the event is out before the operation returns; not more than a courtesy. */
    private void awaitNoticed(String node) {
        long bound = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (watch.running() && !watch.told(h -> !h.process(node)) && System.nanoTime() - bound < 0) {
            NodeLocks.pause(NodeLocks.POLL);
        }
    }
}

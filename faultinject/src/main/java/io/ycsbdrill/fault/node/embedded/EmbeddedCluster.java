package io.ycsbdrill.fault.node.embedded;

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
import io.ycsbdrill.fault.node.embedded.ClusterHistory.Life;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Controls an embedded cluster through its files and signals. One operation at a time runs on a node; what the nodes report
 * is read by a {@link ClusterWatch}.
 */
final class EmbeddedCluster implements LocalCluster, Killable, Stoppable, Startable, Initialisable, Pausable, NodeLogs {
    private static final Duration SIGNAL_BOUND = Duration.ofSeconds(10);
    private static final Duration PROCESS_BOUND = Duration.ofSeconds(60);
    private static final Duration UP_BOUND = Duration.ofSeconds(180);

    private final Path directory;
    private final ClusterSettings settings;
    private final Map<String, NodeFiles> files = new LinkedHashMap<>();
    private final NodeLocks locks;
    private final ClusterWatch watch;

    private EmbeddedCluster(Path directory, ClusterSettings settings) {
        this.directory = directory;
        this.settings = settings;
        for (int i = 0; i < settings.nodes(); i++) {
            String id = ClusterSettings.nodeId(i);
            files.put(id, new NodeFiles(directory.resolve(id)));
        }
        locks = new NodeLocks(files.keySet());
        watch = new ClusterWatch(files, this::alive);
    }

    /** Watches from now on; what happened before counts for the nodes' state, but is not told again. */
    static EmbeddedCluster open(Path directory, ClusterSettings settings) {
        EmbeddedCluster cluster = new EmbeddedCluster(directory, settings);
        cluster.watch.start();
        return cluster;
    }

    /** Starts all nodes, activates the cluster, and returns when all of them are whole. */
    void bringUp(Consumer<String> progress) {
        long begin = System.nanoTime();
        Map<String, Process> processes = new LinkedHashMap<>();
        files.keySet().forEach(id -> processes.put(id, NodeLauncher.launch(directory, settings, index(id))));
        awaitAll(processes, "did not join the cluster", id -> watch.ask(h -> h.member(id)));
        progress.accept("all nodes joined after " + seconds(begin));
        command(ClusterSettings.nodeId(0), "activate");
        awaitAll(processes, "is not whole", id -> watch.ask(h -> h.life(id) == Life.WHOLE));
        progress.accept("cluster active after " + seconds(begin) + ": Apache Ignite " + engineVersion() + ", "
                + settings.nodes() + " nodes, " + settings.backups() + " backups");
    }

    /** Ends whatever runs and stops watching; the files stay. Also for a thread that was interrupted, which it remains. */
    void abandon() {
        boolean interrupted = Thread.interrupted();
        try {
            files.keySet().forEach(id -> pid(id).ifPresent(pid -> end(id, pid)));
        } finally {
            watch.close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public String engine() {
        return EmbeddedEngine.NAME;
    }

    @Override
    public String engineVersion() {
        return watch.ask(ClusterHistory::version);
    }

    @Override
    public List<NodeInfo> nodes() {
        return files.keySet().stream()
                .map(id -> new NodeInfo(id, "127.0.0.1", 0))
                .toList();
    }

    @Override
    public List<NodeStatus> status() {
        return files.keySet().stream().map(this::status).toList();
    }

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
    public ClusterDescriptor descriptor() {
        return new ClusterDescriptor(
                engine(),
                directory,
                created(),
                engineVersion(),
                Map.of(
                        "native",
                        Map.of("embedded.endpoints", String.join(",", settings.endpoints())),
                        "rest",
                        Map.of("rest.dialect", "ignite", "rest.endpoints", String.join(",", settings.httpEndpoints()))),
                Map.of("id", settings.id()));
    }

    @Override
    public void kill(String node) {
        locks.locked(node, () -> pid(node).ifPresent(pid -> end(node, pid)));
    }

    @Override
    public void stop(String node, Mode mode, Duration bound) {
        locks.locked(node, () -> {
            OptionalLong pid = pid(node);
            if (pid.isEmpty()) {
                return;
            }
            if (ProcFs.stat(pid.getAsLong()).map(ProcFs.Stat::stopped).orElse(false)) {
                throw new NodeControlException(
                        node + " (pid " + pid.getAsLong() + ") is paused and cannot obey; resume it first, or kill it");
            }
            command(node, mode == Mode.GRACEFUL ? "stop" : "halt");
            NodeLocks.await(
                    bound,
                    () -> !alive(node, pid.getAsLong()),
                    () -> node + " did not stop within " + bound.toSeconds() + " s after it was asked to (pid "
                            + pid.getAsLong() + " still alive)" + lastWords(node));
            awaitNoticed(node, pid.getAsLong());
        });
    }

    @Override
    public void start(String node) {
        locks.locked(node, () -> {
            if (pid(node).isEmpty()) {
                launch(node);
            }
        });
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        locks.check(node);
        NodeLocks.await(
                bound,
                () -> {
                    if (pid(node).isEmpty()) {
                        throw new NodeControlException(
                                node + " is down, so it will not become whole; start it first" + lastWords(node));
                    }
                    return watch.told(h -> h.life(node) == Life.WHOLE);
                },
                () -> node + " is not whole after " + bound.toSeconds() + " s (it is "
                        + status(node).state().name().toLowerCase(java.util.Locale.ROOT) + ")" + lastWords(node));
    }

    @Override
    public void startInitial(String node) {
        locks.locked(node, () -> {
            if (pid(node).isPresent()) {
                throw new NodeControlException(node + " is running; an initial start needs it down");
            }
            awaitFailureHandled(node);
            try {
                Directories.delete(files.get(node).data());
            } catch (IOException e) {
                throw new NodeControlException("files of " + node + " cannot be removed: " + e, e);
            }
            launch(node);
        });
    }

    @Override
    public void pause(String node) {
        locks.locked(node, () -> {
            long pid = pid(node).orElseThrow(() -> new NodeControlException(node + " is down; nothing to pause"));
            signal(node, pid, "STOP");
            NodeLocks.await(
                    SIGNAL_BOUND,
                    () -> ProcFs.stat(pid).map(ProcFs.Stat::stopped).orElse(true),
                    () -> node + " (pid " + pid + ") does not stand still after SIGSTOP");
        });
    }

    @Override
    public void resume(String node) {
        locks.locked(node, () -> {
            OptionalLong pid = pid(node);
            if (pid.isEmpty()
                    || !ProcFs.stat(pid.getAsLong()).map(ProcFs.Stat::stopped).orElse(false)) {
                return;
            }
            if (watch.ask(h -> h.dropped(node))) {
                // It would drop the others in turn, and serve writes beside them: two clusters of the same data.
                end(node, pid.getAsLong());
                return;
            }
            signal(node, pid.getAsLong(), "CONT");
            NodeLocks.await(
                    SIGNAL_BOUND,
                    () -> !ProcFs.stat(pid.getAsLong())
                            .map(ProcFs.Stat::stopped)
                            .orElse(false),
                    () -> node + " (pid " + pid.getAsLong() + ") stands still after SIGCONT");
        });
    }

    @Override
    public String logTail(String node, int lines) {
        locks.check(node);
        return LastWords.tail(files.get(node).log(), lines);
    }

    @Override
    public void down() {
        abandon();
        try {
            Directories.delete(directory);
        } catch (IOException e) {
            throw new NodeControlException("directory " + directory + " cannot be removed: " + e, e);
        }
    }

    @Override
    public void close() {
        watch.close();
    }

    private NodeStatus status(String node) {
        OptionalLong pid = pid(node);
        if (pid.isEmpty()) {
            boolean rebooted = !settings.bootId().equals(ProcFs.bootId());
            return new NodeStatus(
                    node, State.DOWN, rebooted ? "no process; the machine was restarted since" : "no process", pid);
        }
        boolean dropped = watch.ask(h -> h.dropped(node));
        if (ProcFs.stat(pid.getAsLong()).map(ProcFs.Stat::stopped).orElse(false)) {
            return new NodeStatus(node, State.PAUSED, dropped ? "frozen, and dropped by the others" : "frozen", pid);
        }
        if (dropped) {
            return new NodeStatus(node, State.STOPPING, "dropped by the others; will end itself", pid);
        }
        boolean reported =
                watch.ask(h -> h.pid(node)).filter(p -> p == pid.getAsLong()).isPresent();
        Life life = reported ? watch.ask(h -> h.life(node)) : Life.STARTING;
        return switch (life) {
            case WHOLE -> new NodeStatus(node, State.STARTED, "owns its partitions", pid);
            case STOPPING -> new NodeStatus(node, State.STOPPING, "orderly stop", pid);
            default -> new NodeStatus(node, State.STARTING, "recovering", pid);
        };
    }

    private void launch(String node) {
        awaitFailureHandled(node);
        Process process = NodeLauncher.launch(directory, settings, index(node));
        NodeLocks.await(
                PROCESS_BOUND,
                () -> {
                    if (!process.isAlive()) {
                        throw new NodeControlException(node + " ended at once" + lastWords(node));
                    }
                    return watch.ask(h -> h.pid(node))
                            .filter(p -> p == process.pid())
                            .isPresent();
                },
                () -> node + " did not report within " + PROCESS_BOUND.toSeconds() + " s" + lastWords(node));
    }

    /**
     * A node that comes back while the others still handle its failure would be told to wait by the engine anyway; waiting
     * here keeps the two apart in the record. When the bound passes the start goes on.
     */
    private void awaitFailureHandled(String node) {
        long bound = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(3L * settings.failureDetectionMillis());
        while (watch.ask(h -> h.failureOpen(node)) && System.nanoTime() < bound) {
            NodeLocks.pause(NodeLocks.POLL);
        }
    }

    private void end(String node, long pid) {
        ProcessHandle.of(pid).filter(handle -> alive(node, pid)).ifPresent(ProcessHandle::destroyForcibly);
        NodeLocks.await(
                SIGNAL_BOUND,
                () -> !alive(node, pid),
                () -> node + " (pid " + pid + ") is still there " + SIGNAL_BOUND.toSeconds() + " s after SIGKILL");
        awaitNoticed(node, pid);
    }

    /** So that the event is out before the operation returns; not more than a courtesy. */
    private void awaitNoticed(String node, long pid) {
        long bound = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
        while (watch.running()
                && watch.ask(h -> h.pid(node)).filter(p -> p == pid).isPresent()
                && System.nanoTime() < bound) {
            NodeLocks.pause(NodeLocks.POLL);
        }
    }

    private void signal(String node, long pid, String name) {
        if (!alive(node, pid)) {
            return;
        }
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                    .redirectErrorStream(true)
                    .start();
            String output = new String(kill.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            if (kill.waitFor() != 0) {
                throw new NodeControlException("SIG" + name + " to " + node + " (pid " + pid + "): " + output.strip());
            }
        } catch (IOException e) {
            throw new NodeControlException("SIG" + name + " to " + node + " (pid " + pid + "): " + e, e);
        } catch (InterruptedException e) {
            throw NodeLocks.interrupted(e);
        }
    }

    private void command(String node, String word) {
        NodeFiles own = files.get(node);
        try {
            Path draft = own.command().resolveSibling("command.tmp");
            Files.writeString(draft, pid(node).orElseThrow() + " " + word);
            Files.move(
                    draft,
                    own.command(),
                    java.nio.file.StandardCopyOption.ATOMIC_MOVE,
                    java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new NodeControlException("command " + word + " cannot be given to " + node + ": " + e, e);
        }
    }

    /** The node's process, when it runs and is this cluster's. */
    private OptionalLong pid(String node) {
        try {
            long pid = Long.parseLong(Files.readString(files.get(node).pid()).strip());
            return alive(node, pid) ? OptionalLong.of(pid) : OptionalLong.empty();
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private boolean alive(String node, long pid) {
        return ProcFs.runs(pid, settings.marker()) && ProcFs.runs(pid, "-Dycsbdrill.node=" + node);
    }

    private void awaitAll(
            Map<String, Process> processes, String complaint, java.util.function.Predicate<String> condition) {
        processes.forEach((id, process) -> NodeLocks.await(
                UP_BOUND,
                () -> {
                    processes.forEach((each, p) -> {
                        if (!p.isAlive()) {
                            throw new NodeControlException(each + " ended with code " + p.exitValue()
                                    + " while the cluster came up" + lastWords(each));
                        }
                    });
                    return condition.test(id);
                },
                () -> id + " " + complaint + " within " + UP_BOUND.toSeconds() + " s" + lastWords(id)));
    }

    private String lastWords(String node) {
        return LastWords.of(files.get(node));
    }

    private Instant created() {
        try {
            return Files.getLastModifiedTime(directory.resolve("cluster.properties"))
                    .toInstant();
        } catch (IOException e) {
            throw new NodeControlException("no embedded cluster is left in " + directory, e);
        }
    }

    private int index(String node) {
        return new ArrayList<>(files.keySet()).indexOf(node);
    }

    private static String seconds(long sinceNanos) {
        return String.format(java.util.Locale.ROOT, "%.1f s", (System.nanoTime() - sinceNanos) / 1e9);
    }
}

package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeLogs;
import io.ycsbdrill.fault.node.NodeOperations;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.os.DirectoryUsers;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Nodes on this machine of one process each, or of several that go together: how they are killed, stopped, started, paused and
 * resumed is the same for every engine. An engine adds how a node is launched and asked to stop, where its files are, and the history that its watch reads
 * from its logs. One operation at a time runs on a node; every wait ends when its thread is interrupted. Thread-safe.
 *
 * <p>Long, as half of it says what an engine may add; the operations share the node's lock and processes.
 *
 * @param <H> what the watch knows of the nodes
 */
public abstract class ProcessNodes<H extends ProcessHistory> implements NodeOperations, NodeLogs {
    /** Where local clusters listen. */
    protected static final String HOST = "127.0.0.1";

    private static final Logger LOG = LoggerFactory.getLogger(ProcessNodes.class);
    private static final Duration SIGNAL_BOUND = Duration.ofSeconds(10);
    private static final Duration PROCESS_BOUND = Duration.ofSeconds(60);
    private static final Duration NOTICE_BOUND = Duration.ofSeconds(5);

    private final List<String> ids;
    private final NodeLocks locks;

    /** @param ids of all nodes, in their order */
    protected ProcessNodes(List<String> ids) {
        this.ids = List.copyOf(ids);
        this.locks = new NodeLocks(() -> this.ids);
    }

    /** The watch of these nodes, always the same. */
    protected abstract HistoryWatch<H> watch();

    /** Records the node's process. */
    protected abstract Path pidFile(String node);

    /** The node's process, or the first of several; empty when it is not running. */
    public Optional<OsProcess> process(String node) {
        return PidFile.running(pidFile(node));
    }

    /**
     * All processes of the node that run, in the order in which they are killed and paused; {@link #process} is one of them. A node of
     * several, such as a server beside its supervisor, is killed, paused and resumed as one, and stopped when none is left.
     */
    protected List<OsProcess> processes(String node) {
        return process(node).stream().toList();
    }

    /** What the processes of a node of several are called, in the order in which they are killed; none of a node of one. */
    protected List<String> parts() {
        return List.of();
    }

    /** One of the {@link #parts} of the node with its children, itself first; none when it does not run. */
    protected List<OsProcess> processes(String node, String part) {
        return processes(node);
    }

    /** What the node's processes have started that runs apart from them, and may be one of them, or start one, a moment later. */
    protected List<OsProcess> starting(String node) {
        return List.of();
    }

    /**
     * Launches the node's process and records its pid.
     *
     * @param empty whether the node has no data and copies everything from the others
     * @throws NodeControlException when the program cannot be run
     */
    protected abstract Process launch(String node, boolean empty);

    /** Whether a process that was just launched has reported, which completes a start. */
    protected abstract boolean reported(String node, Process launched);

    /** Asks a node that is running, and not paused, to stop; returns without waiting for it. */
    protected abstract void requestStop(String node, OsProcess process, Mode mode);

    /** The state of a node that has a process which is not paused. */
    protected abstract NodeStatus status(String node, OsProcess process);

    /** The directory that an initial start empties. */
    protected abstract Path data(String node);

    /** The node's own log. */
    protected abstract Path log(String node);

    /** The end of a message about a node: the last lines of its logs and their paths. Begins with a semicolon. */
    protected abstract String lastWords(String node);

    /** Longest time that a start waits for the other nodes to handle the node's failure. */
    protected Duration failureBound() {
        return Duration.ZERO;
    }

    /** Sends SIGKILL to what belongs to the node. */
    protected void sendKill(OsProcess process) {
        process.kill();
    }

    /** Sends another signal, such as {@code STOP}, to what belongs to the node. */
    protected void send(OsProcess process, String signal) {
        process.signal(signal);
    }

    /** All files of the node were removed, for an initial start. */
    protected void emptied(String node) {}

    /** Why no node can be started; empty when each can. */
    protected Optional<String> incomplete() {
        return Optional.empty();
    }

    /** Whether the node's process is stopped and continued in turn: it responds, though late. */
    protected boolean starved(String node) {
        return false;
    }

    /** Why the node, which has no process, is down. */
    protected String downDetail(String node) {
        return "no process";
    }

    /** Ids of the nodes, in their order. */
    protected final List<String> ids() {
        return ids;
    }

    /** The nodes, in their order. */
    public List<NodeInfo> nodes() {
        return ids.stream().map(id -> new NodeInfo(id, HOST, 0)).toList();
    }

    /** Current state of every node, in their order. */
    public List<NodeStatus> status() {
        return ids.stream().map(this::status).toList();
    }

    /** What their processes have used, and those of the proxies of a cluster, as {@link NodeController#use} says. */
    public Map<String, NodeUse> use() {
        Map<String, NodeUse> use = new LinkedHashMap<>();
        ids.forEach(node -> use(node).ifPresent(used -> use.put(node, used)));
        networks().forEach((node, network) -> use.computeIfPresent(node, (id, used) -> used.with(network)));
        return use;
    }

    /** What went over networks that are a data node's own: neither this process has it nor another node. */
    private Map<String, NodeUse.Traffic> networks() {
        Map<String, NodeUse.Traffic> networks = new LinkedHashMap<>();
        nodes().forEach(node -> process(node.id())
                .flatMap(process -> ProcFs.network(process.pid()))
                .ifPresent(network -> networks.put(node.id(), network)));
        List<String> taken =
                networks.values().stream().map(NodeUse.Traffic::network).toList();
        Optional<NodeUse.Traffic> own = ProcFs.network(ProcessHandle.current().pid());
        networks.values()
                .removeIf(network -> own.isEmpty()
                        || own.get().network().equals(network.network())
                        || Collections.frequency(taken, network.network()) > 1);
        return networks;
    }

    /** What the node's processes have used; empty when it has none. */
    protected Optional<NodeUse> use(String node) {
        return process(node).flatMap(process -> ProcFs.use(process.pid()));
    }

    /** The state of one node now. */
    protected final NodeStatus status(String node) {
        Optional<OsProcess> process = process(node);
        if (process.isEmpty()) {
            LongStream left = processes(node).stream().mapToLong(OsProcess::pid);
            return new NodeStatus(node, State.DOWN, downDetail(node), left.findFirst());
        }
        if (process.get().stopped()) {
            boolean dropped = watch().ask(h -> h.dropped(node));
            return status(node, State.PAUSED, dropped ? "paused, and dropped by the others" : "paused", process.get());
        }
        return status(node, process.get());
    }

    /** A state of a node that has a process. */
    protected static NodeStatus status(String node, State state, String detail, OsProcess process) {
        return new NodeStatus(node, state, detail, OptionalLong.of(process.pid()));
    }

    /** Subscribes to the events of the nodes, as {@link NodeController#listen} does. */
    public AutoCloseable listen(Consumer<EngineEvent> listener) {
        return watch().listen(listener);
    }

    /** Stops watching. Leaves the nodes as they are. */
    public void close() {
        watch().close();
    }

    /** Runs an operation on a node while no other runs on it. */
    public final void exclusively(String node, Runnable operation) {
        locks.locked(node, operation);
    }

    @Override
    public final void kill(String node) {
        locks.locked(node, () -> {
            if (processes(node).isEmpty()) {
                requireDown(node);
            } else {
                end(node);
            }
        });
    }

    private void requireDown(String node) {
        DirectoryUsers.requireDown(node, data(node), pidFile(node));
    }

    /** Ends the node's processes with SIGKILL and waits until the watch has noticed. */
    protected final void end(String node) {
        Set<OsProcess> killed = new LinkedHashSet<>();
        NodeLocks.await(
                SIGNAL_BOUND,
                () -> {
                    processes(node).stream().filter(killed::add).forEach(this::sendKill);
                    return killed.stream().noneMatch(OsProcess::alive) && nothingLeft(node) && nothingLeft(node);
                },
                () -> {
                    killed.addAll(starting(node));
                    return node + " (pid " + pids(killed) + ") is still running " + SIGNAL_BOUND.toSeconds()
                            + " s after SIGKILL" + lastWords(node);
                });
        awaitNoticed(node);
    }

    /** To be asked twice: one that ends as it starts another is in no list, and the other one in the next. */
    private boolean nothingLeft(String node) {
        return starting(node).isEmpty() && processes(node).isEmpty();
    }

    private static String pids(Collection<OsProcess> all) {
        return all.stream()
                .filter(OsProcess::alive)
                .map(process -> Long.toString(process.pid()))
                .collect(Collectors.joining(", "));
    }

    @Override
    public void stop(String node, Mode mode, Duration bound) {
        locks.locked(node, () -> process(node)
                .ifPresentOrElse(process -> stop(node, process, mode, bound), () -> requireDown(node)));
    }

    private void stop(String node, OsProcess process, Mode mode, Duration bound) {
        // In this order: the answer to the first waits until a starve that is just ending lets the process run.
        if (!starved(node) && process.stopped()) {
            throw new NodeControlException(
                    node + " (pid " + process.pid() + ") is paused and cannot respond; resume it first, or kill it");
        }
        List<OsProcess> all = processes(node);
        requestStop(node, process, mode);
        NodeLocks.await(
                bound,
                () -> all.stream().noneMatch(OsProcess::alive),
                () -> node + " did not stop within " + bound.toSeconds() + " s of the request (pid " + pids(all)
                        + " is still running)" + lastWords(node));
        awaitNoticed(node);
    }

    @Override
    public final void start(String node) {
        requireComplete(); // without waiting for who may be making it so
        locks.locked(node, () -> {
            requireComplete();
            if (status(node).state() == State.EXPELLED) {
                end(node);
            }
            if (process(node).isEmpty()) {
                requireDown(node);
                boolean empty = new DataDirectory(node, data(node)).emptied();
                if (empty) {
                    emptied(node);
                }
                launchAndAwait(node, empty);
            }
        });
    }

    @Override
    public void startInitial(String node) {
        locks.locked(node, () -> {
            requireComplete();
            if (!processes(node).isEmpty()) {
                throw new NodeControlException(node + " is running; an initial start needs it to be down");
            }
            checkInitial(node);
            requireDown(node);
            awaitFailureHandled(node);
            DirectoryUsers.requireUnused(node, data(node));
            new DataDirectory(node, data(node)).empty();
            emptied(node);
            launchAndAwait(node, true);
        });
    }

    private void requireComplete() {
        incomplete().ifPresent(why -> {
            throw new NodeControlException(why);
        });
    }

    /** Launches the node, also one of an {@link #incomplete} cluster, for whoever makes it complete. */
    final void launchAndAwait(String node, boolean empty) {
        awaitFailureHandled(node);
        Process process = launch(node, empty);
        NodeLocks.await(
                PROCESS_BOUND,
                () -> {
                    if (!process.isAlive()) {
                        throw new NodeControlException(
                                node + " ended at once with exit status " + process.exitValue() + lastWords(node));
                    }
                    return reported(node, process);
                },
                () -> node + " has not reported within " + PROCESS_BOUND.toSeconds() + " s of its start"
                        + lastWords(node));
    }

    /**
     * A node that comes back while the others still handle its failure would have to wait anyway; waiting here keeps the two
     * apart in the record. When the bound passes the start continues.
     */
    private void awaitFailureHandled(String node) {
        if (!NodeLocks.holds(failureBound(), () -> !watch().running() || !watch().ask(h -> h.failureOpen(node)))) {
            LOG.warn(
                    "{} is started although the others have not said within {} s that its failure is handled",
                    node,
                    failureBound().toSeconds());
        }
    }

    /** So that listeners hear of the end before the operation returns; when the bound passes it returns all the same. */
    private void awaitNoticed(String node) {
        NodeLocks.holds(NOTICE_BOUND, () -> !watch().running() || watch().reported(h -> !h.running(node)));
    }

    @Override
    public Optional<String> ended(String node) {
        return process(node).isEmpty() ? Optional.of("its process has ended" + lastWords(node)) : Optional.empty();
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        locks.check(node);
        NodeLocks.await(
                bound,
                () -> {
                    if (process(node).isEmpty()) {
                        throw new NodeControlException(
                                node + " is down and will not recover; start it first" + lastWords(node));
                    }
                    return recovered(node);
                },
                () -> node + " has not recovered after " + bound.toSeconds() + " s: "
                        + status(node).detail() + lastWords(node));
    }

    /** Whether a node with a process is recovered and listeners have been notified. */
    protected boolean recovered(String node) {
        return watch().reported(h -> h.recovered(node));
    }

    @Override
    public final void pause(String node) {
        locks.locked(node, () -> {
            List<OsProcess> all = processes(node);
            if (all.isEmpty()) {
                throw new NodeControlException(node + " cannot be paused: it has no process");
            }
            // The second time there is nothing left that could have started another one since.
            NodeLocks.await(
                    SIGNAL_BOUND,
                    () -> stopped(node) && stopped(node),
                    () -> node + " (pid "
                            + pids(Stream.concat(processes(node).stream(), starting(node).stream())
                                    .filter(process -> !process.stopped())
                                    .toList())
                            + ") did not stop after SIGSTOP");
        });
    }

    /** Whether all processes that the node has now were stopped; the others are asked to. */
    private boolean stopped(String node) {
        List<OsProcess> running =
                processes(node).stream().filter(process -> !process.stopped()).toList();
        running.forEach(process -> send(process, "STOP"));
        return running.isEmpty() && starting(node).isEmpty();
    }

    @Override
    public final void resume(String node) {
        locks.locked(node, () -> {
            List<OsProcess> all = processes(node);
            List<OsProcess> stopped = all.stream().filter(OsProcess::stopped).toList();
            if (all.isEmpty()) {
                requireDown(node);
            } else if (!stopped.isEmpty()) {
                resume(node, stopped);
            }
        });
    }

    /** Resumes paused processes of a node. */
    protected void resume(String node, List<OsProcess> stopped) {
        stopped.forEach(process -> send(process, "CONT"));
        NodeLocks.await(
                SIGNAL_BOUND,
                () -> stopped.stream().noneMatch(OsProcess::stopped),
                () -> node + " (pid " + pids(stopped) + ") is still stopped after SIGCONT");
    }

    @Override
    public final String logTail(String node, int lines) {
        locks.check(node);
        return LogTail.last(log(node), lines).stream().map(line -> line + "\n").reduce("", String::concat);
    }
}

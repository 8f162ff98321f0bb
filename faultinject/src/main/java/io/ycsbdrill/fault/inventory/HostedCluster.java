package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.inventory.HostedNode.Role;
import io.ycsbdrill.fault.node.EndedProcess;
import io.ycsbdrill.fault.node.ForwardingController;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A cluster that is watched by asking it, and whose nodes are controlled by commands on their hosts. A node's id in the inventory is
 * the name that the cluster knows it by. Thread-safe.
 */
public final class HostedCluster extends ForwardingController
        implements Killable, Stoppable, Startable, Initialisable, Pausable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration UNUSED_BOUND = Duration.ofSeconds(10);

    private final Inventory inventory;
    private final boolean pausing;
    private final PausedNodes paused;
    private final NodeController watched;
    private final HostedUse use;
    private final Duration processes;
    private final List<NodeInfo> nodes;
    private final Map<Class<?>, Object> faultsOfHosts;
    private final NodeLocks locks = new NodeLocks(this::ids);

    /**
     * Takes over the watched cluster, which it closes.
     *
     * @param pausing whether nodes may be paused: not where, while one is, the others may not answer who is up
     * @throws IllegalArgumentException when the inventory lacks a node that the cluster has
     */
    public HostedCluster(Inventory inventory, boolean pausing, NodeController watched) {
        this(inventory, pausing, watched, EndedProcess.EVERY);
    }

    /** @param processes how often the host of a node that starts is asked for its process */
    HostedCluster(Inventory inventory, boolean pausing, NodeController watched, Duration processes) {
        super(watched);
        this.inventory = inventory;
        this.pausing = pausing;
        this.paused = new PausedNodes(inventory);
        this.watched = watched;
        this.use = new HostedUse(inventory);
        this.processes = processes;
        this.faultsOfHosts = inventory.faultsOfHosts();
        List<String> listed =
                inventory.nodes(Role.DATA).stream().map(HostedNode::id).toList();
        List<String> missing = watched.nodes().stream()
                .map(NodeInfo::id)
                .filter(id -> !listed.contains(id))
                .toList();
        if (!missing.isEmpty()) {
            watched.close();
            throw new IllegalArgumentException("the cluster has nodes that data_nodes of the inventory lacks: "
                    + String.join(", ", missing) + "; an id is the name that the cluster knows the node by");
        }
        Map<String, Integer> groups = watched.nodes().stream().collect(Collectors.toMap(NodeInfo::id, NodeInfo::group));
        nodes = inventory.nodes(Role.DATA).stream()
                .map(node -> new NodeInfo(node.id(), node.host().address(), groups.getOrDefault(node.id(), 0)))
                .toList();
    }

    /**
     * Asks the cluster for its nodes.
     *
     * @param pausing whether nodes may be paused
     * @param connector asks it
     * @throws IllegalArgumentException when the inventory lacks a node that the cluster has
     * @throws NodeControlException when the cluster does not answer; says which nodes have no process on their hosts
     */
    public static HostedCluster connect(Inventory inventory, boolean pausing, Supplier<NodeController> connector) {
        try {
            return new HostedCluster(inventory, pausing, connector.get());
        } catch (NodeControlException e) {
            Set<String> gone = inventory.withoutProcess(
                    inventory.nodes(Role.DATA).stream().map(HostedNode::id).toList());
            if (gone.isEmpty()) {
                throw e;
            }
            throw new NodeControlException(
                    e.getMessage() + "; on their hosts there is no process of "
                            + gone.stream().sorted().collect(Collectors.joining(", "))
                            + ": start what is down there, as only a cluster that answers can be healed from here",
                    e);
        }
    }

    private List<String> ids() {
        return nodes.stream().map(NodeInfo::id).toList();
    }

    @Override
    public List<NodeInfo> nodes() {
        return nodes;
    }

    /**
     * A node that the cluster has not seen since it was first asked is down. So is one of which the cluster does not know when
     * no server serves that could tell, and the host says that there is no process.
     */
    @Override
    public List<NodeStatus> status() {
        List<NodeStatus> said;
        Optional<NodeControlException> silence = Optional.empty();
        try {
            Map<String, NodeStatus> seen =
                    watched.status().stream().collect(Collectors.toMap(NodeStatus::id, status -> status));
            said = nodes.stream()
                    .map(node -> seen.getOrDefault(node.id(), of(node, State.DOWN, "")))
                    .toList();
        } catch (NodeControlException e) {
            silence = Optional.of(e);
            said = nodes.stream()
                    .map(node -> of(node, State.UNKNOWN, e.getMessage()))
                    .toList();
        }
        // Servers that serve know better: to them a node without a pid file may be a member that joins.
        boolean told = said.stream().anyMatch(status -> status.state() == State.STARTED);
        Set<String> gone = told
                ? Set.of()
                : inventory.withoutProcess(said.stream()
                        .filter(status -> status.state() == State.UNKNOWN)
                        .map(NodeStatus::id)
                        .toList());
        if (silence.isPresent() && gone.isEmpty()) {
            throw silence.get();
        }
        return said.stream()
                .map(status -> gone.contains(status.id())
                        ? new NodeStatus(status.id(), State.DOWN, "no process on its host", OptionalLong.empty())
                        : status)
                .map(status -> pausing ? paused.of(node(status.id()), status, problem -> {}) : status)
                .toList();
    }

    private static NodeStatus of(NodeInfo node, State state, String detail) {
        return new NodeStatus(node.id(), state, detail, OptionalLong.empty());
    }

    @Override
    public Map<String, NodeUse> use() {
        return use.now();
    }

    @Override
    public List<String> metered() {
        return Stream.of(Role.DATA, Role.SQL)
                .flatMap(role -> inventory.nodes(role).stream())
                .map(HostedNode::id)
                .toList();
    }

    @Override
    public Map<String, String> zones() {
        return inventory.zones();
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        boolean has = type == Killable.class && inventory.has(NodeAction.KILL)
                || type == Stoppable.class && inventory.has(NodeAction.STOP)
                || type == Startable.class && inventory.has(NodeAction.START)
                || type == Pausable.class && pausing && inventory.has(NodeAction.PAUSE)
                || type == Initialisable.class && inventory.has(NodeAction.INITIALISE);
        if (type == HealJournal.class) {
            return Optional.of(type.cast(inventory.journal()));
        }
        return has
                ? Optional.of(type.cast(this))
                : Optional.ofNullable(type.cast(faultsOfHosts.get(type))).or(() -> watched.capability(type));
    }

    @Override
    public void kill(String node) {
        down(NodeAction.KILL, node, inventory.bound(NodeAction.KILL));
    }

    /** Both ways of stopping are the same command, which may take longer where the inventory says so. */
    @Override
    public void stop(String node, Mode mode, Duration bound) {
        down(NodeAction.STOP, node, inventory.stopBound(bound));
    }

    private void down(NodeAction action, String node, Duration bound) {
        locks.locked(node, () -> {
            // Peers take a node that is cut off for down; its host knows better, and says so when there is nothing to
            // end.
            if (state(node).state() != State.DOWN || inventory.looksFirst(action, node)) {
                act(action, node);
                await(node, now -> now.state() == State.DOWN, "down", bound, POLL, () -> {});
            }
        });
    }

    @Override
    public void start(String node) {
        locks.locked(node, () -> {
            State now = state(node).state();
            if (now == State.EXPELLED) {
                act(NodeAction.KILL, node);
            }
            if (now == State.UNKNOWN && inventory.engine().defaults().isOfFile()) {
                throw new NodeControlException(
                        "whether node " + node + " has a process its host does not say, so it is not started");
            }
            if (now.needsStart()) {
                begin(NodeAction.START, node);
            }
        });
    }

    /** For engines of files: a command of the user's looks for nothing itself. What a killed server has left may be on its way out. */
    private void requireUnused(String node) {
        NodeLocks.await(
                UNUSED_BOUND,
                () -> !inventory.engine().defaults().isOfFile()
                        || inventory.inUse(node).isEmpty(),
                () -> "the initialise command of node " + node + " is not run, as its host does not say that nothing"
                        + " uses its data directory: " + inventory.inUse(node).orElse(""));
    }

    /** A node that is alone is emptied by a command of the user's only. */
    @Override
    public void checkInitial(String node) {
        if (nodes.size() > 1 || inventory.looksFirst(NodeAction.INITIALISE, node)) {
            Initialisable.requireCopy(this, node);
        }
    }

    @Override
    public void startInitial(String node) {
        locks.locked(node, () -> {
            NodeStatus now = state(node);
            if (now.state() != State.DOWN) {
                throw new NodeControlException(
                        "node " + node + " is " + now.state() + "; its files can be removed only when it is down");
            }
            checkInitial(node);
            requireUnused(node);
            begin(NodeAction.INITIALISE, node);
        });
    }

    @Override
    public void pause(String node) {
        locks.locked(node, () -> {
            paused.paused(node);
            act(NodeAction.PAUSE, node);
        });
    }

    /** The script of its host does nothing when it has no process any more. */
    @Override
    public void resume(String node) {
        locks.locked(node, () -> {
            act(NodeAction.RESUME, node);
            paused.resumed(node);
        });
    }

    private void begin(NodeAction action, String node) {
        act(action, node);
        new EndedProcess(() -> ended(node), processes).awaitBegun(node);
    }

    @Override
    public Optional<String> ended(String node) {
        return inventory.ended(node);
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        EndedProcess process = new EndedProcess(() -> ended(node));
        await(node, now -> now.state() == State.STARTED, "STARTED", bound, processes, () -> process.ask()
                .ifPresent(why -> {
                    throw new NodeControlException("node " + node + " is down and will not recover: " + why);
                }));
    }

    private void act(NodeAction action, String node) {
        inventory.act(action, node(node), step -> {});
    }

    private NodeInfo node(String id) {
        return nodes.stream().filter(node -> node.id().equals(id)).findFirst().orElseThrow();
    }

    private NodeStatus state(String node) {
        locks.check(node);
        return status().stream().filter(s -> s.id().equals(node)).findFirst().orElseThrow();
    }

    /** @param check done while it is not so; may give up */
    private void await(
            String node, Predicate<NodeStatus> wanted, String what, Duration bound, Duration every, Runnable check) {
        AtomicReference<String> last = new AtomicReference<>("nothing yet");
        NodeLocks.await(
                bound,
                every,
                () -> {
                    boolean there = is(node, wanted, last);
                    if (!there) {
                        check.run();
                    }
                    return there;
                },
                () -> "node " + node + " is not " + what + " after " + bound.toSeconds() + " s; last seen: " + last
                        + (what.equals("down") ? "; where it needs longer, give timeout: " + inventory.where() : ""));
    }

    private boolean is(String node, Predicate<NodeStatus> wanted, AtomicReference<String> last) {
        try {
            NodeStatus now = state(node);
            last.set(now.state() + (now.detail().isEmpty() ? "" : " (" + now.detail() + ")"));
            return wanted.test(now);
        } catch (NodeControlException e) {
            last.set(e.getMessage()); // no server may answer for a while
            return false;
        }
    }

    @Override
    public void close() {
        use.close();
        watched.close();
    }
}

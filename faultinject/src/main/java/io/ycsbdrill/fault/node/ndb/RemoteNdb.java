package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.inventory.HealJournal;
import io.ycsbdrill.fault.inventory.NodeAction;
import io.ycsbdrill.fault.inventory.NodeCommands;
import io.ycsbdrill.fault.inventory.PausedNodes;
import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.EndedProcess;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeOperations;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * Controls an NDB cluster that somebody else runs, through its management servers. Stop, start and initialise work through them
 * alone; kill and pause need commands of the user's.
 *
 * <p>Without a {@code start} command a stopped node is one whose angel has started a new process that waits, outside of the
 * cluster, for the order to start ({@code NOT_STARTED}); with one, its processes end.
 */
public final class RemoteNdb extends NdbController implements NodeOperations {
    private static final Duration POLL = Duration.ofMillis(50);

    private final NodeCommands commands;
    private final List<NodeInfo> nodes;
    private final PausedNodes paused;
    private final Map<Class<?>, Object> faultsOfHosts;

    private RemoteNdb(ConnectString servers, NodeCommands commands) {
        super(servers);
        this.commands = commands;
        this.paused = new PausedNodes(commands);
        this.faultsOfHosts = commands.faultsOfHosts();
        try {
            this.nodes = client().dataNodes().stream()
                    .map(n -> new NodeInfo(
                            Integer.toString(n.id()),
                            commands.hostOf(Integer.toString(n.id())).orElse(n.address()),
                            Math.max(0, n.group())))
                    .toList();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Connects to a running cluster.
     *
     * @param connectString {@code host[:port][,host2[:port]]}
     * @param commands the inventory's, or {@link NodeCommands#NONE}
     * @throws IllegalArgumentException when the connect string is invalid
     * @throws NodeControlException when no management server answers, or the cluster requires TLS
     */
    public static NodeController connect(String connectString, NodeCommands commands) {
        return new RemoteNdb(ConnectString.parse(connectString), commands);
    }

    @Override
    public List<NodeInfo> nodes() {
        return nodes;
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        boolean has = type == Stoppable.class
                || type == Startable.class
                || type == Initialisable.class
                || type == Backupable.class
                || type == Killable.class && commands.has(NodeAction.KILL)
                || type == Pausable.class && commands.has(NodeAction.PAUSE);
        if (type == HealJournal.class) {
            return Optional.of(type.cast(commands.journal()));
        }
        return has ? Optional.of(type.cast(this)) : Optional.ofNullable(type.cast(faultsOfHosts.get(type)));
    }

    @Override
    public void kill(String node) {
        exclusively(node, () -> {
            // One that is cut off or paused is out, too, and its process is there.
            if (!known(node).out() || commands.looksFirst(NodeAction.KILL, node)) {
                act(NodeAction.KILL, node);
                await(node, MgmNode::out, "out of the cluster", commands.timeout());
            }
        });
    }

    /** May take longer where the inventory says so. */
    @Override
    public void stop(String node, Mode mode, Duration bound) {
        Duration longest = commands.stopBound(bound);
        exclusively(node, () -> {
            MgmNode now = known(node);
            if (now.out()) {
                stopOutside(node, now);
                return;
            }
            commands.journal().opened(node, NodeAction.STOP.word());
            int id = Integer.parseInt(node);
            boolean abort = mode == Mode.ABORT;
            if (commands.has(NodeAction.START)) {
                client().stop(id, abort, longest);
                await(node, MgmNode::out, "out of the cluster", longest);
            } else {
                watch().ifPresent(w -> w.willWaitForOrder(id));
                client().restart(id, abort, false, true, longest);
                await(node, n -> n.status().equals("NOT_STARTED"), "waiting in NOT_STARTED", longest);
            }
        });
    }

    /** One that is cut off or paused is out, too, and its process is there: its host stops it, or nobody does. */
    private void stopOutside(String node, MgmNode now) {
        if (now.status().equals("NOT_STARTED")) {
            return;
        }
        if (!commands.has(NodeAction.STOP)) {
            throw new NodeControlException("node " + node + " is not stopped: it is " + now.detail()
                    + ", and the management server stops only what it is in contact with; whether it has a process its host"
                    + " knows, which an inventory names (docs/inventory.md)");
        }
        act(NodeAction.STOP, node);
    }

    @Override
    public void start(String node) {
        exclusively(node, () -> {
            MgmNode now = known(node);
            if (now.status().equals("NOT_STARTED")) {
                int id = Integer.parseInt(node);
                watch().ifPresent(w -> w.orderGiven(id));
                client().start(id, ORDER_BOUND);
                commands.journal().closed(node, NodeAction.UNDONE);
            } else if (now.out()) {
                begin(NodeAction.START, node);
            }
        });
    }

    @Override
    public void checkInitial(String node) {
        requireCopy(node);
    }

    @Override
    public void startInitial(String node) {
        exclusively(node, () -> {
            MgmNode now = known(node);
            if (!now.out()) {
                throw new NodeControlException(
                        "node " + node + " is " + now.detail() + "; its files can be removed only when it is down");
            }
            checkInitial(node);
            if (now.status().equals("NOT_STARTED")) {
                int id = Integer.parseInt(node);
                watch().ifPresent(w -> w.orderGiven(id));
                client().restart(id, false, true, false, ORDER_BOUND);
                await(node, n -> !n.out(), "starting", commands.timeout());
                commands.journal().closed(node, NodeAction.UNDONE);
            } else {
                begin(NodeAction.INITIALISE, node);
            }
        });
    }

    /** The node's state, waited for as long as the management server does not know it. */
    private MgmNode known(String node) {
        return await(node, n -> !n.unknown(), "in a state that the management server knows", commands.timeout());
    }

    private void begin(NodeAction action, String node) {
        if (!commands.has(action)) {
            throw new NodeControlException(
                    "node " + node + " has no process, and the management server can start none; give a command \""
                            + action.word() + "\" " + commands.where());
        }
        act(action, node);
        new EndedProcess(() -> ended(node)).awaitBegun(node);
        await(node, n -> !n.status().equals("NO_CONTACT"), "in contact with the management server", commands.timeout());
    }

    @Override
    public Optional<String> ended(String node) {
        return commands.ended(node);
    }

    @Override
    public void pause(String node) {
        exclusively(node, () -> {
            paused.paused(node);
            act(NodeAction.PAUSE, node);
        });
    }

    /** The status; whether a node that was paused here still is, the user's command says. */
    @Override
    NodeStatus status(String node, MgmNode reported) {
        NodeStatus asked = super.status(node, reported);
        return paused.of(info(node), asked, problem -> watch().ifPresent(w -> w.note("", "process", problem)));
    }

    @Override
    public void resume(String node) {
        exclusively(node, () -> {
            if (known(node).out()) {
                resumeIfThere(node);
            } else {
                act(NodeAction.RESUME, node);
            }
            paused.resumed(node);
        });
    }

    /** A node that was paused for long is out of the cluster, but its process still has to be resumed in order to end. */
    private void resumeIfThere(String node) {
        try {
            act(NodeAction.RESUME, node);
        } catch (NodeControlException e) {
            if (commands.isPaused(info(node))) {
                throw e;
            }
            watch().ifPresent(w -> w.note(node, "process", "is down, nothing to resume: " + e.getMessage()));
        }
    }

    private void act(NodeAction action, String node) {
        commands.act(action, info(node), step -> watch().ifPresent(w -> w.processStep(Integer.parseInt(node), step)));
    }

    private NodeInfo info(String node) {
        return nodes.stream().filter(n -> n.id().equals(node)).findFirst().orElseThrow();
    }

    private MgmNode await(String node, Predicate<MgmNode> wanted, String what, Duration bound) {
        AtomicReference<MgmNode> now = new AtomicReference<>();
        NodeLocks.await(
                bound,
                POLL,
                () -> {
                    now.set(reported(node));
                    return wanted.test(now.get());
                },
                () -> "node " + node + " is not " + what + " after " + bound.toMillis()
                        + " ms; the management server says " + now.get().detail());
        return now.get();
    }
}

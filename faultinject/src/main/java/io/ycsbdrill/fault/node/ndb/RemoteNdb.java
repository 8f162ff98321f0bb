package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.Secrets;
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
import io.ycsbdrill.fault.node.ndb.ClusterFile.Action;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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

    private final ClusterFile file;
    private final List<NodeInfo> nodes;
    /** Nodes that were paused here: the management server does not know it. */
    private final Set<String> paused = ConcurrentHashMap.newKeySet();

    private RemoteNdb(ConnectString servers, ClusterFile file) {
        super(servers);
        this.file = file;
        try {
            this.nodes = client().dataNodes().stream()
                    .map(n -> new NodeInfo(Integer.toString(n.id()), host(n), Math.max(0, n.group())))
                    .toList();
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Connects to a running cluster.
     *
     * @param connectString {@code host[:port][,host2[:port]]}; null to use the cluster file's
     * @param file the user's commands, or {@link ClusterFile#none()}
     * @throws IllegalArgumentException when there is no valid connect string
     * @throws NodeControlException when no management server answers, or the cluster requires TLS
     */
    public static NodeController connect(String connectString, ClusterFile file) {
        String servers = connectString != null
                ? connectString
                : file.connectString()
                        .orElseThrow(
                                () -> new IllegalArgumentException(
                                        "no management server given; set ndb.connectstring, or connectstring in the cluster file"));
        return new RemoteNdb(ConnectString.parse(servers), file);
    }

    private String host(MgmNode node) {
        return file.hosts().getOrDefault(Integer.toString(node.id()), node.address());
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
                || type == Killable.class && file.commands().containsKey(Action.KILL)
                || type == Pausable.class && file.commands().containsKey(Action.PAUSE);
        return has ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public void kill(String node) {
        exclusively(node, () -> {
            if (!known(node).out()) {
                run(Action.KILL, node);
                await(node, MgmNode::out, "out of the cluster", file.timeout());
            }
        });
    }

    @Override
    public void stop(String node, Mode mode, Duration bound) {
        exclusively(node, () -> {
            if (known(node).out()) {
                return;
            }
            int id = Integer.parseInt(node);
            boolean abort = mode == Mode.ABORT;
            if (file.commands().containsKey(Action.START)) {
                client().stop(id, abort, bound);
                await(node, MgmNode::out, "out of the cluster", bound);
            } else {
                watch().ifPresent(w -> w.willWaitForOrder(id));
                client().restart(id, abort, false, true, bound);
                await(node, n -> n.status().equals("NOT_STARTED"), "waiting in NOT_STARTED", bound);
            }
        });
    }

    @Override
    public void start(String node) {
        exclusively(node, () -> {
            MgmNode now = known(node);
            if (now.status().equals("NOT_STARTED")) {
                int id = Integer.parseInt(node);
                watch().ifPresent(w -> w.orderGiven(id));
                client().start(id, ORDER_BOUND);
            } else if (now.out()) {
                begin(Action.START, node);
            }
        });
    }

    @Override
    public void startInitial(String node) {
        exclusively(node, () -> {
            MgmNode now = known(node);
            if (now.status().equals("NOT_STARTED")) {
                int id = Integer.parseInt(node);
                watch().ifPresent(w -> w.orderGiven(id));
                client().restart(id, false, true, false, ORDER_BOUND);
                await(node, n -> !n.out(), "starting", file.timeout());
            } else if (now.out()) {
                begin(Action.INITIAL, node);
            } else {
                throw new NodeControlException(
                        "node " + node + " is " + now.detail() + "; its files can be removed only when it is down");
            }
        });
    }

    /** The node's state, waited for as long as the management server does not know it. */
    private MgmNode known(String node) {
        return await(node, n -> !n.unknown(), "in a state that the management server knows", file.timeout());
    }

    private void begin(Action action, String node) {
        if (!file.commands().containsKey(action)) {
            throw new NodeControlException(
                    "node " + node + " has no process, and the management server can start none; give " + "a command \""
                            + action.word() + "\" in the cluster file (docs/ndb.md)");
        }
        run(action, node);
        await(node, n -> !n.status().equals("NO_CONTACT"), "in contact with the management server", file.timeout());
    }

    @Override
    public void pause(String node) {
        exclusively(node, () -> {
            run(Action.PAUSE, node);
            paused.add(node);
        });
    }

    /** Of a node that was paused here the user's command says whether it still is. */
    @Override
    NodeStatus status(String node, MgmNode reported) {
        NodeStatus asked = super.status(node, reported);
        if (!paused.contains(node)) {
            return asked;
        }
        try {
            int code = output(Action.PAUSED, node).exit();
            return code == 0
                    ? new NodeStatus(node, NodeStatus.State.PAUSED, asked.detail(), OptionalLong.empty())
                    : asked;
        } catch (IOException e) {
            throw new NodeControlException("it is not known whether node " + node + " is paused: " + e.getMessage(), e);
        }
    }

    @Override
    public void resume(String node) {
        exclusively(node, () -> {
            paused.remove(node);
            if (!known(node).out()) {
                run(Action.RESUME, node);
            } else {
                resumeIfThere(node);
            }
        });
    }

    /** A node that was paused for long is out of the cluster, but its process still has to be resumed in order to end. */
    private void resumeIfThere(String node) {
        try {
            run(Action.RESUME, node);
        } catch (NodeControlException e) {
            watch().ifPresent(w -> w.note(node, "process", "is down, nothing to resume: " + e.getMessage()));
        }
    }

    private String hostOf(String node) {
        return nodes.stream()
                .filter(n -> n.id().equals(node))
                .map(NodeInfo::host)
                .findFirst()
                .orElseThrow();
    }

    private void run(Action action, String node) {
        String command = Secrets.inCommand(file.commandFor(action, node, hostOf(node)));
        watch().ifPresent(w -> w.processStep(Integer.parseInt(node), action.word() + ": " + command));
        try {
            ProgramOutput output = output(action, node);
            if (output.exit() != 0) {
                throw new NodeControlException("the " + action.word() + " command for node " + node + " ended with "
                        + output.exit() + ": " + command + "; it printed: \""
                        + Secrets.inText(output.text().strip()) + "\"");
            }
        } catch (IOException e) {
            throw new NodeControlException(
                    "the " + action.word() + " command for node " + node + " failed: " + command + ": "
                            + Secrets.inText(String.valueOf(e.getMessage())),
                    e);
        }
    }

    private ProgramOutput output(Action action, String node) throws IOException {
        return ProgramOutput.of(file.commandFor(action, node, hostOf(node)), file.timeout());
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

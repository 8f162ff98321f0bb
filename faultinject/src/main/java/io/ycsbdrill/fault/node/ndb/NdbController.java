package io.ycsbdrill.fault.node.ndb;

import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.EndedProcess;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.MgmClient;
import io.ycsbdrill.fault.node.ndb.mgm.MgmException;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Common part of local and remote NDB clusters: what the management server answers. Nodes are named by
 * their NDB node id. The event stream is opened with the first listener.
 */
abstract class NdbController implements NodeController, Startable, Backupable {
    /** As the NDB API waits: a graceful stop is answered only when the node has stopped. */
    static final Duration ORDER_BOUND = Duration.ofMinutes(5);

    /** How far an event may lag behind the state; beyond that its stream is broken, which is reported separately. */
    private static final Duration EVENT_BOUND = Duration.ofSeconds(5);

    /** However long it takes: the step that it belongs to has a bound of its own. */
    private static final Duration BACKUP_BOUND = Duration.ofHours(24);

    private final EventLoopGroup requests = group("ndb-mgm");
    private final EventLoopGroup events = group("ndb-events");
    private final EventLoop eventLoop = events.next();
    private final NodeLocks locks = new NodeLocks(this::ids);
    private final MgmClient client;
    private NdbWatch watch;
    private boolean closed;
    /** The last backup that was made; 0 before it. */
    private volatile int backup;

    NdbController(ConnectString servers) {
        this.client = new MgmClient(servers, requests);
    }

    private static EventLoopGroup group(String name) {
        return new MultiThreadIoEventLoopGroup(
                1, (ThreadFactory) task -> Daemon.thread(task, name), NioIoHandler.newFactory());
    }

    final MgmClient client() {
        return client;
    }

    final EventLoop eventLoop() {
        return eventLoop;
    }

    /** As {@code Stoppable} asks: the management server refuses a graceful stop of any node while one starts. */
    public final boolean stopsWhileStarting() {
        return false;
    }

    @Override
    public final String engine() {
        return NdbEngine.NAME;
    }

    @Override
    public String engineVersion() {
        try {
            return client.version();
        } catch (NodeControlException e) {
            return "unknown";
        }
    }

    @Override
    public List<NodeStatus> status() {
        Map<String, MgmNode> reported =
                client.dataNodes().stream().collect(Collectors.toMap(n -> Integer.toString(n.id()), n -> n));
        return nodes().stream().map(n -> status(n.id(), reported.get(n.id()))).toList();
    }

    /** @param reported what the management server says; null when it does not know the node */
    NodeStatus status(String node, MgmNode reported) {
        return reported == null
                ? new NodeStatus(node, State.UNKNOWN, "not known to the management server", OptionalLong.empty())
                : new NodeStatus(node, state(reported), reported.detail(), OptionalLong.empty());
    }

    static State state(MgmNode node) {
        return switch (node.status()) {
            case "STARTED", "SINGLE USER MODE" -> State.STARTED;
            case "STARTING", "RESTARTING", "RESUME" -> State.STARTING;
            case "SHUTTING_DOWN" -> State.STOPPING;
            // NOT_STARTED: a process that waits for the order to start and takes no part in the cluster
            case "NO_CONTACT", "NOT_STARTED" -> State.DOWN;
            default -> State.UNKNOWN;
        };
    }

    final MgmNode reported(String node) {
        return client.dataNodes().stream()
                .filter(n -> Integer.toString(n.id()).equals(node))
                .findFirst()
                .orElseThrow(() -> new NodeControlException("the management server of " + client.servers()
                        + " knows no data node " + node + "; it has " + String.join(", ", ids())));
    }

    @Override
    public void backUp(String node) {
        backUp(0);
    }

    /** @param number as {@link MgmClient#backUp} takes it */
    final int backUp(int number) {
        backup = 0;
        backup = client.backUp(number, BACKUP_BOUND);
        return backup;
    }

    @Override
    public Sight lookForBackup() {
        int made = backup;
        return new Sight(
                made > 0, made > 0 ? "backup " + made + " of all data nodes is complete" : "no backup is complete yet");
    }

    /** The president: the lowest dynamic id among the nodes that are up. */
    @Override
    public Optional<String> primary() {
        return client.dataNodes().stream()
                .filter(n -> n.started() && n.dynamicId() > 0 && mayBePrimary(n))
                .min(Comparator.comparingInt(MgmNode::dynamicId))
                .map(n -> Integer.toString(n.id()));
    }

    /** Whether nothing known here contradicts the management server. */
    boolean mayBePrimary(MgmNode node) {
        return true;
    }

    @Override
    public final synchronized AutoCloseable listen(Consumer<EngineEvent> listener) {
        if (closed) {
            throw new NodeControlException("the controller of " + client.servers() + " is closed");
        }
        if (watch == null) {
            NdbWatch opening = new NdbWatch(
                    client, watched(), eventLoop, NdbWatch.OPEN_BOUND, NdbWatch.CONTACT_BOUND, this::processRuns);
            opening.open();
            watch = opening;
            watching(watch);
        }
        AutoCloseable own = watch.listen(listener);
        AutoCloseable more = listenFurther(listener);
        return () -> {
            own.close();
            more.close();
        };
    }

    /** Whether a data node's process runs; empty when that is not known here. */
    Optional<Boolean> processRuns(int node) {
        return Optional.empty();
    }

    /** The data nodes whose events are followed. */
    List<Integer> watched() {
        return nodes().stream().map(n -> Integer.parseInt(n.id())).toList();
    }

    /** Subscribes to events that the management server does not report. */
    AutoCloseable listenFurther(Consumer<EngineEvent> listener) {
        return () -> {};
    }

    /** Called once, when the events are being watched. */
    void watching(NdbWatch events) {}

    /** The watch, if somebody listens. */
    final synchronized Optional<NdbWatch> watch() {
        return Optional.ofNullable(watch);
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        awaitReported(node, bound);
        // The state may be known before the event of the same moment: listeners hear of it before the caller goes on.
        watch().ifPresent(events -> NodeLocks.holds(EVENT_BOUND, () -> events.recovered(Integer.parseInt(node))));
    }

    /** Returns when the management server says that the node is started. */
    final void awaitReported(String node, Duration bound) {
        locks.check(node);
        AtomicReference<String> last = new AtomicReference<>("nothing yet");
        EndedProcess process = new EndedProcess(() -> ended(node));
        NodeLocks.await(
                bound,
                EndedProcess.EVERY,
                () -> {
                    process.ask().ifPresent(why -> {
                        throw new NodeControlException("node " + node + " will not recover: " + why);
                    });
                    try {
                        MgmNode reported = reported(node);
                        last.set(reported.detail());
                        return reported.started();
                    } catch (MgmException e) {
                        last.set(e.getMessage()); // the server may be on its way back
                        return false;
                    }
                },
                () -> "node " + node + " is not STARTED after " + bound.toSeconds() + " s; the management server says "
                        + last + hint(node));
    }

    /** Where to find more, as the end of a sentence. */
    String hint(String node) {
        return "; see the management server's cluster log";
    }

    private List<String> ids() {
        return nodes().stream().map(NodeInfo::id).toList();
    }

    /** Unless another node has what this one has: of its node group, without which the cluster ends itself, while it is known to which it belongs. */
    final void requireCopy(String node) {
        Initialisable.requireCopy(node, () -> {
            MgmNode mine = reported(node);
            return client.dataNodes().stream()
                    .filter(other -> mine.group() < 0 || other.group() == mine.group())
                    .anyMatch(other -> other.id() != mine.id() && other.started());
        });
    }

    /** Runs an operation on a node, one at a time per node. */
    public final void exclusively(String node, Runnable operation) {
        locks.locked(node, operation);
    }

    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        if (watch != null) {
            watch.close();
        }
        events.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        requests.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
}

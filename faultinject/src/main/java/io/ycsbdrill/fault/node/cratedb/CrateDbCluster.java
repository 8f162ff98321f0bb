package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.cratedb.LocalHistory.Life;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.RunAs;
import io.ycsbdrill.fault.node.os.Teardown;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Controls a local cluster through its processes, files and signals; what it reports is read by a {@link CrateDbWatch}. */
final class CrateDbCluster extends ProcessCluster<LocalHistory> {
    /** Only reached when no server says how things are: that no master or no copy is left ends the wait by itself. */
    private static final Duration FAILURE_BOUND = Duration.ofSeconds(60);

    private static final Duration MOVE_BOUND = Duration.ofHours(24);
    private static final Duration MOVE_POLL = Duration.ofMillis(500);
    /** Longer than the pause between two shards' moves. */
    private static final Duration CALM = Duration.ofSeconds(3);
    /** A server is ended within this time, also when a drill is stopped, which waits for it. */
    private static final long END_MILLIS = 10_000;

    private final ClusterDescriptor descriptor;
    private final CrateDbPrograms programs;
    private final CrateDbFiles files;
    private final Process watchdog;
    private final CrateDbNodes tables;
    private final CrateDbWatch watch;

    /** @param watchdog ends the processes with this one; null when they outlive it, or another process holds it */
    private CrateDbCluster(ClusterDescriptor descriptor, CrateDbPrograms programs, Process watchdog) {
        this(descriptor, members(descriptor), programs, watchdog);
    }

    private CrateDbCluster(ClusterDescriptor descriptor, Members members, CrateDbPrograms programs, Process watchdog) {
        super(members);
        this.descriptor = descriptor;
        this.programs = programs;
        this.files = programs.files();
        this.watchdog = watchdog;
        List<String> ports = List.of(descriptor.engineState().get("http").split(","));
        this.tables = CrateDbNodes.local(
                HttpServers.open(IntStream.range(0, ports.size())
                        .mapToObj(i -> "http://" + files.address(members.all().get(i)) + ":" + ports.get(i))
                        .toList()),
                ids());
        this.watch = new CrateDbWatch(members, descriptor.engineVersion(), files, programs::process, tables);
    }

    /** Watches from now on; earlier events count for the nodes' state, but are not reported again. */
    static CrateDbCluster open(ClusterDescriptor descriptor, CrateDbPrograms programs, Process watchdog) {
        CrateDbCluster cluster = new CrateDbCluster(descriptor, programs, watchdog);
        cluster.watch.begin();
        return cluster;
    }

    static CrateDbCluster attach(ClusterDescriptor descriptor) {
        Map<String, String> state = descriptor.requireState("nodes", "http", "heap", "user");
        CrateDbFiles files = new CrateDbFiles(descriptor.directory());
        if (!Files.isDirectory(files.home())) {
            throw new NodeControlException("no CrateDB cluster is left in " + descriptor.directory());
        }
        return open(descriptor, new CrateDbPrograms(files, RunAs.of(state.get("user")), state.get("heap")), null);
    }

    private static Members members(ClusterDescriptor descriptor) {
        return new Members(
                descriptor.directory(),
                nodeIds(Integer.parseInt(descriptor.engineState().get("nodes"))));
    }

    static List<String> nodeIds(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> "node" + number)
                .toList();
    }

    @Override
    public String engine() {
        return CrateDbEngine.NAME;
    }

    @Override
    public ClusterDescriptor descriptor() {
        return descriptor;
    }

    @Override
    public void close() {
        super.close();
        watch.end();
    }

    @Override
    public void down() {
        close();
        Teardown.run(files.directory(), watchdog);
    }

    @Override
    protected CrateDbWatch watch() {
        return watch;
    }

    @Override
    protected Path pidFile(String node) {
        return files.pid(node);
    }

    @Override
    protected Process launch(String node, boolean empty) {
        return programs.start(node);
    }

    @Override
    protected boolean reported(String node, Process launched) {
        return watch.reported(h -> h.running(node) && h.life(node) != Life.DOWN);
    }

    /** The server closes its tables and leaves the cluster, or ends without any of that. */
    @Override
    protected void requestStop(String node, OsProcess process, Mode mode) {
        process.signal(mode == Mode.ABORT ? "KILL" : "TERM");
    }

    @Override
    protected void checkInitial(String node) {
        if (ids().stream().noneMatch(other -> !other.equals(node) && watch.ask(h -> h.recovered(other)))) {
            throw new NodeControlException("no other node is in the cluster from which " + node
                    + " could copy the data; its files are kept. Start the others first");
        }
    }

    /** Shards move to a new node by themselves, a few at a time; nothing says that the last of them has. */
    @Override
    protected void settle(String node) {
        awaitCalm(node, tables::now);
    }

    static void awaitCalm(String node, Supplier<CrateDbState> tables) {
        long[] calmSince = {System.nanoTime()};
        NodeLocks.await(
                MOVE_BOUND,
                MOVE_POLL,
                () -> {
                    long now = System.nanoTime();
                    if (!isCalm(tables)) {
                        calmSince[0] = now;
                    }
                    return now - calmSince[0] >= CALM.toNanos();
                },
                () -> "shards were still moving to " + node + " after " + MOVE_BOUND.toHours() + " h");
    }

    private static boolean isCalm(Supplier<CrateDbState> tables) {
        try {
            return tables.get().moving().map(List::isEmpty).orElse(false);
        } catch (NodeControlException e) {
            return false; // servers that move shards may be too busy to answer in time: nothing is known
        }
    }

    /** The servers' own way: all its copies move to the others, then the server ends itself. */
    @Override
    protected void drain(String node) {
        int index = ids().indexOf(node);
        drain(
                () -> tables.allowDecommission(node, index, MOVE_BOUND),
                () -> {
                    tables.decommission(node, index);
                    NodeLocks.await(
                            MOVE_BOUND,
                            () -> process(node).isEmpty(),
                            () -> node + " has not ended " + MOVE_BOUND.toHours() + " h after it was decommissioned");
                },
                () -> endOrder(node));
    }

    /**
     * A failure before the order leaves the server alone.
     *
     * @param order gives the order to leave, and waits until the server has left
     * @param takeBack takes the order back
     */
    static void drain(Runnable allow, Runnable order, Runnable takeBack) {
        allow.run();
        try {
            order.run();
        } catch (NodeControlException e) {
            try {
                takeBack.run();
            } catch (NodeControlException failed) {
                e.addSuppressed(failed);
                throw new NodeControlException(
                        e.getMessage() + "; and it could not be started again: " + failed.getMessage(), e);
            }
            throw e;
        }
    }

    /**
     * Only the end of the server takes back the order to leave: it would end itself later, when its last copy has moved. It
     * shuts down as usual, so that nothing is lost. When this thread is interrupted, healing starts it again.
     */
    private void endOrder(String node) {
        process(node).ifPresent(server -> server.end(END_MILLIS));
        if (!Thread.currentThread().isInterrupted()) {
            start(node);
        }
    }

    @Override
    protected Optional<Boolean> seenByOthers(String node) {
        return watch.ask(h -> h.inCluster(node));
    }

    @Override
    protected NodeStatus status(String node, OsProcess process) {
        Life life = watch.ask(h -> h.life(node));
        String health = watch.ask(LocalHistory::health);
        return switch (life) {
            case RECOVERED -> status(node, State.STARTED, health, process);
            case JOINED ->
                status(
                        node,
                        State.STARTING,
                        health.isEmpty() ? "in the cluster" : "in the cluster, " + health,
                        process);
            default ->
                status(
                        node,
                        State.STARTING,
                        watch.ask(h -> h.dropped(node))
                                ? "removed from the cluster by the others"
                                : "not in the cluster yet",
                        process);
        };
    }

    @Override
    protected Duration failureBound() {
        return FAILURE_BOUND;
    }

    @Override
    protected Path data(String node) {
        return files.data(node);
    }

    @Override
    protected Path log(String node) {
        return files.log(node);
    }

    @Override
    protected String lastWords(String node) {
        return "; " + programs.lastWords(node);
    }
}

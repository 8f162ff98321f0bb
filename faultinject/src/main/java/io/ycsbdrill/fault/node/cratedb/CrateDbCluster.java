package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.cratedb.LocalNode.Life;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.RunAs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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

    private static final Duration UP_BOUND = Duration.ofMinutes(4);

    private final CrateDbFiles files;
    private final RunAs user;
    private final String heap;
    private final CrateDbNodes tables;
    private final CrateDbWatch watch;

    private CrateDbCluster(ClusterDescriptor descriptor, CrateDbFiles files, Members members) {
        super(descriptor, files, members);
        Map<String, String> state = descriptor.engineState();
        this.files = files;
        this.user = RunAs.of(state.get("user"));
        this.heap = state.get("heap");
        List<String> ports = List.of(state.get("http").split(","));
        this.tables = CrateDbNodes.local(
                HttpServers.open(IntStream.range(0, ports.size())
                        .mapToObj(i -> "http://" + IsolatedNetwork.address(files.directory(), ids().get(i)) + ":"
                                + ports.get(i))
                        .toList()),
                ids());
        this.watch = new CrateDbWatch(members, descriptor.engineVersion(), files, this::process, tables);
    }

    static CrateDbCluster open(ClusterDescriptor descriptor) {
        Map<String, String> state = descriptor.requireState("nodes", "http", "heap", "user");
        CrateDbFiles files = new CrateDbFiles(descriptor.directory());
        if (!Files.isDirectory(files.home())) {
            throw new NodeControlException("no CrateDB cluster is left in " + descriptor.directory());
        }
        return new CrateDbCluster(
                descriptor, files, Members.numbered(descriptor.directory(), Integer.parseInt(state.get("nodes"))));
    }

    /** The members of a new cluster, all at once. */
    void bringUp(ClusterPlan<CrateDbOptions> plan, CrateDbJdk jdk) {
        plan.progress()
                .accept(memberIds().size() + " servers start together, Java " + jdk.version()
                        + user.other().map(each -> ", as " + each.user()).orElse(""));
        memberIds().forEach(node -> launch(node, true));
        for (String node : memberIds()) {
            awaitStarted(node, UP_BOUND);
            plan.progress()
                    .accept(node + " is in the cluster, HTTP on " + plan.address(node) + ":"
                            + plan.port(node, CrateDbConfig.HTTP) + ", PostgreSQL's protocol on "
                            + plan.port(node, CrateDbConfig.SQL));
        }
    }

    @Override
    protected void begin() {
        watch.begin();
    }

    @Override
    public void close() {
        super.close();
        watch.end();
    }

    @Override
    protected CrateDbWatch watch() {
        return watch;
    }

    @Override
    protected List<String> command(String node, boolean empty) throws IOException {
        Files.createDirectories(files.data(node));
        user.own(files.node(node));
        List<String> command = new ArrayList<>(user.prefix());
        command.add(files.home().resolve("bin/crate").toString());
        command.add("-Cpath.conf=" + files.configuration(node));
        return command;
    }

    @Override
    protected List<String> programs(String node) {
        return List.of("java");
    }

    @Override
    protected Path workingDirectory(String node) {
        return files.node(node);
    }

    /** Our own options only, whatever the user keeps for other servers. */
    @Override
    protected void environment(String node, Map<String, String> environment) {
        environment.keySet().removeIf(name -> name.startsWith("CRATE_") || name.equals("JAVA_OPTS"));
        environment.put("CRATE_HEAP_SIZE", heap.toLowerCase(Locale.ROOT));
        environment.put("CRATE_DISABLE_GC_LOGGING", "1");
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
    public void checkInitial(String node) {
        Initialisable.requireCopy(
                node, ids().stream().anyMatch(other -> !other.equals(node) && watch.ask(h -> h.recovered(other))));
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
}

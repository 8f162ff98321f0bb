package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeOperations;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.kit.LostNodes;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import io.ycsbdrill.fault.node.kit.Restoration;
import io.ycsbdrill.fault.node.kit.Teardown;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Controls a cluster on this machine that {@link NdbEngine} started, in this process or another. */
final class NdbCluster extends NdbController implements LocalCluster, LostNodes {
    private static final long PROCESS_POLL_MILLIS = 50;

    private final ClusterDescriptor descriptor;
    private final NdbPrograms programs;
    private final NdbFiles files;
    private final Process watchdog;
    private final List<NodeInfo> all;
    private final Members members;
    private final NdbExpansion expansion;
    private final DataNodes data;
    private final SqlNodes sql;
    private final NodeSandbox sandbox = new NodeSandbox(this);
    private final NdbSettings settings;
    private final NdbUpgrade upgrade;
    private final NdbBackups backups;
    private final Restoration restoration;
    private RestartInfoCheck restartInfo;

    /** @param watchdog ends the processes with this one; null when they outlive it, or another process holds it */
    NdbCluster(ClusterDescriptor descriptor, NdbPrograms programs, NdbFiles files, Process watchdog) {
        super(ConnectString.parse(descriptor.engineState().get("connectstring")));
        this.descriptor = descriptor;
        this.programs = programs;
        this.files = files;
        this.watchdog = watchdog;
        int count = Integer.parseInt(descriptor.engineState().get("dataNodes"));
        int replicas = Integer.parseInt(descriptor.engineState().get("replicas"));
        // NDB fills its groups in order of node id.
        this.all = IntStream.rangeClosed(1, count)
                .mapToObj(node -> new NodeInfo(
                        Integer.toString(node),
                        IsolatedNetwork.address(files.directory(), Integer.toString(node)),
                        (node - 1) / replicas))
                .toList();
        this.members = members(files.directory(), count);
        this.expansion = new NdbExpansion(this, programs, members, replicas);
        this.data = new DataNodes(this, programs, files);
        this.sql = new SqlNodes(programs, files, new NdbSql(descriptor).ports());
        this.settings = new NdbSettings(this, programs, files);
        this.upgrade = new NdbUpgrade(this, programs, files, settings, sql);
        this.backups = new NdbBackups(this, programs, files, data);
        this.restoration = new Restoration(this, backups);
    }

    static Members members(Path directory, int prepared) {
        return new Members(
                directory,
                IntStream.rangeClosed(1, prepared).mapToObj(Integer::toString).toList());
    }

    static NdbCluster attach(ClusterDescriptor descriptor) {
        NdbFiles files = new NdbFiles(descriptor.directory());
        Map<String, String> state = descriptor.requireState("connectstring", "home", "dataNodes", "replicas");
        NdbPrograms programs = new NdbPrograms(new NdbHome(Path.of(state.get("home"))), files);
        if (!programs.anyRuns()) {
            throw new NodeControlException(
                    "no process of the NDB cluster in " + descriptor.directory() + " is running any more");
        }
        NodeIo.run("the management server cannot be started again", () -> programs.resumeManagement());
        return new NdbCluster(descriptor, programs, files, null);
    }

    NdbCluster withDescriptor(ClusterDescriptor complete) {
        close();
        return new NdbCluster(complete, programs, files, watchdog);
    }

    @Override
    public ClusterDescriptor descriptor() {
        return descriptor;
    }

    @Override
    public List<NodeInfo> nodes() {
        List<String> now = members.members();
        return all.stream().filter(node -> now.contains(node.id())).toList();
    }

    /** What is known of a member or a spare node. */
    NodeInfo info(String node) {
        return all.get(Integer.parseInt(node) - 1);
    }

    void joined(String node) {
        members.join(node);
    }

    void left(String node) {
        members.leave(node);
    }

    @Override
    Optional<Boolean> processRuns(int node) {
        return Optional.of(programs.worker(node).isPresent());
    }

    @Override
    List<Integer> watched() {
        return all.stream().map(node -> Integer.parseInt(node.id())).toList();
    }

    @Override
    public Map<String, NodeUse> use() {
        Map<String, NodeUse> use = programs.use(nodes());
        use.putAll(sql.use());
        Haproxy.of(descriptor).flatMap(Haproxy::use).ifPresent(used -> use.put(Haproxy.NAME, used));
        return use;
    }

    @Override
    public List<NodeStatus> proxies() {
        return Haproxy.of(descriptor).map(Haproxy::status).stream().toList();
    }

    @Override
    public List<NodeInfo> frontEnds() {
        return sql.nodes();
    }

    @Override
    public String engineVersion() {
        String now = super.engineVersion();
        return now.equals("unknown") ? descriptor.engineVersion() : now;
    }

    @Override
    public List<NodeStatus> status() {
        if (!programs.managementRuns()) {
            throw new NodeControlException("the management server of the cluster in " + files.directory()
                    + " is not running any more; take the cluster down; it printed: " + programs.lastLines("mgmd"));
        }
        return Stream.concat(super.status().stream(), sql.status().stream()).toList();
    }

    @Override
    NodeStatus status(String node, MgmNode reported) {
        NodeStatus asked = super.status(node, reported);
        Optional<OsProcess> worker = programs.worker(Integer.parseInt(node));
        if (worker.isEmpty()) {
            String detail = "no process; the management server says " + asked.detail();
            return new NodeStatus(node, State.DOWN, detail, OptionalLong.empty());
        }
        OptionalLong pid = OptionalLong.of(worker.get().pid());
        if (worker.get().stopped()) {
            return new NodeStatus(node, State.PAUSED, asked.detail(), pid);
        }
        boolean noContactYet = asked.state() == State.DOWN && !asked.detail().equals("NOT_STARTED");
        boolean empty = asked.state() == State.STARTED && incomplete().isPresent();
        return new NodeStatus(
                node,
                noContactYet || empty ? State.STARTING : asked.state(),
                asked.detail() + (empty ? ", without its data" : ""),
                pid);
    }

    @Override
    public Optional<String> incomplete() {
        return Restoration.unfinished(directory());
    }

    /** @throws NodeControlException when it is {@link #incomplete} */
    void requireComplete() {
        incomplete().ifPresent(why -> {
            throw new NodeControlException(why);
        });
    }

    @Override
    public boolean idle(String node) {
        return programs.angel(Integer.parseInt(node)).isEmpty();
    }

    @Override
    public void restored(String node, String text) {
        watch().ifPresent(events -> events.note(node, Signal.RESTORED, "faults", text));
    }

    @Override
    public void launchRestored(String node, boolean empty) {
        backups.serve();
    }

    /** The management server may still count a node whose process has just ended. */
    @Override
    boolean mayBePrimary(MgmNode node) {
        return programs.worker(node.id()).isPresent();
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return Stream.of(upgrade, expansion, settings, backups, restoration, this)
                .filter(type::isInstance)
                .<C>map(type::cast)
                .findFirst()
                .or(() -> sandbox.capability(type));
    }

    @Override
    public Path directory() {
        return files.directory();
    }

    @Override
    public Path data(String node) {
        return files.fileSystem(Integer.parseInt(node));
    }

    @Override
    public void note(String node, String text) {
        watch().ifPresent(events -> events.note(node, "faults", text));
    }

    /** The worker: the angel writes nothing. */
    @Override
    public Optional<OsProcess> process(String node) {
        return programs.worker(Integer.parseInt(node));
    }

    private NodeOperations operations(String node) {
        return sql.has(node) ? sql : data;
    }

    @Override
    public void kill(String node) {
        operations(node).kill(node);
    }

    @Override
    public void stop(String node, Mode mode, Duration bound) {
        operations(node).stop(node, mode, bound);
    }

    @Override
    public void start(String node) {
        requireComplete();
        operations(node).start(node);
    }

    @Override
    public void checkInitial(String node) {
        operations(node).checkInitial(node);
    }

    @Override
    public void startInitial(String node) {
        operations(node).startInitial(node);
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        operations(node).awaitStarted(node, bound);
    }

    void awaitDataNode(String node, Duration bound) {
        super.awaitStarted(node, bound);
    }

    @Override
    public void pause(String node) {
        operations(node).pause(node);
    }

    @Override
    public void resume(String node) {
        operations(node).resume(node);
    }

    @Override
    AutoCloseable listenFurther(Consumer<EngineEvent> listener) {
        return sql.listen(listener);
    }

    @Override
    public Optional<String> ended(String node) {
        int id = Integer.parseInt(node);
        return programs.angel(id).isEmpty() ? Optional.of("it has no process; " + programs.logs(id)) : Optional.empty();
    }

    @Override
    String hint(String node) {
        return "; " + programs.logs(Integer.parseInt(node)) + "; cluster log: " + files.clusterLog();
    }

    /** Watches the worker processes, whose end is often known here before the other nodes report it. */
    @Override
    void watching(NdbWatch events) {
        for (NodeInfo node : all) {
            WorkerSight sight = new WorkerSight(programs, Integer.parseInt(node.id()), events);
            eventLoop().scheduleWithFixedDelay(sight, 0, PROCESS_POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
        NdbSql asked = new NdbSql(descriptor);
        if (asked.available()) {
            restartInfo = new RestartInfoCheck(asked, (node, text) -> events.note(node, "ndbinfo", text));
            events.listen(restartInfo);
        }
    }

    @Override
    public synchronized void close() {
        sandbox.close();
        super.close();
        sql.close();
        if (restartInfo != null) {
            restartInfo.close();
        }
    }

    @Override
    public void down() {
        close();
        Teardown.run(files.directory(), watchdog);
    }
}

package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.ndb.mgm.ConnectString;
import io.ycsbdrill.fault.node.ndb.mgm.MgmNode;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.Teardown;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A cluster on this machine that {@link NdbEngine} started, in this process or another. */
final class NdbCluster extends NdbController implements LocalCluster, Killable, Stoppable, Initialisable, Pausable {
    private static final long PROCESS_POLL_MILLIS = 50;
    private static final Duration ANGEL_BOUND = Duration.ofSeconds(20);
    private static final Duration SIGNAL_BOUND = Duration.ofSeconds(5);

    private final ClusterDescriptor descriptor;
    private final NdbPrograms programs;
    private final NdbFiles files;
    private final Process watchdog;
    private final List<NodeInfo> nodes;
    private final SqlNodes sql;
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
        List<NodeInfo> made = new ArrayList<>();
        for (int node = 1; node <= count; node++) {
            // NDB fills its groups in order of node id.
            made.add(new NodeInfo(Integer.toString(node), "127.0.0.1", (node - 1) / replicas));
        }
        this.nodes = List.copyOf(made);
        this.sql = new SqlNodes(programs, files, sqlPorts(descriptor));
    }

    private static List<Integer> sqlPorts(ClusterDescriptor descriptor) {
        String ports = descriptor.engineState().getOrDefault("sqlPorts", "");
        return ports.isEmpty()
                ? List.of()
                : Stream.of(ports.split(",")).map(Integer::valueOf).toList();
    }

    static NdbCluster attach(ClusterDescriptor descriptor) {
        NdbFiles files = new NdbFiles(descriptor.directory());
        Map<String, String> state = descriptor.engineState();
        for (String key : List.of("connectstring", "home", "dataNodes", "replicas")) {
            if (!state.containsKey(key)) {
                throw new NodeControlException("the cluster descriptor of " + descriptor.directory() + " lacks " + key
                        + "; it was not written by this engine");
            }
        }
        NdbPrograms programs = new NdbPrograms(new NdbHome(Path.of(state.get("home"))), files);
        if (!programs.anyRuns()) {
            throw new NodeControlException(
                    "no process of the NDB cluster in " + descriptor.directory() + " runs any more");
        }
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
        return nodes;
    }

    @Override
    public List<NodeStatus> proxies() {
        return Haproxy.of(descriptor).map(Haproxy::status).stream().toList();
    }

    @Override
    public List<NodeInfo> frontEnds() {
        return sql.all();
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
                    + " does not run any more; take the cluster down; it printed: " + programs.lastLines("mgmd"));
        }
        return Stream.concat(super.status().stream(), sql.status().stream()).toList();
    }

    @Override
    NodeStatus status(String node, MgmNode told) {
        NodeStatus asked = super.status(node, told);
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
        return new NodeStatus(node, noContactYet ? State.STARTING : asked.state(), asked.detail(), pid);
    }

    /** The management server may still count a node whose process has just ended. */
    @Override
    boolean mayBePrimary(MgmNode node) {
        return programs.worker(node.id()).isPresent();
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public void kill(String node) {
        if (sql.has(node)) {
            sql.kill(node);
            return;
        }
        exclusively(node, () -> programs.killNode(Integer.parseInt(node)));
    }

    @Override
    public void stop(String node, Mode mode, Duration bound) {
        if (sql.has(node)) {
            sql.stop(node, mode, bound);
            return;
        }
        exclusively(node, () -> {
            int id = Integer.parseInt(node);
            Optional<OsProcess> angel = programs.angel(id);
            if (angel.isEmpty()) {
                return;
            }
            long deadline = System.nanoTime() + bound.toNanos();
            Optional<OsProcess> worker = programs.worker(id);
            client().stop(id, mode == Mode.ABORT, bound);
            long left = Math.max(1_000, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime()));
            for (OsProcess process : List.of(worker.orElse(angel.get()), angel.get())) {
                if (!ended(process, left)) {
                    throw new NodeControlException("node " + node + " did not end within " + bound.toSeconds()
                            + " s after a stop (" + mode + ") that the management server confirmed; pid "
                            + process.pid()
                            + " is still alive; " + programs.logs(id));
                }
            }
        });
    }

    private static boolean ended(OsProcess process, long boundMillis) {
        try {
            return process.awaitEndInterruptibly(boundMillis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeControlException("interrupted while waiting for a node", e);
        }
    }

    @Override
    public void start(String node) {
        if (sql.has(node)) {
            sql.start(node);
            return;
        }
        exclusively(node, () -> launch(Integer.parseInt(node), false));
    }

    @Override
    public void startInitial(String node) {
        if (sql.has(node)) {
            throw new NodeControlException(node + " is a SQL node; only data nodes can be initialised");
        }
        exclusively(node, () -> {
            int id = Integer.parseInt(node);
            if (settled(id)) {
                throw new NodeControlException("node " + node + " runs; its files can be removed only when it is down");
            }
            try {
                Directories.delete(files.fileSystem(id));
            } catch (IOException e) {
                throw new NodeControlException(
                        "the files of node " + node + " in " + files.fileSystem(id) + " cannot be removed: "
                                + e.getMessage(),
                        e);
            }
            launch(id, true);
        });
    }

    /**
     * Whether the node has a worker. An angel without one is on its way out, or starts the next one: it is waited for, and
     * ended when it does neither.
     */
    private boolean settled(int node) {
        Optional<OsProcess> angel = programs.angel(node);
        long deadline = System.nanoTime() + ANGEL_BOUND.toNanos();
        while (angel.isPresent() && angel.get().alive()) {
            if (programs.worker(node).isPresent()) {
                return true;
            }
            if (System.nanoTime() - deadline > 0) {
                programs.killNode(node);
                return false;
            }
            pause(Duration.ofMillis(10));
        }
        return false;
    }

    private void launch(int node, boolean initial) {
        if (settled(node)) {
            return;
        }
        OsProcess worker = programs.startNode(node, initial);
        watch().ifPresent(w -> w.processStep(
                node, "process started" + (initial ? " without files (--initial)" : "") + ", pid " + worker.pid()));
    }

    @Override
    public void pause(String node) {
        if (sql.has(node)) {
            sql.pause(node);
            return;
        }
        exclusively(node, () -> {
            OsProcess worker = programs.worker(Integer.parseInt(node))
                    .orElseThrow(
                            () -> new NodeControlException("node " + node + " cannot be paused: it has no process"));
            worker.signal("STOP");
            await(node, worker, true);
        });
    }

    @Override
    public void resume(String node) {
        if (sql.has(node)) {
            sql.resume(node);
            return;
        }
        exclusively(node, () -> programs.worker(Integer.parseInt(node))
                .filter(OsProcess::stopped)
                .ifPresent(worker -> {
                    worker.signal("CONT");
                    await(node, worker, false);
                }));
    }

    private void await(String node, OsProcess worker, boolean stopped) {
        long deadline = System.nanoTime() + SIGNAL_BOUND.toNanos();
        while (worker.alive() && worker.stopped() != stopped) {
            if (System.nanoTime() - deadline > 0) {
                throw new NodeControlException("node " + node + " (pid " + worker.pid() + ") "
                        + (stopped ? "is not stopped" : "does not go on") + " " + SIGNAL_BOUND.toSeconds()
                        + " s after the signal");
            }
            pause(Duration.ofMillis(2));
        }
    }

    @Override
    public void awaitStarted(String node, Duration bound) {
        if (sql.has(node)) {
            sql.awaitStarted(node, bound);
        } else {
            super.awaitStarted(node, bound);
        }
    }

    @Override
    AutoCloseable listenFurther(Consumer<EngineEvent> listener) {
        return sql.listen(listener);
    }

    @Override
    void checkRuns(String node) {
        int id = Integer.parseInt(node);
        if (programs.angel(id).isEmpty()) {
            throw new NodeControlException("node " + node + " has no process; " + programs.logs(id));
        }
    }

    @Override
    String hint(String node) {
        return "; " + programs.logs(Integer.parseInt(node)) + "; cluster log: " + files.clusterLog();
    }

    /** Watches the worker processes, whose end is often known here before the other nodes report it. */
    @Override
    void watching(NdbWatch events) {
        for (NodeInfo node : nodes) {
            WorkerSight sight = new WorkerSight(Integer.parseInt(node.id()), events);
            eventLoop().scheduleWithFixedDelay(sight, 0, PROCESS_POLL_MILLIS, TimeUnit.MILLISECONDS);
        }
        String sqlPorts = descriptor.engineState().getOrDefault("sqlPorts", "");
        Optional<Path> mysql = new NdbHome(Path.of(descriptor.engineState().get("home"))).program("mysql");
        if (!sqlPorts.isEmpty() && mysql.isPresent()) {
            int port = Integer.parseInt(sqlPorts.split(",")[0]);
            restartInfo = new RestartInfoCheck(mysql.get(), port, (node, text) -> events.note(node, "ndbinfo", text));
            events.listen(restartInfo);
        }
    }

    @Override
    public synchronized void close() {
        super.close();
        sql.close();
        if (restartInfo != null) {
            restartInfo.close();
        }
    }

    /** One node's worker as last seen; on the event loop. */
    private final class WorkerSight implements Runnable {
        private final int node;
        private final NdbWatch events;
        private OsProcess worker;
        private long aliveNanos;

        WorkerSight(int node, NdbWatch events) {
            this.node = node;
            this.events = events;
        }

        @Override
        public void run() {
            long now = System.nanoTime();
            if (worker == null) {
                worker = programs.worker(node).orElse(null);
                aliveNanos = now;
            } else if (worker.alive()) {
                aliveNanos = now;
            } else {
                events.processEnded(node, "process " + worker.pid() + " ended", aliveNanos);
                worker = null;
            }
        }
    }

    @Override
    public void down() {
        close();
        Teardown.run(files.directory(), watchdog);
    }
}

package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.Switchable;
import io.ycsbdrill.fault.node.kit.Installations;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.os.DirectoryUsers;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.PidFile;
import io.ycsbdrill.fault.node.os.ProcFs;
import io.ycsbdrill.fault.node.os.RunAs;
import io.ycsbdrill.fault.node.patroni.PatroniHistory.Life;
import io.ycsbdrill.fault.node.patroni.PatroniHistory.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Controls a local cluster. A node is Patroni, which this program starts, and PostgreSQL's server with its children, which Patroni
 * starts in a session of its own; whatever is done to a node is done to all of them. Etcd is a helper without data.
 */
final class PatroniCluster extends ProcessCluster<PatroniHistory> implements Switchable {
    /** A node's processes, as drill files name them. */
    private static final String PATRONI = "patroni";

    private static final String POSTGRES = "postgres";

    private final PatroniFiles files;
    private final PatroniHome home;
    private final RunAs user;
    /** Patroni's own address by node. */
    private final Map<String, String> rest;

    private final List<String> etcdCommand;
    private final PatroniWatch watch;
    private final PatroniOrders orders;
    private final PatroniUpgrade upgrade;
    private final PatroniBackups backups;
    private final Map<String, NodeTally> tallies = new ConcurrentHashMap<>();

    PatroniCluster(ClusterDescriptor descriptor) {
        this(descriptor, new PatroniFiles(descriptor.directory()));
    }

    private PatroniCluster(ClusterDescriptor descriptor, PatroniFiles files) {
        super(
                descriptor,
                files,
                Members.numbered(
                        descriptor.directory(),
                        Integer.parseInt(descriptor.engineState().get("nodes"))),
                List.of(PatroniFiles.ETCD));
        this.files = files;
        Map<String, String> state = descriptor.requireState("home", "nodes", "user", "rest", "etcd");
        this.home = new PatroniHome(Path.of(state.get("home")));
        this.user = RunAs.of(state.get("user"));
        this.etcdCommand = PatroniConfig.etcd(home, files, state.get("etcd"));
        List<String> nodes = Members.numbered(Integer.parseInt(state.get("nodes")));
        List<String> addresses = List.of(state.get("rest").split(","));
        this.rest = new LinkedHashMap<>();
        for (int i = 0; i < nodes.size(); i++) {
            rest.put(nodes.get(i), addresses.get(i));
        }
        this.orders = new PatroniOrders(rest, files);
        this.watch = new PatroniWatch(rest, files, this::process);
        Installations installed = new Installations(descriptor.directory(), home.root());
        this.upgrade = new PatroniUpgrade(installed, files, this::memberIds, this::process, this::server);
        this.backups = new PatroniBackups(upgrade::home, files, user, PatroniStore.of(state.get("etcd")));
    }

    @Override
    protected PatroniWatch watch() {
        return watch;
    }

    private static boolean isEtcd(String node) {
        return node.equals(PatroniFiles.ETCD);
    }

    // --- Processes

    private Optional<OsProcess> process(String node, Part part) {
        return isEtcd(node)
                ? part == Part.SERVER ? process(node) : Optional.empty()
                : part == Part.PATRONI ? process(node) : server(node);
    }

    private Optional<OsProcess> server(String node) {
        return isEtcd(node) ? Optional.empty() : PidFile.running(files.server(node));
    }

    /** Patroni first: it would start its server again. */
    @Override
    protected List<OsProcess> processes(String node) {
        return Stream.concat(process(node).stream(), processes(node, POSTGRES).stream())
                .toList();
    }

    @Override
    protected List<String> parts() {
        return List.of(PATRONI, POSTGRES);
    }

    @Override
    protected List<OsProcess> processes(String node, String part) {
        return part.equals(PATRONI)
                ? process(node).stream().toList()
                : server(node).stream()
                        .flatMap(server -> Stream.concat(Stream.of(server), server.children().stream()))
                        .toList();
    }

    /** Patroni's and the server's trees, with those that have ended: a backend lives as long as its client's connection. */
    @Override
    protected Optional<NodeUse> use(String node) {
        return isEtcd(node)
                ? super.use(node)
                : tallies.computeIfAbsent(node, each -> new NodeTally())
                        .add(Stream.of(process(node), server(node))
                                .flatMap(Optional::stream)
                                .flatMap(process -> ProcFs.useOfTree(process.pid()).stream())
                                .toList());
    }

    @Override
    public Map<String, NodeUse> use() {
        Map<String, NodeUse> use = super.use();
        PgBouncer.of(descriptor()).flatMap(PgBouncer::use).ifPresent(used -> use.put(PgBouncer.NAME, used));
        return use;
    }

    /** Patroni starts its server by a helper in a session of its own, and a script of ours becomes the server. */
    @Override
    protected List<OsProcess> starting(String node) {
        if (isEtcd(node)) {
            return List.of();
        }
        String server = " -D " + files.data(node) + " ";
        return DirectoryUsers.running(files.home(node)).stream()
                .filter(user -> user.runsOneOf(Set.of("python3"))
                                && !user.commandLine().contains("patronictl") // an operator's, which starts nothing
                        || user.runsOneOf(Set.of("sh", "postgres"))
                                && user.commandLine().contains(server))
                .toList();
    }

    /** With whatever Patroni has started to copy data. */
    @Override
    protected void send(OsProcess process, String signal) {
        if (process.leadsGroup()) {
            process.signalGroup(signal);
        } else {
            process.signal(signal);
        }
    }

    @Override
    protected void sendKill(OsProcess process) {
        send(process, "KILL");
    }

    @Override
    protected List<String> command(String node, boolean empty) throws IOException {
        if (!isEtcd(node)) {
            FormerServer.awaitCollected(node, files.server(node));
        }
        // A first or initial start has made it anew, with our rights. What the servers' user has there we do not
        // change: it could be a link.
        if (empty) {
            Files.deleteIfExists(files.data(node));
        }
        Files.createDirectories(
                files.data(node), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        user.own(files.data(node));
        List<String> command = new ArrayList<>();
        if (isEtcd(node)) {
            command.addAll(IsolatedNetwork.FEATURE.enter(directory(), node));
            command.addAll(user.prefix());
            command.addAll(etcdCommand);
            return command;
        }
        command.addAll(user.prefix());
        command.addAll(List.of(
                PatroniHome.PYTHON.toString(),
                "-s",
                "-m",
                "patroni",
                files.configuration(node).toString()));
        return command;
    }

    @Override
    protected boolean reported(String node, Process launched) {
        return watch.reported(h -> h.launched(node));
    }

    @Override
    protected List<String> programs(String node) {
        return List.of(isEtcd(node) ? "etcd" : "python3");
    }

    @Override
    protected void environment(String node, Map<String, String> environment) {
        // Our own settings only, whatever the user keeps for other servers.
        environment.keySet().removeIf(name -> name.matches("(PG|PATRONI_|ETCD|PYTHON).*"));
        environment.putAll((isEtcd(node) ? home : upgrade.home(node)).environment(environment));
        environment.put("TZ", "UTC0");
        environment.put("LC_ALL", "C.UTF-8");
        environment.put("HOME", files.home(node).toString());
    }

    @Override
    protected Path workingDirectory(String node) {
        return files.home(node);
    }

    @Override
    protected void requestStop(String node, OsProcess process, Mode mode) {
        if (mode == Mode.ABORT) {
            sendKill(process);
            server(node).ifPresent(server -> server.signal("QUIT"));
        } else {
            process.signal("TERM"); // Patroni shuts its server down, and gives the leader's key back
        }
    }

    /** A server whose Patroni was killed is stopped by itself. */
    @Override
    public void stop(String node, Mode mode, Duration bound) {
        Optional<OsProcess> orphan = process(node).isEmpty() ? server(node) : Optional.empty();
        if (orphan.isPresent()) {
            exclusively(node, () -> {
                orphan.get().signal(mode == Mode.ABORT ? "QUIT" : "INT");
                NodeLocks.await(
                        bound,
                        () -> !orphan.get().alive(),
                        () -> "PostgreSQL of " + node + " did not stop within " + bound.toSeconds() + " s"
                                + lastWords(node));
            });
        }
        super.stop(node, mode, bound);
    }

    // --- State

    @Override
    protected String downDetail(String node) {
        return server(node)
                .map(server -> "Patroni has no process; PostgreSQL, process " + server.pid() + ", goes on without it")
                .orElseGet(() -> super.downDetail(node));
    }

    @Override
    protected NodeStatus status(String node, OsProcess process) {
        Life life = watch.ask(h -> h.life(node));
        if (isEtcd(node)) {
            return status(
                    node,
                    life == Life.RECOVERED ? State.STARTED : State.STARTING,
                    life == Life.RECOVERED ? "holds the leader's key" : "no primary has renewed its key yet",
                    process);
        }
        String role = watch.ask(h -> h.role(node));
        return switch (life) {
            case RECOVERED -> status(node, State.STARTED, role, process);
            case OUT -> status(node, State.STARTING, "out: the cluster goes on without it", process);
            default -> status(node, State.STARTING, "recovering; " + role, process);
        };
    }

    @Override
    public void checkInitial(String node) {
        if (isEtcd(node)) {
            throw new NodeControlException(
                    node + " has nothing that could be copied from others: without what it holds the"
                            + " nodes would make a new cluster. Start it with what it has");
        }
        Initialisable.requireCopy(
                node,
                memberIds().stream().anyMatch(other -> !other.equals(node) && watch.ask(h -> h.recovered(other))));
    }

    @Override
    protected Optional<Boolean> seenByOthers(String node) {
        return watch.ask(h -> h.coordinator().map(primary -> h.recovered(node)));
    }

    @Override
    public List<NodeStatus> proxies() {
        return Stream.concat(PgBouncer.of(descriptor()).map(PgBouncer::status).stream(), super.proxies().stream())
                .toList();
    }

    @Override
    public List<String> synchronous() {
        return watch.ask(PatroniHistory::synchronous);
    }

    /** Until commits wait for a replica, which is up to a loop_wait after it streams. */
    void awaitSynchronous(Duration bound) {
        NodeLocks.await(
                bound,
                () -> !synchronous().isEmpty(),
                () -> "Patroni has named no synchronous replica after " + bound.toSeconds() + " s");
    }

    // --- Operations

    @Override
    protected List<Object> others() {
        return List.of(upgrade, backups);
    }

    @Override
    public void switchOver(String node) {
        if (!primary().equals(Optional.of(node))) {
            throw new NodeControlException(node + " is not primary, so nobody can take over from it; primary is "
                    + primary().orElse("nobody"));
        }
        orders.give(node, "switchover", "leader");
    }

    @Override
    public void failOver(String node) {
        if (primary().equals(Optional.of(node))) {
            throw new NodeControlException(node + " is primary already");
        }
        orders.give(node, "failover", "candidate");
    }
}

package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.Reconfigurable;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Upgradable;
import io.ycsbdrill.fault.node.galera.ClusterHistory.Life;
import io.ycsbdrill.fault.node.galera.GaleraPrograms.Begin;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.kit.Installations;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.kit.Reconfiguration;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.Teardown;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/** Controls a local cluster through its processes, files and signals; what the servers log is read by a {@link ClusterWatch}. */
final class GaleraCluster extends ProcessCluster<ClusterHistory> implements Backupable, Reconfigurable, Upgradable {
    /** What {@link GaleraConfig} gives a node so that it finds its files and the others, in canonical form. */
    private static final Set<String> OURS = Set.of(
            "user",
            "basedir",
            "datadir",
            "plugin_dir",
            "lc_messages_dir",
            "character_sets_dir",
            "tmpdir",
            "socket",
            "pid_file",
            "log_error",
            "bind_address",
            "port",
            "wsrep_on",
            "wsrep_provider",
            "wsrep_provider_options",
            "wsrep_cluster_name",
            "wsrep_cluster_address",
            "wsrep_node_name",
            "wsrep_node_address",
            "wsrep_node_incoming_address",
            "wsrep_sst_method",
            "wsrep_sst_receive_address",
            "wsrep_status_file");

    /** The others need some 3 s to declare a node dead; on a busy machine more. */
    private static final Duration FAILURE_BOUND = Duration.ofSeconds(15);

    private final ClusterDescriptor descriptor;
    private final GaleraPrograms programs;
    private final GaleraFiles files;
    private final Process watchdog;
    private final ClusterWatch watch;
    private final Reconfiguration reconfiguration = new Reconfiguration(this::process);
    private volatile String backup = "";

    /** @param watchdog ends the processes with this one; null when they outlive it, or another process holds it */
    private GaleraCluster(ClusterDescriptor descriptor, GaleraPrograms programs, GaleraFiles files, Process watchdog) {
        super(members(descriptor));
        this.descriptor = descriptor;
        this.programs = programs;
        this.files = files;
        this.watchdog = watchdog;
        this.watch = new ClusterWatch(ids(), files, this::process);
    }

    /** Watches from now on; earlier events count for the nodes' state, but are not reported again. */
    static GaleraCluster open(
            ClusterDescriptor descriptor, GaleraPrograms programs, GaleraFiles files, Process watchdog) {
        GaleraCluster cluster = new GaleraCluster(descriptor, programs, files, watchdog);
        cluster.watch.start();
        return cluster;
    }

    static GaleraCluster attach(ClusterDescriptor descriptor) {
        Map<String, String> state = descriptor.requireState("home", "nodes");
        GaleraFiles files = new GaleraFiles(descriptor.directory());
        if (!Files.isRegularFile(files.script())) {
            throw new NodeControlException("no Galera cluster is left in " + descriptor.directory());
        }
        GaleraPrograms programs =
                new GaleraPrograms(new GaleraHome(Path.of(state.get("home"))), files, members(descriptor));
        return open(descriptor, programs, files, null);
    }

    private static Members members(ClusterDescriptor descriptor) {
        return new Members(
                descriptor.directory(),
                nodeIds(Integer.parseInt(descriptor.engineState().get("nodes"))));
    }

    static String nodeId(int number) {
        return "node" + number;
    }

    static List<String> nodeIds(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(GaleraCluster::nodeId).toList();
    }

    @Override
    public Optional<String> backupLacks() {
        return programs.canBackUp()
                ? Optional.empty()
                : Optional.of("a backup of Galera needs the program mariadb-backup of the installation, of the package"
                        + " mariadb-backup; bin/install-galera fetches it, too");
    }

    @Override
    public boolean canBackUp(String node) {
        return programs.canBackUp(node);
    }

    @Override
    public void backUp(String node) {
        backup = "";
        Path to = programs.backUp(node);
        backup = "backup of " + node + " is complete, in " + to;
    }

    @Override
    public Sight lookForBackup() {
        return new Sight(!backup.isEmpty(), backup.isEmpty() ? "no backup is complete" : backup);
    }

    @Override
    public String engine() {
        return GaleraEngine.NAME;
    }

    @Override
    public String engineVersion() {
        String logged = super.engineVersion();
        return logged.equals("unknown") ? descriptor.engineVersion() : logged;
    }

    @Override
    public ClusterDescriptor descriptor() {
        return descriptor.withEngineVersion(engineVersion());
    }

    @Override
    public Map<String, NodeUse> use() {
        Map<String, NodeUse> use = super.use();
        Haproxy.of(descriptor()).flatMap(Haproxy::use).ifPresent(used -> use.put(Haproxy.NAME, used));
        return use;
    }

    @Override
    public List<NodeStatus> proxies() {
        return Haproxy.of(descriptor).map(Haproxy::status).stream().toList();
    }

    @Override
    public void down() {
        close();
        Teardown.run(files.directory(), watchdog);
    }

    @Override
    protected ClusterWatch watch() {
        return watch;
    }

    @Override
    protected Path pidFile(String node) {
        return files.pid(node);
    }

    @Override
    protected Process launch(String node, boolean empty) {
        return programs.start(node, empty ? Begin.INITIAL : Begin.AGAIN);
    }

    /** A node that waits for the positions of the others has logged nothing yet. */
    @Override
    protected boolean reported(String node, Process launched) {
        return watch.reported(h -> h.running(node) && h.life(node) != Life.DOWN) || Files.exists(files.position(node));
    }

    @Override
    protected void requestStop(String node, OsProcess process, Mode mode) {
        if (!programs.serves(node)) {
            process.signalGroup("TERM"); // still recovering, or waiting for the others
        } else if (mode == Mode.ABORT) {
            programs.abort(node);
        } else {
            process.signal("TERM");
        }
    }

    @Override
    protected Optional<Boolean> seenByOthers(String node) {
        return watch.ask(h -> h.seenByOthers(node));
    }

    @Override
    public List<String> refusals(Map<String, String> settings) {
        return Reconfiguration.refusals(
                settings,
                OURS,
                () -> {
                    Map<String, Map<String, String>> reported = new LinkedHashMap<>();
                    memberIds().forEach(node -> reported.put(node, programs.variables(node, settings.keySet())));
                    return reported;
                },
                "SHOW GLOBAL VARIABLES lists them");
    }

    @Override
    public Runnable configure(String node, Map<String, String> settings) {
        reconfiguration.begin(node);
        return change(node, settings);
    }

    private Runnable change(String node, Map<String, String> settings) {
        try {
            String former = Files.readString(files.options(node));
            AtomicFile.writePrivate(
                    files.options(node),
                    Reconfiguration.changed(former, GaleraConfig.SECTION, settings)
                            .getBytes(StandardCharsets.UTF_8));
            return () -> restore(node, former);
        } catch (IOException e) {
            throw new NodeControlException("options of " + node + " cannot be changed: " + e, e);
        }
    }

    @Override
    public List<String> refusals(Path home) {
        GaleraHome next = new GaleraHome(home);
        List<String> missing = next.missing();
        String present = memberIds().get(0);
        return programs.installations()
                .refusals(
                        home,
                        missing,
                        missing.isEmpty() ? next.number() : Optional.empty(),
                        new GaleraHome(programs.installations().of(present)).number(),
                        memberIds());
    }

    @Override
    public Runnable install(String node, Path home) {
        programs.installations().requireOther(node, home);
        Runnable options = change(node, GaleraConfig.installation(new GaleraHome(home)));
        Runnable installation = programs.installations().set(node, home);
        return () -> {
            installation.run();
            options.run();
        };
    }

    @Override
    public Sight lookForInstallation(String node, Path home) {
        return Installations.look(node, process(node), home);
    }

    private void restore(String node, String options) {
        try {
            AtomicFile.writePrivate(files.options(node), options.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new NodeControlException("options of " + node + " cannot be put back: " + e, e);
        }
    }

    @Override
    public Sight look(String node, Map<String, String> settings) {
        return reconfiguration.look(node, settings, () -> programs.variables(node, settings.keySet()));
    }

    /** With whatever it started to copy data. */
    @Override
    protected void sendKill(OsProcess process) {
        process.signalGroup("KILL");
    }

    /**
     * The past for returning nodes, which a node that cannot use it copies; and which prepared transactions are to be committed,
     * where more than was synced concerns only such as nobody was told of.
     */
    @Override
    protected Set<String> mapped() {
        return Set.of("galera.cache", "tc.log");
    }

    @Override
    protected void checkInitial(String node) {
        if (ids().stream().noneMatch(other -> !other.equals(node) && programs.serves(other))) {
            throw new NodeControlException("no other node is running from which " + node
                    + " could copy the data; its files are kept. Start the others first");
        }
    }

    @Override
    protected NodeStatus status(String node, OsProcess process) {
        if (!programs.serves(node)) {
            String detail = Files.exists(files.position(node))
                    ? "has its position; waiting for the positions of " + silent(node)
                    : "recovering its data";
            return status(node, State.STARTING, detail, process);
        }
        Optional<StatusFile> shown = StatusFile.read(files.status(node));
        String state = shown.map(StatusFile::state).orElse("");
        String detail = shown.map(s -> s.state() + ", " + s.comment()).orElse("no status yet");
        if (watch.ask(h -> h.expelled(node))) {
            return status(node, State.EXPELLED, detail, process);
        }
        if (state.startsWith("DISCONNECTING") || watch.ask(h -> h.life(node)) == Life.LEAVING) {
            return status(node, State.STOPPING, detail, process);
        }
        boolean recovered = shown.filter(StatusFile::recovered).isPresent() && !watch.ask(h -> h.dropped(node));
        return status(node, recovered ? State.STARTED : State.STARTING, detail, process);
    }

    /** The other nodes without a position. */
    private String silent(String node) {
        List<String> silent = memberIds().stream()
                .filter(other -> !other.equals(node) && !Files.exists(files.position(other)))
                .toList();
        return silent.isEmpty()
                ? "none; one of the nodes is about to bootstrap the cluster"
                : String.join(", ", silent);
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

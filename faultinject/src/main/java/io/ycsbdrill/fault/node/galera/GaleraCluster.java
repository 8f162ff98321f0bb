package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Reconfigurable;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Upgradable;
import io.ycsbdrill.fault.node.galera.ClusterHistory.Life;
import io.ycsbdrill.fault.node.kit.ClusterPlan;
import io.ycsbdrill.fault.node.kit.Installations;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.kit.Reconfiguration;
import io.ycsbdrill.fault.node.kit.Restoring;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
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
import java.util.stream.Collectors;

/** Controls a local cluster through its processes, files and signals; what the servers log is read by a {@link ClusterWatch}. */
final class GaleraCluster extends ProcessCluster<ClusterHistory> implements Restoring, Reconfigurable, Upgradable {
    /** @param by the installation of its node then */
    private record Made(Backup backup, Path by) {}

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

    private static final Duration NODE_BOUND = Duration.ofMinutes(3);

    private final GaleraPrograms programs;
    private final GaleraFiles files;
    private final ClusterWatch watch;
    private final Reconfiguration reconfiguration = new Reconfiguration(this::process);
    private volatile Optional<Made> made = Optional.empty();

    private GaleraCluster(ClusterDescriptor descriptor, GaleraFiles files, Members members, GaleraPrograms programs) {
        super(descriptor, files, members);
        this.programs = programs;
        this.files = files;
        this.watch = new ClusterWatch(ids(), files, this::process);
    }

    static GaleraCluster open(ClusterDescriptor descriptor) {
        Map<String, String> state = descriptor.requireState("home", "nodes");
        GaleraFiles files = new GaleraFiles(descriptor.directory());
        if (!Files.isRegularFile(files.script())) {
            throw new NodeControlException("no Galera cluster is left in " + descriptor.directory());
        }
        Members members = Members.numbered(descriptor.directory(), Integer.parseInt(state.get("nodes")));
        GaleraHome home = new GaleraHome(Path.of(state.get("home")));
        return new GaleraCluster(descriptor, files, members, new GaleraPrograms(home, files, members));
    }

    /** The members of a new cluster, one after the other, as each copies what the first has. */
    void bringUp(ClusterPlan<GaleraOptions> plan) throws IOException {
        plan.progress().accept("creating the data directory of the first node");
        String first = memberIds().get(0);
        Path accounts = Files.writeString(
                directory().resolve("accounts.sql"), GaleraConfig.accounts(IsolatedNetwork.clientAddress(directory())));
        programs.install(first, accounts, plan.asRoot());
        for (String node : memberIds()) {
            launch(node, true);
            awaitStarted(node, NODE_BOUND);
            plan.progress()
                    .accept(node + " is synced" + (node.equals(first) ? "" : " with a full copy of the data") + ", on "
                            + plan.address(node) + ":" + plan.port(node, GaleraConfig.SQL));
        }
    }

    /** The script becomes the server. A node that is new and has data is the first one, for which they were just made. */
    @Override
    protected List<String> command(String node, boolean empty) throws IOException {
        Files.deleteIfExists(files.position(node));
        String numbers = memberIds().stream().map(this::number).collect(Collectors.joining(" "));
        String mode = !empty ? "again" : Files.isDirectory(files.data(node).resolve("mysql")) ? "first" : "initial";
        return List.of("sh", files.script().toString(), directory().toString(), number(node), numbers, mode);
    }

    private String number(String node) {
        return Integer.toString(ids().indexOf(node) + 1);
    }

    @Override
    protected List<String> programs(String node) {
        return List.of("mariadbd");
    }

    @Override
    protected void environment(String node, Map<String, String> environment) {
        programs.setEnvironment(node, environment);
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
        made = Optional.empty();
        Path by = programs.installations().of(node);
        made = Optional.of(new Made(new Backup(node, programs.backUp(node)), by));
    }

    @Override
    public Optional<Backup> lastBackup() {
        return made.map(Made::backup).filter(last -> programs.isComplete(last.path()));
    }

    @Override
    public void checkPutBack(Backup from) {
        Path by = made.filter(last -> last.backup().equals(from))
                .map(Made::by)
                .orElseThrow(() -> new NodeControlException(from.path() + " is not the last backup any more"));
        Path now = programs.installations().of(from.node());
        if (!by.equals(now)) {
            throw new NodeControlException("the backup was made by " + by + ", and " + from.node() + " runs from " + now
                    + " now, whose mariadb-backup may not understand it; make a backup after the upgrade");
        }
        programs.checkPutBack(from.node());
    }

    @Override
    public boolean putBack(Backup from) {
        programs.putBack(from.node(), from.path());
        return true;
    }

    @Override
    protected ClusterWatch watch() {
        return watch;
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
        return NodeIo.get("options of " + node + " cannot be changed", () -> {
            String former = Files.readString(files.options(node));
            AtomicFile.writePrivate(
                    files.options(node),
                    Reconfiguration.changed(former, GaleraConfig.SECTION, settings)
                            .getBytes(StandardCharsets.UTF_8));
            return () -> restore(node, former);
        });
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
        NodeIo.run(
                "options of " + node + " cannot be put back",
                () -> AtomicFile.writePrivate(files.options(node), options.getBytes(StandardCharsets.UTF_8)));
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
    public Set<String> mapped() {
        return Set.of("galera.cache", "tc.log");
    }

    @Override
    public void checkInitial(String node) {
        Initialisable.requireCopy(this, node);
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

    /** A server that gives up ends its log with dozens of lines on how it stops; the reason is before them. */
    @Override
    protected String lastWords(String node) {
        List<String> errors = LogTail.last(log(node), 5, "[ERROR]");
        return (errors.isEmpty() ? "" : "; errors: \"" + String.join("\n", errors) + "\"") + super.lastWords(node);
    }
}

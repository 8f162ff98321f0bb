package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.base.AtomicFile;
import io.ycsbdrill.base.Counted;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.NanoClock;
import io.ycsbdrill.base.OwnedDirectory;
import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.embedded.ClusterHistory.Life;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.NodeSandbox;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.os.Directories;
import io.ycsbdrill.fault.node.os.DirectoryUsers;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Controls an embedded cluster through its files and signals; what the nodes report is read by a {@link ClusterWatch}. */
final class EmbeddedCluster extends ProcessCluster<ClusterHistory> implements Backupable {
    private static final Duration UP_BOUND = Duration.ofSeconds(180);
    /** However long it takes: the step that it belongs to has a bound of its own. */
    private static final Duration BACKUP_BOUND = Duration.ofHours(24);

    private static final Duration FORGET_BOUND = Duration.ofHours(24);

    private final Path directory;
    private final ClusterSettings settings;
    private final EmbeddedFiles files;
    private final ClusterWatch watch;
    private final DroppedNodes droppedNodes = new DroppedNodes(NanoClock.SYSTEM);
    /** The name of the last backup that was asked for; empty before it. */
    private volatile String backup = "";

    private EmbeddedCluster(EmbeddedFiles files, ClusterSettings settings, Members members) {
        super(EmbeddedDescriptor.of(files.directory(), settings, members.members(), "unknown"), files, members);
        this.directory = files.directory();
        this.settings = settings;
        this.files = files;
        Map<String, NodeFiles> watched = new LinkedHashMap<>();
        ids().forEach(id -> watched.put(id, files.node(id)));
        watch = new ClusterWatch(watched, (id, pid) -> new OsProcess(pid).runs(settings.mark(id)));
    }

    static Members members(Path directory, ClusterSettings settings) {
        return new Members(directory, settings.nodeIds());
    }

    /** Watches from now on; earlier events count for the nodes' state, but are not reported again. */
    static EmbeddedCluster open(Path directory, ClusterSettings settings) {
        EmbeddedCluster cluster =
                new EmbeddedCluster(new EmbeddedFiles(directory), settings, members(directory, settings));
        cluster.begin();
        return cluster;
    }

    /** Starts all nodes, activates the cluster, and returns when all of them are recovered. */
    void bringUp(Consumer<String> progress) {
        long begin = System.nanoTime();
        Map<String, Process> processes = new LinkedHashMap<>();
        List<String> nodes = memberIds();
        nodes.forEach(id -> processes.put(id, launch(id, true)));
        awaitAll(processes, "has not joined the cluster", id -> watch.ask(h -> h.member(id)));
        progress.accept("all nodes joined after " + seconds(begin));
        command(nodes.get(0), processes.get(nodes.get(0)).pid(), "activate");
        awaitAll(processes, "has not recovered", id -> watch.ask(h -> h.recovered(id)));
        progress.accept("cluster active after " + seconds(begin) + ": Apache Ignite " + engineVersion() + ", "
                + Counted.of(nodes.size(), "node") + ", " + Counted.of(settings.backups(), "backup"));
    }

    private void awaitAll(Map<String, Process> processes, String complaint, Predicate<String> condition) {
        processes
                .keySet()
                .forEach(id -> NodeLocks.await(
                        UP_BOUND,
                        () -> {
                            processes.forEach((each, p) -> {
                                if (!p.isAlive()) {
                                    throw new NodeControlException(each + " ended with exit status " + p.exitValue()
                                            + " while the cluster was starting" + lastWords(each));
                                }
                            });
                            return condition.test(id);
                        },
                        () -> id + " " + complaint + " within " + UP_BOUND.toSeconds() + " s" + lastWords(id)));
    }

    /** Ends whatever runs and stops watching; the files stay. An interrupt does not cut it short; it is kept for afterwards. */
    void abandon() {
        boolean interrupted = Thread.interrupted();
        try {
            ids().forEach(this::end);
            NodeSandbox.end(directory);
        } finally {
            close();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Its bindings reach the members of the moment. */
    @Override
    public ClusterDescriptor descriptor() {
        return EmbeddedDescriptor.of(directory, settings, memberIds(), engineVersion());
    }

    @Override
    public void down() {
        OwnedDirectory owned = Directories.owned(directory);
        abandon();
        DirectoryUsers.requireNoServer(directory, user -> user.runs(settings.marker()));
        NodeIo.run("directory " + directory + " cannot be removed", () -> owned.delete());
    }

    @Override
    protected ClusterWatch watch() {
        return watch;
    }

    @Override
    protected List<String> command(String node, boolean empty) throws IOException {
        Files.createDirectories(files.data(node));
        Files.deleteIfExists(files.node(node).command());
        return NodeLauncher.command(directory, settings, files.node(node), ids().indexOf(node));
    }

    @Override
    protected List<String> programs(String node) {
        return List.of("java");
    }

    @Override
    protected void environment(String node, Map<String, String> environment) {
        environment.remove("JAVA_TOOL_OPTIONS");
    }

    @Override
    protected Path workingDirectory(String node) {
        return files.node(node).home();
    }

    @Override
    protected boolean reported(String node, Process launched) {
        return watch.ask(h -> h.pid(node)).filter(pid -> pid == launched.pid()).isPresent();
    }

    @Override
    protected void requestStop(String node, OsProcess process, Mode mode) {
        command(node, process.pid(), mode == Mode.GRACEFUL ? "stop" : "halt");
    }

    private void command(String node, long pid, String word) {
        NodeIo.run(
                "command " + word + " cannot be sent to " + node,
                () -> AtomicFile.write(files.node(node).command(), pid + " " + word));
    }

    @Override
    public void backUp(String node) {
        OsProcess process = process(node)
                .orElseThrow(() -> new NodeControlException(node + " has no process that could make a backup"));
        String name = "drill" + System.nanoTime();
        backup = name;
        command(node, process.pid(), NodeMain.BACKUP + name);
        NodeLocks.await(
                BACKUP_BOUND,
                () -> !process.alive()
                        || told(name)
                                .map(text -> !text.endsWith(NodeMain.BEGUN))
                                .orElse(false),
                () -> "the backup was not complete within " + BACKUP_BOUND.toHours() + " h");
        String end = told(name).orElse("");
        if (!end.endsWith(NodeMain.COMPLETE)) {
            throw new NodeControlException(
                    end.isEmpty() || end.endsWith(NodeMain.BEGUN) ? node + " went down while it made a backup" : end);
        }
    }

    @Override
    public Sight lookForBackup() {
        Optional<String> told = backup.isEmpty() ? Optional.empty() : told(backup);
        return new Sight(told.isPresent(), told.orElse("no backup was begun"));
    }

    /** What a node has said of the backup last. */
    private Optional<String> told(String name) {
        return Optional.of(watch.ask(ClusterHistory::backup)).filter(text -> text.startsWith("backup " + name));
    }

    @Override
    protected Optional<String> removalLacks() {
        return settings.backups() > 0
                ? Optional.empty()
                : Optional.of("each node has rows of which there is no other copy (--backups 0), and Ignite lets only"
                        + " nodes go that are down; start a cluster with a backup");
    }

    /** A survivor takes it out of the baseline; the copies that it had are made again among the others. */
    @Override
    protected void forget(String node) {
        String by = memberIds().stream()
                .filter(other -> !other.equals(node) && watch.ask(h -> h.recovered(other)))
                .findFirst()
                .orElseThrow(() -> new NodeControlException("no other node is up that could let " + node + " go"));
        OsProcess process =
                process(by).orElseThrow(() -> new NodeControlException(by + " went down while " + node + " left"));
        int before = watch.ask(h -> h.forgetting(by)).size();
        command(by, process.pid(), NodeMain.FORGET + node);
        NodeLocks.await(
                FORGET_BOUND,
                () -> {
                    if (!process.alive()) {
                        throw new NodeControlException(by + " went down while " + node + " left" + lastWords(by));
                    }
                    return watch.ask(h -> h.forgetting(by)).size() > before;
                },
                () -> "the copies that " + node + " had are not made again after " + FORGET_BOUND.toHours() + " h");
        String said = watch.ask(h -> h.forgetting(by)).get(before);
        if (!said.endsWith(NodeMain.COMPLETE)) {
            throw new NodeControlException(by + ": " + said);
        }
    }

    @Override
    protected Optional<Boolean> seenByOthers(String node) {
        return watch.ask(h -> h.inBaselineOfOthers(node));
    }

    /** A dropped node would drop the others in turn and serve writes beside them, two clusters of the same data: it is ended. */
    @Override
    protected void resume(String node, List<OsProcess> stopped) {
        if (watch.ask(h -> h.dropped(node))) {
            watch.note(
                    node,
                    "process",
                    "SIGKILL instead of SIGCONT: the others have dropped the node, and resumed it could serve writes beside them");
            end(node);
        } else {
            super.resume(node, stopped);
        }
    }

    /** As after a pause: nothing that was written on the other side of a cut may come back beside what the others have. */
    @Override
    public void beforeMending(String node) {
        if (watch.ask(h -> h.dropped(node))) {
            process(node).ifPresent(process -> {
                watch.note(
                        node,
                        "process",
                        "SIGKILL before its links are mended: the others have dropped the node, and it could serve writes"
                                + " beside them");
                end(node);
            });
        }
    }

    /**
     * A node that the others have dropped ends itself once it notices. One whose links were mended in the moment in which it was dropped
     * may never: it is ended here, and is to be started again.
     */
    @Override
    public void awaitStarted(String node, Duration bound) {
        if (!NodeLocks.holds(DroppedNodes.LEAVING, () -> !watch.ask(h -> h.dropped(node)))) {
            process(node).filter(process -> !process.stopped()).ifPresent(process -> {
                watch.note(
                        node,
                        "process",
                        "SIGKILL: the others have dropped the node, and it has not ended within "
                                + DroppedNodes.LEAVING.toSeconds() + " s");
                end(node);
            });
        }
        super.awaitStarted(node, bound);
    }

    /** The only node of a cluster may be emptied: nobody expects a copy. */
    @Override
    public void checkInitial(String node) {
        if (memberIds().size() > 1) {
            Initialisable.requireCopy(this, node);
        }
    }

    @Override
    protected NodeStatus status(String node, OsProcess process) {
        if (watch.ask(h -> h.dropped(node))) {
            return droppedNodes.overstays(process.pid())
                    ? status(node, State.EXPELLED, "dropped by the others, and has not shut itself down", process)
                    : status(node, State.STOPPING, "dropped by the others; will shut itself down", process);
        }
        boolean reported =
                watch.ask(h -> h.pid(node)).filter(pid -> pid == process.pid()).isPresent();
        Life life = reported ? watch.ask(h -> h.life(node)) : Life.STARTING;
        return switch (life) {
            case RECOVERED -> status(node, State.STARTED, "owns its partitions", process);
            case STOPPING -> status(node, State.STOPPING, "orderly stop", process);
            default -> status(node, State.STARTING, "recovering", process);
        };
    }

    @Override
    protected String downDetail(String node) {
        return settings.bootId().equals(ProcFs.bootId())
                ? "no process"
                : "no process; the machine has been restarted since";
    }

    @Override
    protected Duration failureBound() {
        return Duration.ofMillis(3L * settings.failureDetectionMillis());
    }

    @Override
    protected String lastWords(String node) {
        return LastWords.of(files.node(node));
    }

    private static String seconds(long sinceNanos) {
        return Formatted.of("%.1f s", (System.nanoTime() - sinceNanos) / 1e9);
    }
}

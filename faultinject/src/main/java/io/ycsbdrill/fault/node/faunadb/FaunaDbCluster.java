package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Controls a local cluster through its processes, signals and administration ports. */
final class FaunaDbCluster extends ProcessCluster<ClusterHistory> {
    /** The others find a node unreachable after some 10 s of silence; on a busy machine it takes longer. */
    private static final Duration FAILURE_BOUND = Duration.ofSeconds(40);

    private static final Duration ANSWER_BOUND = Duration.ofSeconds(120);

    private static final Duration UP_BOUND = Duration.ofMinutes(4);
    private static final String DATABASE = "ycsb";

    private final FaunaDbSettings settings;
    private final FaunaDbFiles files;
    private final FaunaDbAdmin admin;
    private final ClusterWatch watch;

    private FaunaDbCluster(ClusterDescriptor descriptor, FaunaDbSettings settings, FaunaDbFiles files, String rootKey) {
        super(descriptor, files, Members.numbered(descriptor.directory(), settings.nodes()));
        this.settings = settings;
        this.files = files;
        this.admin = new FaunaDbAdmin(settings, rootKey);
        this.watch = new ClusterWatch(settings, descriptor.engineVersion(), files, rootKey, this::process);
    }

    static FaunaDbCluster open(ClusterDescriptor descriptor) {
        FaunaDbFiles files = new FaunaDbFiles(descriptor.directory());
        Path key = files.rootKey();
        String root = NodeIo.get(
                "no FaunaDB cluster is left in " + descriptor.directory() + ": " + key + " cannot be read",
                () -> Files.readString(key));
        return new FaunaDbCluster(descriptor, FaunaDbSettings.of(descriptor), files, root.strip());
    }

    /** Several replicas can be made only when the first node takes writes. */
    void bringUp(Consumer<String> progress) throws IOException {
        String first = ids().get(0);
        progress.accept(ids().size() + " nodes start together, in "
                + (settings.replicas() == 1 ? "one replica" : settings.replicas() + " replicas"));
        Map<String, Process> started = new LinkedHashMap<>();
        ids().forEach(node -> started.put(node, launch(node, false)));
        started.forEach(this::awaitAnswer);
        admin.init(first);
        if (settings.replicas() > 1) {
            NodeLocks.await(
                    UP_BOUND,
                    () -> admin.writable(first),
                    () -> first + " does not accept writes after " + UP_BOUND.toSeconds() + " s" + lastWords(first));
        }
        ids().stream().skip(1).forEach(node -> admin.join(node, first));
        if (settings.replicas() > 1) {
            admin.replicate(first);
        }
        for (String node : ids()) {
            awaitStarted(node, UP_BOUND);
            progress.accept(node + " takes writes on " + FaunaDbSettings.address(node) + ":" + settings.httpPort());
        }
        files.writeKey(files.clientKey(), admin.createKey(DATABASE));
    }

    @Override
    public List<NodeInfo> nodes() {
        return ids().stream()
                .map(id -> new NodeInfo(id, FaunaDbSettings.address(id), 0))
                .toList();
    }

    @Override
    protected boolean grows() {
        return false;
    }

    @Override
    protected ClusterWatch watch() {
        return watch;
    }

    @Override
    protected List<String> command(String node, boolean empty) throws IOException {
        Files.createDirectories(files.data(node));
        return settings.command(files, node);
    }

    @Override
    protected List<String> programs(String node) {
        return List.of("java");
    }

    @Override
    protected Path workingDirectory(String node) {
        return files.node(node);
    }

    @Override
    protected void environment(String node, Map<String, String> environment) {
        environment.keySet().removeAll(List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS"));
    }

    /** An empty node is a new one to the cluster: the one that it was leaves, and it joins with a replica of its own again. */
    @Override
    protected Process launch(String node, boolean empty) {
        if (!empty) {
            return super.launch(node, empty);
        }
        String other = otherThan(node).orElseThrow();
        admin.remove(node, other);
        Process process = super.launch(node, empty);
        awaitAnswer(node, process);
        admin.join(node, other);
        admin.replicate(other);
        return process;
    }

    /** Waits until a node that was started answers at its administration port. */
    private void awaitAnswer(String node, Process process) {
        NodeLocks.await(
                ANSWER_BOUND,
                () -> {
                    if (!process.isAlive()) {
                        throw new NodeControlException(
                                node + " ended with exit status " + process.exitValue() + lastWords(node));
                    }
                    return admin.answers(node);
                },
                () -> node + " does not answer " + ANSWER_BOUND.toSeconds() + " s after its start" + lastWords(node));
    }

    private Optional<String> otherThan(String node) {
        return ids().stream()
                .filter(other -> !other.equals(node) && watch.ask(h -> h.recovered(other)))
                .findFirst();
    }

    @Override
    public void checkInitial(String node) {
        if (settings.replicas() == 1) {
            throw new NodeControlException("the rows of " + node
                    + " are on no other node, as the cluster has one replica; a cluster with --replicas "
                    + settings.nodes()
                    + " can initialise a node");
        }
        Initialisable.requireCopy(node, otherThan(node).isPresent());
    }

    /** It knows one way only to stop. */
    @Override
    protected void requestStop(String node, OsProcess process, Mode mode) {
        process.signal(mode == Mode.ABORT ? "KILL" : "TERM");
    }

    @Override
    protected NodeStatus status(String node, OsProcess process) {
        return watch.ask(h -> h.recovered(node))
                ? status(node, State.STARTED, "takes writes", process)
                : status(node, State.STARTING, watch.ask(h -> h.lacks(node)), process);
    }

    @Override
    protected Duration failureBound() {
        return FAILURE_BOUND;
    }
}

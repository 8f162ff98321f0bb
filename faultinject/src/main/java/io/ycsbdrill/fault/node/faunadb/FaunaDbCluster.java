package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.kit.ProcessCluster;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.os.Teardown;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Controls a local cluster through its processes, signals and administration ports. */
final class FaunaDbCluster extends ProcessCluster<ClusterHistory> {
    /** The others find a node unreachable after some 10 s of silence; on a busy machine it takes longer. */
    private static final Duration FAILURE_BOUND = Duration.ofSeconds(40);

    private static final Duration ANSWER_BOUND = Duration.ofSeconds(120);

    private final ClusterDescriptor descriptor;
    private final FaunaDbSettings settings;
    private final FaunaDbFiles files;
    private final FaunaDbPrograms programs;
    private final FaunaDbAdmin admin;
    private final Process watchdog;
    private final ClusterWatch watch;

    private FaunaDbCluster(ClusterDescriptor descriptor, FaunaDbSettings settings, String rootKey, Process watchdog) {
        super(settings.names());
        this.descriptor = descriptor;
        this.settings = settings;
        this.files = new FaunaDbFiles(descriptor.directory());
        this.programs = new FaunaDbPrograms(settings, files);
        this.admin = new FaunaDbAdmin(settings, rootKey);
        this.watchdog = watchdog;
        this.watch = new ClusterWatch(settings, descriptor.engineVersion(), files, rootKey, programs::process);
    }

    /**
     * Watches from now on; earlier events count for the nodes' state, but are not reported again.
     *
     * @param watchdog ends the nodes with this process; null when they outlive it, or another process holds it
     */
    static FaunaDbCluster open(ClusterDescriptor descriptor, Process watchdog) {
        Path key = new FaunaDbFiles(descriptor.directory()).rootKey();
        try {
            FaunaDbCluster cluster = new FaunaDbCluster(
                    descriptor,
                    FaunaDbSettings.of(descriptor),
                    Files.readString(key).strip(),
                    watchdog);
            cluster.watch.start();
            return cluster;
        } catch (IOException e) {
            throw new NodeControlException(
                    "no FaunaDB cluster is left in " + descriptor.directory() + ": " + key + " cannot be read", e);
        }
    }

    @Override
    public String engine() {
        return FaunaDbEngine.NAME;
    }

    @Override
    public ClusterDescriptor descriptor() {
        return descriptor;
    }

    @Override
    public List<NodeInfo> nodes() {
        return ids().stream()
                .map(id -> new NodeInfo(id, FaunaDbSettings.address(id), 0))
                .toList();
    }

    @Override
    public void down() {
        close();
        Teardown.run(files.directory(), watchdog);
    }

    FaunaDbAdmin admin() {
        return admin;
    }

    @Override
    protected ClusterWatch watch() {
        return watch;
    }

    @Override
    protected Path pidFile(String node) {
        return files.pid(node);
    }

    /** An empty node is a new one to the cluster: the one that it was leaves, and it joins with a replica of its own again. */
    @Override
    protected Process launch(String node, boolean empty) {
        if (!empty) {
            return programs.start(node);
        }
        String other = otherThan(node).orElseThrow();
        admin.remove(node, other);
        Process process = programs.start(node);
        awaitAnswer(node, process);
        admin.join(node, other);
        admin.replicate(other);
        return process;
    }

    /** Waits until a node that was started answers at its administration port. */
    void awaitAnswer(String node, Process process) {
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
    protected void checkInitial(String node) {
        if (settings.replicas() == 1) {
            throw new NodeControlException("the rows of " + node
                    + " are on no other node, as the cluster has one replica; a cluster with --replicas "
                    + settings.nodes()
                    + " can initialise a node");
        }
        if (otherThan(node).isEmpty()) {
            throw new NodeControlException("no other node serves from which " + node
                    + " could copy the data; its files are kept. Start the others first");
        }
    }

    @Override
    protected boolean reported(String node, Process launched) {
        return watch.reported(history -> history.running(node));
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

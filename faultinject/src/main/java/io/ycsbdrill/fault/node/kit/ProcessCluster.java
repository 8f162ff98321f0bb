package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Composed;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeIo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeUse;
import io.ycsbdrill.fault.node.Restorable;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.os.FileDamage;
import io.ycsbdrill.fault.node.os.Launcher;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.SandboxFeature;
import io.ycsbdrill.fault.node.os.Starver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * A local cluster: an engine says what a node's command is, how it is asked to stop, what its state is and what its logs tell;
 * everything else is here. Beside its data nodes a cluster may have helpers, such as a store of its configuration: servers without
 * data, which are started, ended and paused in the same way, are hit by faults only when they are named, and have no sandbox.
 * Thread-safe.
 *
 * @param <H> what the watch knows of the nodes
 */
public abstract class ProcessCluster<H extends ProcessHistory> extends ProcessNodes<H>
        implements LocalCluster, LostNodes {
    private final ClusterDescriptor descriptor;
    private final ClusterFiles files;
    private final Members members;
    private final List<String> helpers;
    /** Made with the first question, as it is given this cluster, which must be whole by then. */
    private NodeSandbox sandbox;

    private Optional<Composed> singles = Optional.empty();
    private Optional<Expandable> expansion = Optional.empty();
    private Optional<Restoration> restoration = Optional.empty();
    /** Ends the processes with this one; null when they outlive it, or another process holds it. */
    private volatile Process watchdog;

    private volatile Set<SandboxFeature> without = Set.of();

    /** A cluster of data nodes only. */
    protected ProcessCluster(ClusterDescriptor descriptor, ClusterFiles files, Members members) {
        this(descriptor, files, members, List.of());
    }

    /** @param helpers ids of the servers that hold no data, in their order */
    protected ProcessCluster(ClusterDescriptor descriptor, ClusterFiles files, Members members, List<String> helpers) {
        super(Stream.concat(members.all().stream(), helpers.stream()).toList());
        this.descriptor = descriptor;
        this.files = files;
        this.members = members;
        this.helpers = List.copyOf(helpers);
    }

    private synchronized NodeSandbox sandbox() {
        if (sandbox == null) {
            sandbox = new NodeSandbox(this);
        }
        return sandbox;
    }

    @Override
    public final void note(String node, String text) {
        watch().note(node, "faults", text);
    }

    /** Watches from now on; earlier events count for the nodes' state, but are not reported again. */
    protected void begin() {
        watch().start();
    }

    /** Takes over what the engine says of its clusters; before anything is asked of this one. */
    final void follow(EngineRecipe<?, ?> recipe) {
        without = recipe.without();
    }

    /** The watchdog is this controller's to end with the cluster. */
    final void hold(Process process) {
        watchdog = process;
    }

    // --- What an engine says of its nodes

    /**
     * The command that is the node's process, or becomes it in place.
     *
     * @param empty whether the node has no data and copies everything from the others
     * @throws NodeControlException when the node cannot be started
     * @throws IOException when what it needs cannot be written
     */
    protected abstract List<String> command(String node, boolean empty) throws IOException;

    /** Names of the programs that the node's process becomes, by which it is known later: {@code mariadbd}, {@code java}. */
    protected abstract List<String> programs(String node);

    /** Changes the variables that the node's process inherits. */
    protected void environment(String node, Map<String, String> environment) {}

    /** Where the node's process is started. */
    protected Path workingDirectory(String node) {
        return directory();
    }

    /** Whether nodes can join and leave. */
    protected boolean grows() {
        return true;
    }

    /** Why no member can leave the cluster; empty when one can. */
    protected Optional<String> removalLacks() {
        return Optional.empty();
    }

    /** Returns when a node that has joined has the share of the data that it is to have; at once for an engine of full copies. */
    protected void settle(String node) {}

    /** What has capabilities of the cluster that it has not itself: its upgrades, its backups. */
    protected List<Object> others() {
        return List.of();
    }

    /** Moves what only this member has to the others, and returns when that is done; nothing for an engine of full copies. */
    protected void drain(String node) {}

    /** The node was stopped and does not come back; returns when the others have arranged themselves without it. */
    protected void forget(String node) {}

    /** Whether the other nodes have this one among them; empty when none of them says, or nodes cannot be added at all. */
    protected Optional<Boolean> seenByOthers(String node) {
        return Optional.empty();
    }

    // --- The same for every engine

    @Override
    public final Path directory() {
        return files.directory();
    }

    @Override
    public final Set<SandboxFeature> without() {
        return without;
    }

    @Override
    protected Path pidFile(String node) {
        return files.pid(node);
    }

    @Override
    public final Path data(String node) {
        return files.data(node);
    }

    @Override
    protected final Path log(String node) {
        return files.log(node);
    }

    @Override
    protected String lastWords(String node) {
        return "; last lines: " + LogTail.quoted(log(node), 5) + "; it printed: "
                + LogTail.quoted(files.output(node), 5);
    }

    @Override
    protected boolean reported(String node, Process launched) {
        return watch().reported(h -> h.running(node));
    }

    /** Starts the node's process through the sandbox and records its pid; the caller waits for what it reports. */
    @Override
    protected Process launch(String node, boolean empty) {
        boolean data = !helpers.contains(node);
        return NodeIo.get("cannot start " + node, () -> {
            List<String> line = new ArrayList<>(data ? NodeSandbox.enter(directory(), node) : List.of());
            line.addAll(command(node, empty));
            return Launcher.start(
                    line, workingDirectory(node), files.output(node), pidFile(node), programs(node), environment -> {
                        environment(node, environment);
                        if (data) {
                            NodeSandbox.environment(directory(), node, data(node), environment);
                        }
                    });
        });
    }

    @Override
    public final String engine() {
        return descriptor.engine();
    }

    @Override
    public String engineVersion() {
        String reported = watch().ask(ProcessHistory::version);
        return reported.equals("unknown") ? descriptor.engineVersion() : reported;
    }

    @Override
    public ClusterDescriptor descriptor() {
        return descriptor.withEngineVersion(engineVersion());
    }

    /** Ids of the nodes that belong to the cluster now, in their order. */
    protected final List<String> memberIds() {
        return members.members();
    }

    @Override
    public List<NodeInfo> nodes() {
        return infos(memberIds());
    }

    @Override
    public List<NodeInfo> frontEnds() {
        return infos(helpers);
    }

    private List<NodeInfo> infos(List<String> some) {
        return super.nodes().stream().filter(node -> some.contains(node.id())).toList();
    }

    @Override
    public final List<NodeStatus> status() {
        return Stream.concat(memberIds().stream(), helpers.stream())
                .map(this::status)
                .toList();
    }

    @Override
    public Map<String, NodeUse> use() {
        Map<String, NodeUse> use = super.use();
        Haproxy.of(descriptor).flatMap(Haproxy::use).ifPresent(used -> use.put(Haproxy.NAME, used));
        return use;
    }

    @Override
    public List<NodeStatus> proxies() {
        return Haproxy.of(descriptor).map(Haproxy::status).stream().toList();
    }

    @Override
    public final Optional<String> primary() {
        return watch().ask(ProcessHistory::coordinator);
    }

    @Override
    public final <C> Optional<C> capability(Class<C> type) {
        if (type == Expandable.class) {
            return expansion().map(type::cast);
        }
        if (type == Restorable.class) {
            return restoration().map(type::cast);
        }
        if (type == Composed.class) {
            return singles().map(type::cast);
        }
        return Stream.concat(Stream.of(this), others().stream())
                .filter(type::isInstance)
                .<C>map(type::cast)
                .findFirst()
                .or(() -> sandbox().capability(type));
    }

    private synchronized Optional<Restoration> restoration() {
        restoration = restoration.or(() -> capability(Restoring.class).map(engine -> new Restoration(this, engine)));
        return restoration;
    }

    private synchronized Optional<Expandable> expansion() {
        expansion = expansion.or(() -> grows() ? Optional.of(new Expansion(this, members)) : Optional.empty());
        return expansion;
    }

    private synchronized Optional<Composed> singles() {
        singles = singles.or(() -> parts().isEmpty() ? Optional.empty() : Optional.of(new SingleProcesses(this)));
        return singles;
    }

    @Override
    public final boolean idle(String node) {
        return processes(node).isEmpty() && starting(node).isEmpty();
    }

    @Override
    public final void restored(String node, String text) {
        watch().note(node, Signal.RESTORED, "faults", text);
    }

    @Override
    public final void launchRestored(String node, boolean empty) {
        launchAndAwait(node, empty);
    }

    @Override
    protected final void emptied(String node) {
        FileDamage.removed(directory(), node);
    }

    @Override
    public final Optional<String> incomplete() {
        return Restoration.unfinished(directory());
    }

    @Override
    protected final boolean starved(String node) {
        return sandbox()
                .capability(Starver.class)
                .filter(starver -> starver.starves(node))
                .isPresent();
    }

    @Override
    public final AutoCloseable listen(Consumer<EngineEvent> listener) {
        return super.listen(listener);
    }

    @Override
    public void close() {
        sandbox().close();
        super.close();
    }

    @Override
    public void down() {
        close();
        Teardown.run(directory(), watchdog);
    }
}

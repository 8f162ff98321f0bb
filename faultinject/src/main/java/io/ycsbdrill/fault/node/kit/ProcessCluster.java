package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.Impairable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Partitionable;
import io.ycsbdrill.fault.node.Squeezable;
import io.ycsbdrill.fault.node.Starvable;
import io.ycsbdrill.fault.node.Unpluggable;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.os.IsolatedLinks;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import io.ycsbdrill.fault.node.os.MemoryGroups;
import io.ycsbdrill.fault.node.os.PowerSwitch;
import io.ycsbdrill.fault.node.os.Starver;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A local cluster of nodes that are one process each. A new engine of this kind needs its launch command, configuration
 * files, log reader and history, and nothing else. Thread-safe.
 *
 * @param <H> what the watch knows of the nodes
 */
public abstract class ProcessCluster<H extends ProcessHistory> extends ProcessNodes<H> implements LocalCluster {

    private final Optional<Members> members;
    private Optional<Expandable> expansion = Optional.empty();
    private Starver starver;
    private PowerSwitch power;
    private Optional<MemoryGroups> memory = Optional.empty();
    private Optional<IsolatedLinks> links = Optional.empty();

    /** @param ids of all nodes, in their order */
    protected ProcessCluster(List<String> ids) {
        super(ids);
        this.members = Optional.empty();
    }

    /** A cluster that nodes can join and leave. */
    protected ProcessCluster(Members members) {
        super(members.all());
        this.members = Optional.of(members);
    }

    /** Ids of the nodes that belong to the cluster now, in their order. */
    protected final List<String> memberIds() {
        return members.map(Members::members).orElseGet(this::ids);
    }

    @Override
    public List<NodeInfo> nodes() {
        List<String> now = memberIds();
        return super.nodes().stream().filter(node -> now.contains(node.id())).toList();
    }

    @Override
    public final List<NodeStatus> status() {
        return memberIds().stream().map(this::status).toList();
    }

    /** Why no member can leave the cluster; empty when one can. */
    protected Optional<String> removalLacks() {
        return Optional.empty();
    }

    /** Returns when a node that has joined has the share of the data that it is to have; at once for an engine of full copies. */
    protected void settle(String node) {}

    /** Moves what only this member has to the others, and returns when that is done; nothing for an engine of full copies. */
    protected void drain(String node) {}

    /** The node was stopped and does not come back; returns when the others have arranged themselves without it. */
    protected void forget(String node) {}

    /** Whether the other nodes have this one among them; empty when none of them says, or nodes cannot be added at all. */
    protected Optional<Boolean> seenByOthers(String node) {
        return Optional.empty();
    }

    @Override
    public String engineVersion() {
        return watch().ask(ProcessHistory::version);
    }

    @Override
    public final Optional<String> primary() {
        return watch().ask(ProcessHistory::coordinator);
    }

    @Override
    public final <C> Optional<C> capability(Class<C> type) {
        if (type == Impairable.class) {
            return DiskShim.of(descriptor().directory()).map(type::cast);
        }
        if (type == Unpluggable.class) {
            return power().map(type::cast);
        }
        if (type == Partitionable.class) {
            return links().map(type::cast);
        }
        if (type == Squeezable.class) {
            return memory().map(type::cast);
        }
        if (type == Expandable.class) {
            return expansion().map(type::cast);
        }
        Object having = type == Starvable.class ? starver() : this;
        return type.isInstance(having) ? Optional.of(type.cast(having)) : Optional.empty();
    }

    /** One for as long as this is attached, as a flaky link has a thread. */
    private synchronized Optional<IsolatedLinks> links() {
        links = links.or(() -> IsolatedNetwork.of(descriptor().directory()).map(n -> n.links(this::beforeMending)));
        return links;
    }

    /** Called before links of the node that were cut are mended. */
    protected void beforeMending(String node) {}

    /** Names of files that a node maps to write to them, and that may keep what they have when its power is cut. */
    protected Set<String> mapped() {
        return Set.of();
    }

    private synchronized Optional<PowerSwitch> power() {
        if (power == null) {
            power = DiskShim.journaled(descriptor().directory())
                    .map(shim -> new PowerSwitch(shim, this, this::process, this::exclusively, mapped()))
                    .orElse(null);
        }
        return Optional.ofNullable(power);
    }

    private synchronized Optional<Expandable> expansion() {
        expansion = expansion.or(() -> members.map(all -> new Expansion(this, all)));
        return expansion;
    }

    private synchronized Optional<MemoryGroups> memory() {
        memory = memory.or(() -> MemoryGroups.of(descriptor().directory()));
        return memory;
    }

    private synchronized Starver starver() {
        if (starver == null) {
            starver = new Starver(this::process);
        }
        return starver;
    }

    @Override
    protected final boolean starved(String node) {
        return starver().starves(node);
    }

    @Override
    public final AutoCloseable listen(Consumer<EngineEvent> listener) {
        return super.listen(listener);
    }

    @Override
    public void close() {
        starver().relieveAll();
        super.close();
    }
}

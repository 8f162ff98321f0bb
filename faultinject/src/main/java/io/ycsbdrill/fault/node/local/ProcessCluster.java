package io.ycsbdrill.fault.node.local;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.Impairable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.Partitionable;
import io.ycsbdrill.fault.node.Starvable;
import io.ycsbdrill.fault.node.Unpluggable;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
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

    private Starver starver;
    private PowerSwitch power;

    /** @param ids of all nodes, in their order */
    protected ProcessCluster(List<String> ids) {
        super(ids);
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
            return IsolatedNetwork.of(descriptor().directory())
                    .map(network -> network.beforeMending(this::beforeMending))
                    .map(type::cast);
        }
        Object having = type == Starvable.class ? starver() : this;
        return type.isInstance(having) ? Optional.of(type.cast(having)) : Optional.empty();
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

    private synchronized Starver starver() {
        if (starver == null) {
            starver = new Starver(this::process);
        }
        return starver;
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

package io.ycsbdrill.fault.node.local;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.LocalCluster;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A local cluster of nodes that are one process each. A new engine of this kind needs its launch command, configuration
 * files, log reader and history, and nothing else. Thread-safe.
 *
 * @param <H> what the watch knows of the nodes
 */
public abstract class ProcessCluster<H extends ProcessHistory> extends ProcessNodes<H> implements LocalCluster {

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
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    public final AutoCloseable listen(Consumer<EngineEvent> listener) {
        return super.listen(listener);
    }

    @Override
    public final void close() {
        super.close();
    }
}

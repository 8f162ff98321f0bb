package io.ycsbdrill.fault.node;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** A controller that can do more than the one of the cluster, to which all else goes. Closing it leaves that one open. As thread-safe as it is. */
public abstract class ForwardingController implements NodeController {
    private final NodeController cluster;

    /** Adds something to this controller. */
    protected ForwardingController(NodeController cluster) {
        this.cluster = cluster;
    }

    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return cluster.capability(type);
    }

    @Override
    public String engine() {
        return cluster.engine();
    }

    @Override
    public String engineVersion() {
        return cluster.engineVersion();
    }

    @Override
    public List<NodeInfo> nodes() {
        return cluster.nodes();
    }

    @Override
    public List<NodeInfo> frontEnds() {
        return cluster.frontEnds();
    }

    @Override
    public List<NodeStatus> status() {
        return cluster.status();
    }

    @Override
    public Map<String, NodeUse> use() {
        return cluster.use();
    }

    @Override
    public List<String> metered() {
        return cluster.metered();
    }

    @Override
    public Optional<String> primary() {
        return cluster.primary();
    }

    @Override
    public String noPrimary() {
        return cluster.noPrimary();
    }

    @Override
    public Map<String, String> zones() {
        return cluster.zones();
    }

    @Override
    public List<String> synchronous() {
        return cluster.synchronous();
    }

    @Override
    public AutoCloseable listen(Consumer<EngineEvent> listener) {
        return cluster.listen(listener);
    }

    @Override
    public void close() {
        // The cluster's own stays open.
    }
}

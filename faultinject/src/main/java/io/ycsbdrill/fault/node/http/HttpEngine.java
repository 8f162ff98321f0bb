package io.ycsbdrill.fault.node.http;

import io.ycsbdrill.base.HttpServers;
import io.ycsbdrill.fault.inventory.HostedCluster;
import io.ycsbdrill.fault.inventory.HostedEngine;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.RemoteCluster;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** An engine whose clusters somebody else runs, observed over HTTP through the servers that the binding {@code rest} uses. Stateless. */
public abstract class HttpEngine implements HostedEngine {
    private final String name;
    private final int order;
    private final Function<HttpServers, NodeController> connector;
    private final String hint;

    /**
     * Describes the engine.
     *
     * @param connector asks the cluster of these servers for its nodes
     * @param hint as {@link #remoteHint}
     */
    protected HttpEngine(String name, int order, Function<HttpServers, NodeController> connector, String hint) {
        this.name = name;
        this.order = order;
        this.connector = connector;
        this.hint = hint;
    }

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final int order() {
        return order;
    }

    @Override
    public List<String> bindings() {
        return List.of("rest");
    }

    @Override
    public final Optional<RemoteCluster> remote(EngineContext context) {
        return context.servers()
                .of(name)
                .map(servers -> RemoteCluster.of(name, servers, () -> connector.apply(servers)));
    }

    @Override
    public final RemoteCluster cluster(Inventory inventory, EngineContext context) {
        HttpServers servers = context.servers()
                .of(name)
                .orElseThrow(() -> new IllegalArgumentException("the inventory does not say where " + name
                        + " answers: add properties: {rest.dialect: " + name + ", rest.endpoints: ...}"));
        return RemoteCluster.of(
                name, servers, () -> HostedCluster.connect(inventory, pausesNodes(), () -> connector.apply(servers)));
    }

    @Override
    public final Optional<String> remoteHint() {
        return Optional.of(hint);
    }
}

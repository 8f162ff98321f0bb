package io.ycsbdrill.client.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.NodeController;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * How a command reaches its database.
 *
 * @param binding the name typed, or the class name
 * @param bindingClass the class to make one of per thread
 * @param properties properties added to the user's properties
 * @param cluster the cluster whose nodes can be controlled; empty when they cannot
 * @param owned whether this command started the cluster, and so stops it
 */
public record Access(
        String binding,
        String bindingClass,
        Map<String, String> properties,
        Optional<ControlledCluster> cluster,
        boolean owned)
        implements AutoCloseable {
    public Access {
        properties = Map.copyOf(properties);
    }

    /**
     * Access through a binding; a cluster of this machine brings the properties that reach it.
     *
     * @param binding a name or a class
     * @throws ConfigException when the binding is unknown, or not made for the cluster's engine
     */
    public static Access of(String binding, Optional<ControlledCluster> cluster, boolean owned) {
        Optional<NodeController> nodes = cluster.map(ControlledCluster::nodes);
        Map<String, String> offered = new HashMap<>();
        if (nodes.isPresent() && nodes.get() instanceof LocalCluster local) {
            offered.putAll(local.descriptor().bindings().getOrDefault(binding, Map.of()));
        }
        String bindingClass = Optional.ofNullable(offered.remove("db"))
                .orElseGet(() -> BindingNames.classOn(
                        binding, nodes.map(NodeController::engine).orElse("elsewhere")));
        return new Access(binding, bindingClass, offered, cluster, owned);
    }

    /** Access to a cluster of this machine. */
    static Access of(String binding, LocalCluster cluster, boolean owned) {
        return of(binding, Optional.of(ControlledCluster.local(cluster, !owned)), owned);
    }

    /** What is known of the engine, for {@code run.json}. */
    public JsonNode engine() {
        ObjectNode engine = JsonNodeFactory.instance.objectNode();
        if (cluster.isEmpty()) {
            return engine.put("name", binding).put("version", "unknown");
        }
        NodeController nodes = cluster.get().nodes();
        engine.put("name", nodes.engine()).put("version", nodes.engineVersion());
        nodes.nodes().forEach(node -> engine.withArray("nodes")
                .addObject()
                .put("id", node.id())
                .put("host", node.host())
                .put("group", node.group()));
        nodes.metered().forEach(engine.withArray("servers")::add);
        return engine;
    }

    /** Stops the cluster when it is owned, else only releases it. */
    @Override
    public void close() {
        if (owned) {
            cluster.ifPresent(ControlledCluster::down);
        } else {
            cluster.ifPresent(ControlledCluster::close);
        }
    }
}

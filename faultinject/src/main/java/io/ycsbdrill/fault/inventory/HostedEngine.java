package io.ycsbdrill.fault.inventory;

import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.RemoteCluster;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** An engine whose nodes can be controlled on the hosts of an inventory. Stateless and thread-safe. */
public interface HostedEngine extends Engine {

    /** How its data nodes are usually run. */
    EngineDefaults defaults();

    /**
     * The cluster of an inventory of this engine; nothing is asked of it.
     *
     * @param context with the properties of the inventory, where no others count
     * @throws IllegalArgumentException when something that is needed to reach it is missing or invalid
     */
    RemoteCluster cluster(Inventory inventory, EngineContext context);

    /**
     * What a binding needs to reach the cluster where the properties do not say it; nothing for most engines.
     *
     * @param binding its name, or its class
     * @param properties in effect, those of the inventory among them
     * @throws IllegalArgumentException when something that is needed for it is missing or invalid
     */
    default Map<String, String> reaching(String binding, Inventory inventory, Properties properties) {
        return Map.of();
    }

    /** Whether drills may pause nodes: not where, while one is paused, its peers may not answer who is up. */
    default boolean pausesNodes() {
        return false;
    }

    /** What makes a backup of the cluster, in words; empty when none can be made. */
    default Optional<String> backedUpBy() {
        return Optional.empty();
    }

    /** What makes another node primary by order, in words; empty when nothing does. */
    default Optional<String> switchedBy() {
        return Optional.empty();
    }

    /** Why none of its nodes on other hosts can be primary, as their cluster says it; empty where one may be. */
    default Optional<String> withoutPrimary() {
        return Optional.empty();
    }

    /** What stops a node in place of a command, in words: {@code the management server}; empty when a command does. */
    default Optional<String> stoppedBy() {
        return Optional.empty();
    }
}

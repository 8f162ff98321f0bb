package io.ycsbdrill.client.cli;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.cratedb.CrateDbNodes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** Clusters that tell of their nodes to every client, so that nothing but the binding's own properties is needed. */
final class WatchedCluster {
    private WatchedCluster() {}

    /**
     * The cluster that the binding {@code rest} uses, if its dialect is one of those.
     *
     * @throws ConfigException when an address is none
     * @throws io.ycsbdrill.fault.node.NodeControlException when no server answers
     */
    static Optional<ControlledCluster> connect(Properties properties, Surroundings world) {
        String endpoints = properties.getProperty("rest.endpoints", "").strip();
        if (!properties.getProperty("rest.dialect", "").strip().equalsIgnoreCase("cratedb") || endpoints.isEmpty()) {
            return Optional.empty();
        }
        List<String> servers =
                Arrays.stream(endpoints.split(",")).map(String::strip).toList();
        try {
            return Optional.of(new ControlledCluster(
                    CrateDbNodes.connect(servers),
                    world.clusters().home("remote-" + endpoints.replaceAll("[^A-Za-z0-9._-]", "_"))));
        } catch (IllegalArgumentException e) {
            throw new ConfigException("rest.endpoints=" + endpoints + ": " + e.getMessage());
        }
    }
}

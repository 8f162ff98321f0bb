package io.ycsbdrill.client.cluster;

import io.ycsbdrill.binding.rest.RestAccess;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.cratedb.CrateDbNodes;
import io.ycsbdrill.fault.node.harperdb.HarperDbNodes;
import io.ycsbdrill.fault.node.http.HttpServers;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import site.ycsb.DBException;

/** Clusters that tell of their nodes to every client, so that nothing but the binding's own properties is needed. */
final class WatchedCluster {
    private static final Set<String> DIALECTS = Set.of("cratedb", "harperdb");

    private WatchedCluster() {}

    /**
     * The cluster that the binding {@code rest} uses, if its dialect is one of those.
     *
     * @throws ConfigException when a property of the binding is wrong
     * @throws io.ycsbdrill.fault.node.NodeControlException when no server answers
     */
    static Optional<ControlledCluster> connect(Properties properties, CommandContext world) {
        String dialect = properties.getProperty("rest.dialect", "").strip().toLowerCase(Locale.ROOT);
        String endpoints = properties.getProperty("rest.endpoints", "").strip();
        if (!DIALECTS.contains(dialect) || endpoints.isEmpty()) {
            return Optional.empty();
        }
        try {
            RestAccess access = RestAccess.of(properties, world.environment());
            return Optional.of(new ControlledCluster(
                    controller(access, world),
                    world.clusters().home("remote-" + endpoints.replaceAll("[^A-Za-z0-9._-]", "_"))));
        } catch (DBException | IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    private static NodeController controller(RestAccess access, CommandContext world) {
        if (access.dialect().equals("cratedb")) {
            return CrateDbNodes.connect(servers(access.endpoints(), access, world));
        }
        return HarperDbNodes.connect(servers(access.operations(), access, world));
    }

    private static HttpServers servers(List<String> addresses, RestAccess access, CommandContext world) {
        return new HttpServers(
                addresses,
                access.headers(),
                access.verify(),
                access.authority().map(world.workingDirectory()::resolve));
    }
}

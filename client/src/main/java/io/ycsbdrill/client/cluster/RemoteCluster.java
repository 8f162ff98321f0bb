package io.ycsbdrill.client.cluster;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.ndb.ClusterFile;
import io.ycsbdrill.fault.node.ndb.RemoteNdb;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;

/**
 * An NDB cluster that somebody else runs, as the properties {@code ndb.connectstring} and {@code ndb.cluster.file} name it.
 *
 * @param connectString its management servers
 * @param file the user's own commands
 * @param records folder of this cluster in the state directory
 */
public record RemoteCluster(String connectString, ClusterFile file, Path records) {
    public static final String CONNECT_STRING = "ndb.connectstring";
    public static final String FILE = "ndb.cluster.file";

    /**
     * The one that is named; empty when none is.
     *
     * @throws ConfigException when the cluster file cannot be read or is wrong, or nothing names a management server
     */
    public static Optional<RemoteCluster> named(Properties properties, CommandContext world) {
        String servers = properties.getProperty(CONNECT_STRING, "").strip();
        String file = properties.getProperty(FILE, "").strip();
        if (servers.isEmpty() && file.isEmpty()) {
            return Optional.empty();
        }
        try {
            ClusterFile commands = file.isEmpty()
                    ? ClusterFile.none()
                    : ClusterFile.read(world.workingDirectory().resolve(file));
            String all = servers.isEmpty()
                    ? commands.connectString()
                            .orElseThrow(() -> new ConfigException("cluster file " + file
                                    + " has no connectstring, and " + CONNECT_STRING + " is not set; give one of them"))
                    : servers;
            Path records = world.clusters().home("remote-" + all.replaceAll("[^A-Za-z0-9._-]", "_"));
            return Optional.of(new RemoteCluster(all, commands, records));
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    /**
     * Asks its management servers for its nodes.
     *
     * @throws ConfigException when the connect string cannot be read
     * @throws io.ycsbdrill.fault.node.NodeControlException when none of them answers
     */
    public ControlledCluster connect() {
        try {
            return new ControlledCluster(RemoteNdb.connect(connectString, file), records);
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
    }
}

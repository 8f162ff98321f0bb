package io.ycsbdrill.client.cli;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.RemoteCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import picocli.CommandLine.Option;

/** How a command under {@code cluster} is told of a cluster elsewhere: the same options as {@code drill} has. */
public final class RemoteOptions {
    private static final Set<String> KEYS = Set.of(RemoteCluster.CONNECT_STRING, RemoteCluster.FILE);

    @Option(
            names = "-p",
            paramLabel = "KEY=VALUE",
            description =
                    "ndb.connectstring=HOST:PORT[,...]: the NDB cluster of these management servers, instead of one"
                            + " that was started here.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--cluster-file",
            paramLabel = "FILE",
            description = "Your commands for that cluster's nodes, as -p ndb.cluster.file=FILE; see docs/ndb.md.")
    private String clusterFile;

    /** The cluster that the options name; empty when they name none. */
    public Optional<RemoteCluster> named(CommandContext world) {
        Problems problems = new Problems();
        Map<String, String> assigned = BindingOptions.assigned(assignments, problems);
        assigned.keySet().stream()
                .filter(key -> !KEYS.contains(key))
                .forEach(key -> problems.add("-p " + key + " means nothing here; only " + RemoteCluster.CONNECT_STRING
                        + " and " + RemoteCluster.FILE + " do"));
        problems.throwIfAny(ConfigException::new);
        Properties properties = new Properties();
        properties.putAll(assigned);
        if (clusterFile != null) {
            properties.setProperty(RemoteCluster.FILE, clusterFile);
        }
        return RemoteCluster.named(properties, world);
    }

    /** The same, when an engine may have been asked for by name. */
    public Optional<RemoteCluster> named(CommandContext world, Optional<String> engine) {
        Optional<RemoteCluster> named = named(world);
        if (named.isPresent() && !engine.orElse("ndb").equals("ndb")) {
            throw new ConfigException("engine " + engine.orElseThrow() + " and " + RemoteCluster.CONNECT_STRING
                    + " name different clusters; give one of them");
        }
        return named;
    }
}

package io.ycsbdrill.client.cli.option;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cluster.ClusterFinder;
import io.ycsbdrill.client.cluster.CommandContext;
import io.ycsbdrill.client.cluster.ControlledCluster;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.Engine.RemoteProperty;
import io.ycsbdrill.fault.node.RemoteCluster;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.Option;

/** The options by which a command under {@code cluster} names a cluster on other machines: the same as those of {@code drill}. */
public final class RemoteOptions {
    @Option(
            names = "-p",
            paramLabel = "KEY=VALUE",
            completionCandidates = Named.class,
            description = "Names a cluster elsewhere, instead of one that was started here: ${COMPLETION-CANDIDATES}.")
    private List<String> assignments = new ArrayList<>();

    @Option(
            names = "--inventory",
            paramLabel = "FILE",
            description = "The hosts of that cluster's nodes; see docs/inventory.md.")
    private String inventory;

    /**
     * The cluster that a command on its nodes means: the one that the options name, else one of this machine. The caller closes it.
     *
     * @param engine asked for by name
     * @throws ConfigException when an option is invalid, or there is no such cluster
     */
    public ControlledCluster attach(CommandContext world, Optional<String> engine) {
        return new ClusterFinder(world).attach(engine, named(world, engine));
    }

    /**
     * The cluster that the options name; empty when they name none.
     *
     * @param engine asked for by name
     * @throws ConfigException when an option is invalid, or the cluster is of another engine
     */
    public Optional<RemoteCluster> named(CommandContext world, Optional<String> engine) {
        Problems problems = new Problems();
        Map<String, String> assigned = BindingOptions.assigned(assignments, problems);
        List<String> keys = world.engines().stream()
                .flatMap(each -> each.remoteProperties().stream())
                .map(RemoteProperty::name)
                .toList();
        assigned.keySet().stream()
                .filter(key -> !keys.contains(key))
                .forEach(key -> problems.add("-p " + key + " is not supported by this command; only "
                        + String.join(" and ", keys) + (keys.size() == 1 ? " is" : " are")));
        problems.throwIfAny(ConfigException::new);
        Properties properties = new Properties();
        properties.putAll(assigned);
        if (inventory != null) {
            properties.setProperty(Inventory.PROPERTY, inventory);
        }
        Optional<RemoteCluster> named = new ClusterFinder(world).remote(properties);
        named.map(RemoteCluster::engine)
                .filter(of -> !of.equals(engine.orElse(of)))
                .ifPresent(of -> {
                    throw new ConfigException("engine " + engine.orElseThrow() + " and "
                            + String.join(" or ", properties.stringPropertyNames())
                            + " name different clusters; give one of them");
                });
        return named;
    }

    /** For {@code --help}: the properties that name clusters. */
    static final class Named implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Engine.installed().stream()
                    .flatMap(engine -> engine.remoteProperties().stream().limit(1))
                    .map(property -> property.name() + "=" + property.example() + " (" + property.meaning() + ")")
                    .iterator();
        }
    }
}

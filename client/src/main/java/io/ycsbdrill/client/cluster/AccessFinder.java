package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.cli.BindingOptions;
import io.ycsbdrill.client.run.ClientShare;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.ndb.NdbHome;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/**
 * Finds the database a command means. For {@code native}, in this order: the NDB cluster named by {@code ndb.connectstring},
 * {@code ndb.home} or {@code NDB_HOME}; a cluster that is up, NDB first; an embedded one, started for this command. For {@code
 * rest} without an address: a cluster that is up and has HTTP endpoints; an embedded one, started for this command. A cluster
 * named by {@code ndb.connectstring} or {@code ndb.cluster.file} is the one whose nodes are controlled, whatever the binding.
 */
public final class AccessFinder {
    private static final List<String> SEARCH_ORDER = List.of("ndb", "embedded");

    private final CommandContext world;
    private final ClientShare part;
    private final ClusterFinder clusters;

    public AccessFinder(CommandContext world) {
        this(world, ClientShare.WHOLE);
    }

    /** For one of several clients, which needs a cluster that the others reach, too. */
    public AccessFinder(CommandContext world, ClientShare part) {
        this.world = world;
        this.part = part;
        this.clusters = new ClusterFinder(world);
    }

    /** Checks what can be checked without touching a cluster. */
    public void check(BindingOptions options, Properties properties, Problems problems) {
        String databaseClass = properties.getProperty("db", "");
        String name = options.binding().orElse(databaseClass);
        if (name.isEmpty()) {
            problems.add("no binding given: expected one of " + String.join(", ", BindingNames.ALL)
                    + " or the name of a class that extends site.ycsb.DB");
        } else if (!databaseClass.isEmpty()) {
            BindingNames.check(databaseClass, databaseClass, problems);
        } else if (!name.equals(BindingNames.NATIVE)) {
            BindingNames.classOf(name)
                    .ifPresentOrElse(
                            c -> BindingNames.check(name, c, problems), () -> problems.add(BindingNames.unknown(name)));
        }
        options.engine()
                .filter(e -> !SEARCH_ORDER.contains(e))
                .ifPresent(e -> problems.add("--engine " + e + " is not one of " + String.join(", ", SEARCH_ORDER)
                        + NearestName.hint(e, SEARCH_ORDER)));
        if (options.engine().isPresent() && !name.equals(BindingNames.NATIVE)) {
            problems.add("--engine goes with the binding native only, not with " + name);
        }
        try {
            RemoteCluster.named(properties, world);
        } catch (ConfigException e) {
            e.problems().forEach(problems::add);
        }
    }

    /** The access; the caller closes it. To be called after {@link #check} found nothing. */
    public Access find(BindingOptions options, Properties properties) {
        String databaseClass = properties.getProperty("db", "");
        String name = options.binding().orElse(databaseClass);
        if (!databaseClass.isEmpty()) {
            return new Access(name, databaseClass, Map.of(), elsewhere(properties), false);
        }
        if (name.equals(BindingNames.NATIVE)) {
            return nativeAccess(options.engine(), properties);
        }
        String bindingClass = BindingNames.classOf(name).orElseThrow();
        boolean ours =
                !name.contains(".") && RemoteCluster.named(properties, world).isEmpty();
        Optional<LocalCluster> cluster = ours ? clusterFor(name, properties) : Optional.empty();
        if (cluster.isEmpty() && ours && name.equals(BindingNames.REST) && !properties.containsKey("rest.endpoints")) {
            return Access.of(name, startEmbedded(name), true);
        }
        return cluster.map(c -> Access.of(name, c, false))
                .orElseGet(() -> new Access(name, bindingClass, Map.of(), elsewhere(properties), false));
    }

    /** The cluster that the properties name. A run goes on without its nodes when nobody tells of them; a drill does not. */
    private Optional<ControlledCluster> elsewhere(Properties properties) {
        Optional<RemoteCluster> named = RemoteCluster.named(properties, world);
        try {
            return named.isPresent() ? named.map(RemoteCluster::connect) : WatchedCluster.connect(properties, world);
        } catch (NodeControlException e) {
            world.say("note: nothing is known of the nodes of this cluster: " + e.getMessage());
            return Optional.empty();
        }
    }

    private Access nativeAccess(Optional<String> engine, Properties properties) {
        boolean ndb = engine.map("ndb"::equals).orElseGet(() -> namesNdb(properties));
        if (ndb) {
            return ndbAccess(properties);
        }
        for (String candidate : engine.map(List::of).orElse(SEARCH_ORDER)) {
            Optional<LocalCluster> up = clusters.alive(candidate);
            if (up.isPresent()) {
                return nativeOn(up.get(), false);
            }
        }
        return nativeOn(startEmbedded(BindingNames.NATIVE), true);
    }

    private boolean namesNdb(Properties properties) {
        return RemoteCluster.named(properties, world).isPresent()
                || !properties.getProperty("ndb.home", "").isBlank()
                || !world.environment().getOrDefault("NDB_HOME", "").isBlank();
    }

    private Access ndbAccess(Properties properties) {
        Optional<RemoteCluster> named = RemoteCluster.named(properties, world);
        if (named.isEmpty()) {
            Optional<LocalCluster> up = clusters.alive("ndb");
            if (up.isPresent()) {
                return nativeOn(up.get(), false);
            }
            throw new ConfigException(
                    "native means NDB here, as NDB_HOME, ndb.home or --engine says, but ndb.connectstring is"
                            + " not set and no NDB cluster is up on this machine; give -p ndb.connectstring=HOST:1186, start one"
                            + " (ycsb cluster up ndb), or use --engine embedded");
        }
        Map<String, String> added = new HashMap<>();
        added.put(RemoteCluster.CONNECT_STRING, named.get().connectString());
        // The binding looks in the same places; told what was found, it cannot come to another answer.
        NdbHome.find(properties.getProperty("ndb.home"), world.environment())
                .ifPresent(home -> added.put("ndb.home", home.root().toString()));
        world.say("native: NDB cluster at " + named.get().connectString());
        String bindingClass = BindingNames.nativeClassOf("ndb").orElseThrow();
        requireClass(BindingNames.NATIVE, bindingClass);
        return new Access(BindingNames.NATIVE, bindingClass, added, elsewhere(properties), false);
    }

    private LocalCluster startEmbedded(String binding) {
        if (part.isShare()) {
            throw new ConfigException(
                    "--client " + part + ": " + binding + " names no cluster and none is up here; one started"
                            + " for this command would be no other client's. Give its address (ndb.connectstring, rest.endpoints), or"
                            + " for clients on one machine: ycsb cluster up");
        }
        Path directory = new OwnedDirectories(world.clusters()).claim();
        world.say(binding + ": no cluster is up, so an embedded one is started for this command and stopped after it"
                + " (to keep one: ycsb cluster up)");
        return clusters.engine("embedded").up(directory, Map.of(), Lifetime.OWNED, line -> world.say("  " + line));
    }

    private Access nativeOn(LocalCluster cluster, boolean owned) {
        ClusterDescriptor descriptor = cluster.descriptor();
        Access access = Access.of(BindingNames.NATIVE, cluster, owned);
        try {
            requireClass(BindingNames.NATIVE, access.bindingClass());
        } catch (ConfigException e) {
            access.close();
            throw e;
        }
        if (cluster.engine().equals("embedded")) {
            world.say("native: embedded cluster (Apache Ignite " + cluster.engineVersion() + ", "
                    + cluster.nodes().size() + " nodes on this machine); its figures are not RonDB's");
        } else {
            world.say("native: " + cluster.engine() + " cluster in " + descriptor.directory() + ", up since "
                    + descriptor.createdAt());
        }
        return access;
    }

    /** A cluster that is up and offers the binding, unless the user names another place by one of the same properties. */
    private Optional<LocalCluster> clusterFor(String binding, Properties properties) {
        for (ClusterDescriptor descriptor : world.clusters().all()) {
            Map<String, String> offered = properties(descriptor, binding);
            boolean elsewhere = offered.keySet().stream().anyMatch(properties::containsKey);
            if (offered.isEmpty() || elsewhere) {
                continue;
            }
            Optional<LocalCluster> up = clusters.alive(descriptor.engine());
            if (up.isPresent()) {
                world.say(binding + ": " + descriptor.engine() + " cluster in " + descriptor.directory());
                return up;
            }
        }
        return Optional.empty();
    }

    private static Map<String, String> properties(ClusterDescriptor descriptor, String binding) {
        return descriptor.bindings().getOrDefault(binding, Map.of());
    }

    private static void requireClass(String name, String bindingClass) {
        Problems problems = new Problems();
        BindingNames.check(name, bindingClass, problems);
        problems.throwIfAny(ConfigException::new);
    }
}

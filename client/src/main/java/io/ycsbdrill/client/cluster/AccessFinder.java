package io.ycsbdrill.client.cluster;

import io.ycsbdrill.base.Problems;
import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.client.run.key.ClientShare;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.Engine.RemoteProperty;
import io.ycsbdrill.fault.node.EngineContext;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the database that a command means. For a binding that depends on the engine ({@code native}), in this order: an engine that
 * properties or environment ask for; a cluster that is up; one started for this command. For other bindings: the servers that
 * properties name; a cluster that is up and serves the binding; one started for this command, where an engine serves the binding
 * without an installation. A cluster on other machines that properties name is the one whose nodes are controlled, whatever the
 * binding.
 */
public final class AccessFinder {
    /** In what a cluster offers to a class, which does not say which of its properties name servers. */
    private static final Pattern ADDRESS = Pattern.compile(":\\d{2,5}\\b");

    private final CommandContext world;
    private final ClusterFinder clusters;
    private final Set<String> switches;

    public AccessFinder(CommandContext world) {
        this(world, Set.of());
    }

    /**
     * @param switches of {@code cluster up}, as typed after {@code --}, for a cluster that is started for the command, as far as its
     *     engine has them
     */
    public AccessFinder(CommandContext world, Set<String> switches) {
        this.world = world;
        this.clusters = new ClusterFinder(world);
        this.switches = Set.copyOf(switches);
    }

    /**
     * Checks what can be checked without touching a cluster.
     *
     * @param binding as typed; empty when only the property {@code db} names a class
     * @param engine asked for by name
     */
    public void check(Optional<String> binding, Optional<String> engine, Properties properties, Problems problems) {
        String databaseClass = properties.getProperty("db", "");
        String name = binding.orElse(databaseClass);
        if (name.isEmpty()) {
            problems.add("no binding given: expected one of " + String.join(", ", BindingNames.all())
                    + " or the name of a class that extends site.ycsb.DB");
        } else if (!databaseClass.isEmpty()) {
            BindingNames.check(databaseClass, databaseClass, problems);
        } else if (!BindingNames.dependsOnEngine(name)) {
            BindingNames.classOf(name)
                    .ifPresentOrElse(
                            c -> BindingNames.check(name, c, problems), () -> problems.add(BindingNames.unknown(name)));
        }
        engine.ifPresent(asked -> checkEngine(asked, name, problems));
        try {
            clusters.remote(properties);
        } catch (ConfigException e) {
            e.problems().forEach(problems::add);
        }
    }

    private void checkEngine(String engine, String binding, Problems problems) {
        List<String> bindings = BindingNames.all().stream()
                .filter(BindingNames::dependsOnEngine)
                .toList();
        List<String> engines = Engine.inOrder(world.engines()).stream()
                .map(Engine::name)
                .filter(name -> bindings.stream().anyMatch(each -> BindingNames.classFor(each, Optional.of(name))
                        .isPresent()))
                .toList();
        if (!engines.contains(engine)) {
            problems.add("--engine " + engine + " is not one of " + String.join(", ", engines)
                    + Engine.hint(engine, engines));
        }
        if (!bindings.contains(binding)) {
            problems.add(
                    "--engine goes with the binding " + String.join(" or ", bindings) + " only, not with " + binding);
        }
    }

    /** {@link #find(Optional, Optional, Properties, ClientShare)} for a command that is the only client. */
    public Access find(Optional<String> binding, Optional<String> engine, Properties properties) {
        return find(binding, engine, properties, ClientShare.WHOLE);
    }

    /**
     * The access; the caller closes it. To be called after {@link #check} found nothing.
     *
     * @param part one of several clients needs a cluster that the others reach, too
     */
    public Access find(Optional<String> binding, Optional<String> engine, Properties properties, ClientShare part) {
        String databaseClass = properties.getProperty("db", "");
        String name = binding.orElse(databaseClass);
        if (!databaseClass.isEmpty()) {
            return new Access(name, databaseClass, Map.of(), remote(properties), false);
        }
        if (BindingNames.dependsOnEngine(name)) {
            return onEngine(name, engine, properties, part);
        }
        String bindingClass = BindingNames.classOf(name).orElseThrow();
        if (clusters.remote(properties).isPresent()) {
            return new Access(name, bindingClass, Map.of(), remote(properties), false);
        }
        Optional<LocalCluster> up = clusterThatOffers(name, properties);
        boolean named = BindingNames.addresses(name)
                .filter(servers -> servers.areIn(properties))
                .isPresent();
        Optional<LocalEngine> starter = named ? Optional.empty() : starter(name);
        if (up.isEmpty() && starter.isPresent()) {
            return Access.of(name, start(starter.get(), name, part), true);
        }
        return up.map(cluster -> Access.of(name, cluster, false))
                .orElseGet(() -> new Access(name, bindingClass, Map.of(), Optional.empty(), false));
    }

    /**
     * The engine of which {@link #find} would start a cluster for one command alone; empty when it would use another one, or none.
     * To be called after {@link #check} found nothing.
     */
    public Optional<String> wouldStart(Optional<String> binding, Optional<String> engine, Properties properties) {
        String name = binding.orElse("");
        if (properties.containsKey("db")
                || name.isEmpty()
                || clusters.remote(properties).isPresent()) {
            return Optional.empty();
        }
        if (!BindingNames.dependsOnEngine(name)) {
            boolean named = BindingNames.addresses(name)
                    .filter(servers -> servers.areIn(properties))
                    .isPresent();
            Optional<LocalCluster> up = clusterThatOffers(name, properties);
            up.ifPresent(LocalCluster::close);
            return named || up.isPresent() ? Optional.empty() : starter(name).map(Engine::name);
        }
        EngineContext context = world.engineContext(properties);
        for (Engine each : Engine.inOrder(world.engines())) {
            boolean serves = each.bindings().contains(name)
                    && (engine.isEmpty() || engine.get().equals(each.name()));
            if (serves && engine.isEmpty() && each.requestedBy(context).isPresent()) {
                return Optional.empty();
            }
            Optional<LocalCluster> up = serves ? clusters.alive(each.name()) : Optional.empty();
            if (up.isPresent()) {
                up.get().close();
                return Optional.empty();
            }
        }
        return starter(name)
                .map(Engine::name)
                .filter(each -> engine.isEmpty() || engine.get().equals(each));
    }

    /** The cluster that the properties name. A run does without its nodes when they cannot be asked; a drill does not. */
    private Optional<ControlledCluster> remote(Properties properties) {
        try {
            return clusters.remote(properties).map(clusters::connect);
        } catch (NodeControlException e) {
            world.say("note: the nodes of this cluster are unknown: " + e.getMessage());
            return Optional.empty();
        }
    }

    private Access onEngine(String binding, Optional<String> asked, Properties properties, ClientShare part) {
        EngineContext context = world.engineContext(properties);
        List<Engine> engines = Engine.inOrder(world.engines()).stream()
                .filter(engine -> engine.bindings().contains(binding))
                .filter(engine -> asked.isEmpty() || asked.get().equals(engine.name()))
                .toList();
        Optional<Engine> requested = engines.stream()
                .filter(engine ->
                        asked.isPresent() || engine.requestedBy(context).isPresent())
                .findFirst();
        Optional<RemoteCluster> remote = requested.flatMap(engine -> engine.remote(context));
        if (remote.isPresent()) {
            return onRemote(binding, remote.get(), properties);
        }
        for (Engine engine : requested.map(List::of).orElse(engines)) {
            Optional<LocalCluster> up = clusters.alive(engine.name());
            if (up.isPresent()) {
                return onLocal(binding, up.get(), false);
            }
        }
        Optional<LocalEngine> starter = starter(binding);
        if (requested.isPresent()
                && starter.filter(engine -> engine.name().equals(requested.get().name()))
                        .isEmpty()) {
            Engine engine = requested.get();
            throw new ConfigException(
                    missing(binding, engine, engine.requestedBy(context).orElse("--engine")));
        }
        LocalEngine engine = starter.orElseThrow(() -> new ConfigException(
                binding + ": no cluster is up, and no engine of this build can start one for this command alone;"
                        + " start one: ycsb cluster up"));
        return onLocal(binding, start(engine, binding, part), true);
    }

    /** No other engine's cluster is used in place of one that was asked for. */
    private String missing(String binding, Engine engine, String reason) {
        String name = engine.name();
        List<RemoteProperty> keys = engine.remoteProperties().stream().limit(1).toList();
        List<String> steps = new ArrayList<>();
        keys.forEach(key -> steps.add("give " + key.typed()));
        if (engine instanceof LocalEngine) {
            steps.add("start one (ycsb cluster up " + name + ")");
        }
        starter(binding).ifPresent(other -> steps.add("use --engine " + other.name()));
        return binding + " uses the engine " + name + " here, because of " + reason + ", but "
                + (keys.isEmpty() ? "" : keys.get(0).name() + " is not set and ") + "no " + name
                + " cluster is up on this machine; " + String.join(", or ", steps);
    }

    private Access onRemote(String binding, RemoteCluster remote, Properties properties) {
        world.say(binding + ": " + remote.title());
        String bindingClass = BindingNames.classOn(binding, remote.engine());
        requireClass(binding, bindingClass);
        return new Access(binding, bindingClass, remote.properties(), remote(properties), false);
    }

    private Access onLocal(String binding, LocalCluster cluster, boolean owned) {
        Access access = Access.of(binding, cluster, owned);
        try {
            requireClass(binding, access.bindingClass());
        } catch (ConfigException e) {
            access.close();
            throw e;
        }
        world.say(binding + ": " + clusters.engine(cluster.engine()).describe(cluster));
        return access;
    }

    /** The engine that starts a cluster for one command with this binding. */
    private Optional<LocalEngine> starter(String binding) {
        return world.startedOnDemand().stream()
                .filter(engine -> engine.bindings().contains(binding))
                .findFirst();
    }

    private LocalCluster start(LocalEngine engine, String binding, ClientShare part) {
        if (part.isShare()) {
            List<String> keys = new ArrayList<>();
            Engine.inOrder(world.engines()).stream()
                    .filter(each -> each.bindings().contains(binding))
                    .flatMap(each -> each.remoteProperties().stream().limit(1))
                    .forEach(key -> keys.add(key.name()));
            BindingNames.addresses(binding)
                    .ifPresent(servers -> keys.add(servers.properties().get(0)));
            throw new ConfigException("--client " + part + ": " + binding + " names no cluster and none is up here; one"
                    + " started for this command would not be reached by the other clients. Give its address ("
                    + String.join(" or ", keys) + "), or for clients on one machine: ycsb cluster up");
        }
        Map<String, String> options = switchesOf(engine);
        if (options.containsKey(IsolatedNetwork.OPTION.name())) {
            requireNetwork();
        }
        Path directory = new OwnedDirectories(world.clusters(), engine, world::say).claim();
        world.say(binding + ": no cluster is up, so " + engine.withArticle()
                + " one is started for this command and stopped after it (to keep one: ycsb cluster up)");
        return engine.up(directory, options, Lifetime.OWNED, line -> world.say("  " + line));
    }

    /** Before anything is said or made. */
    private static void requireNetwork() {
        try {
            IsolatedNetwork.requireNew();
        } catch (NodeControlException e) {
            throw new ConfigException("this drill starts its cluster with an option: " + e.getMessage());
        }
    }

    private Map<String, String> switchesOf(LocalEngine engine) {
        List<String> known =
                engine.options().stream().map(LocalEngine.Option::name).toList();
        return switches.stream()
                .map(typed -> typed.split(" ", 2))
                .filter(words -> known.contains(words[0]))
                .collect(Collectors.toMap(words -> words[0], words -> words.length > 1 ? words[1] : "true"));
    }

    /** Whether the user names servers. What else the user sets, such as how rows are written, goes for those of a cluster as well. */
    private static boolean namesServers(String binding, Map<String, String> offered, Properties properties) {
        return BindingNames.addresses(binding)
                .map(servers -> servers.areIn(properties))
                .orElseGet(() -> offered.entrySet().stream()
                        .anyMatch(each ->
                                ADDRESS.matcher(each.getValue()).find() && properties.containsKey(each.getKey())));
    }

    /** A cluster that is up and serves the binding, unless the user names other servers. */
    private Optional<LocalCluster> clusterThatOffers(String binding, Properties properties) {
        for (ClusterDescriptor descriptor : world.clusters().all()) {
            Map<String, String> offered = descriptor.bindings().getOrDefault(binding, Map.of());
            if (offered.isEmpty() || namesServers(binding, offered, properties)) {
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

    private static void requireClass(String name, String bindingClass) {
        Problems problems = new Problems();
        BindingNames.check(name, bindingClass, problems);
        problems.throwIfAny(ConfigException::new);
    }
}

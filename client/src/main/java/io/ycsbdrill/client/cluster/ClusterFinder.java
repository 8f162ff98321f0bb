package io.ycsbdrill.client.cluster;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.inventory.HostedEngine;
import io.ycsbdrill.fault.inventory.HostedNode;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.RemoteCluster;
import io.ycsbdrill.fault.node.declared.DeclaredEngine;
import io.ycsbdrill.fault.node.os.IsolatedNetwork;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds clusters: those of this machine that are recorded, and those on other machines that properties name. */
public final class ClusterFinder {
    /** The longest name of a file to which lock and draft add something. */
    private static final int LONGEST_NAME = 200;

    private static final Pattern OWN_MACHINE = Pattern.compile("^(?<scheme>([a-z]+://)?)(localhost|\\[::1])(?=[:/]|$)");

    private final CommandContext world;

    public ClusterFinder(CommandContext world) {
        this.world = world;
    }

    /**
     * The engine of that name, or of that file, which can start clusters here.
     *
     * @throws ConfigException when there is none, or with everything that is wrong in the file
     */
    public LocalEngine engine(String name) {
        if (DeclaredEngine.isFile(name)) {
            return declared(name);
        }
        List<String> names =
                world.localEngines().stream().map(LocalEngine::name).toList();
        return world.engine(name)
                .orElseThrow(() -> new ConfigException("unknown engine \"" + name + "\": this build has "
                        + (names.isEmpty() ? "none" : String.join(", ", names)) + Engine.hint(name, names)
                        + "; one of your own is a file: ./" + name + ".yaml, see docs/new-engine.md"));
    }

    /**
     * The engine that a file describes.
     *
     * @throws ConfigException with everything that is wrong in it
     */
    public DeclaredEngine declared(String file) {
        return ConfigException.from("", () -> declared(file, world.workingDirectory()));
    }

    private DeclaredEngine declared(String file, Path folder) {
        DeclaredEngine read = DeclaredEngine.read(folder.resolve(file).normalize(), world.engines());
        read.bindings().stream()
                .filter(each -> !each.contains(".") && !BindingNames.all().contains(each))
                .findFirst()
                .ifPresent(each -> {
                    throw new IllegalArgumentException(file + ": bindings: " + BindingNames.unknown(each));
                });
        return read;
    }

    /** Engines that files of the user's describe, for inventories. */
    public BiFunction<String, Path, Optional<HostedEngine>> engineFiles() {
        return (word, folder) -> DeclaredEngine.isFile(word) ? Optional.of(declared(word, folder)) : Optional.empty();
    }

    /**
     * The recorded clusters of this machine, whether they run or not.
     *
     * @param engine empty for those of all engines
     * @throws ConfigException when the engine is unknown
     */
    public List<ClusterDescriptor> recorded(Optional<String> engine) {
        Optional<String> name = engine.map(this::engine).map(LocalEngine::name);
        return world.clusters().all().stream()
                .filter(d -> name.isEmpty() || d.engine().equals(name.get()))
                .toList();
    }

    /**
     * The cluster of this machine, attached; the caller closes it.
     *
     * @throws NodeControlException when nothing proves that its directory is ours, on this machine
     * @throws io.ycsbdrill.fault.node.os.OutsideNetworkException when it has a network of its own, and this process is not in it
     */
    public LocalCluster attach(ClusterDescriptor descriptor) {
        world.clusters().owned(descriptor);
        IsolatedNetwork.requireInside(descriptor.directory());
        return engine(descriptor.engine()).attach(descriptor);
    }

    /**
     * The cluster that a command on its nodes means, attached also when none of its nodes runs; the caller closes it.
     *
     * @param remote the one that properties name; empty for one of this machine
     * @throws ConfigException when there is none or more than one
     */
    public ControlledCluster attach(Optional<String> engine, Optional<RemoteCluster> remote) {
        if (remote.isPresent()) {
            return connect(remote.get());
        }
        List<ClusterDescriptor> found = recorded(engine);
        if (found.isEmpty()) {
            String elsewhere = world.engines().stream()
                    .flatMap(each -> each.remoteProperties().stream().limit(1))
                    .map(Engine.RemoteProperty::typed)
                    .collect(Collectors.joining(" or "));
            throw new ConfigException(
                    "no cluster " + engine.map(e -> "of engine " + e + " ").orElse("")
                            + "is up; start one: ycsb cluster up, or name one elsewhere: " + elsewhere
                            + ", or --inventory FILE, which ycsb init writes");
        }
        if (found.size() > 1) {
            throw new ConfigException("more than one cluster is up; say which with --engine: " + engines(found));
        }
        return ControlledCluster.local(attach(found.get(0)), true);
    }

    /** The names of the clusters' engines, separated by commas. */
    public static String engines(List<ClusterDescriptor> clusters) {
        return clusters.stream().map(ClusterDescriptor::engine).collect(Collectors.joining(", "));
    }

    /**
     * The inventory that the property names; nothing is asked of its hosts.
     *
     * @param properties in effect; its nodes are started with them
     * @throws ConfigException with everything that is wrong in it
     */
    public Optional<Inventory> inventory(Properties properties) {
        String file = properties.getProperty(Inventory.PROPERTY, "");
        if (file.isBlank()) {
            return Optional.empty();
        }
        Path there = world.workingDirectory().resolve(file);
        return ConfigException.from(
                "", () -> Optional.of(Inventory.read(there, world.engines(), engineFiles(), properties)));
    }

    /**
     * The cluster on other machines that an inventory or the properties name; nothing is asked of it.
     *
     * @throws ConfigException when a property that names one is invalid
     */
    public Optional<RemoteCluster> remote(Properties properties) {
        try {
            Optional<Inventory> inventory = inventory(properties)
                    .filter(listed -> !listed.nodes(HostedNode.Role.DATA).isEmpty());
            if (inventory.isPresent()) {
                return Optional.of(hosted(inventory.get(), properties));
            }
            return Engine.inOrder(world.engines()).stream()
                    .flatMap(engine -> engine.remote(world.engineContext(properties)).stream())
                    .findFirst();
        } catch (IllegalArgumentException e) {
            throw new ConfigException(e.getMessage());
        }
    }

    private RemoteCluster hosted(Inventory inventory, Properties properties) {
        RemoteCluster named =
                inventory.engine().cluster(inventory, world.engineContext(effective(inventory, properties)));
        // Pods of another cluster have the same names, and the same addresses here: what is open there is healed there.
        String where = inventory.nodes().stream()
                .map(HostedNode::host)
                .map(host -> host.context().orElse("") + "/" + host.namespace().orElse(""))
                .filter(each -> !each.equals("/"))
                .distinct()
                .collect(Collectors.joining(","));
        return new RemoteCluster(
                named.engine(), named.address(), named.title(), named.properties(), named.connector(), where);
    }

    /** The inventory's own properties, and those given, which count first. */
    public static Properties effective(Inventory inventory, Properties properties) {
        Properties all = new Properties();
        all.putAll(inventory.properties());
        all.putAll(properties);
        return all;
    }

    /**
     * Asks the cluster for its nodes; the caller closes it.
     *
     * @throws ConfigException when its address is invalid
     * @throws NodeControlException when no server of it answers
     */
    public ControlledCluster connect(RemoteCluster remote) {
        String address = String.join(",", addresses(remote.address()));
        // Names of contexts have other characters than files, and may differ in them only.
        Path records = home(remote.where().isEmpty() ? address : address + "," + hash(remote.where()));
        Path locked = recorded(remote).map(ClusterDescriptor::directory).orElse(home(address));
        return ConfigException.from("", () -> new ControlledCluster(remote.connect(), records, locked, true));
    }

    private Path home(String of) {
        String name = of.replaceAll("[^a-z0-9._-]", "_");
        return world.clusters()
                .home("remote-"
                        + (name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + hash(name)));
    }

    private static String hash(String text) {
        return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
    }

    /** The cluster of this machine that it is, by one of its addresses: other commands find the same nodes by their record. */
    private Optional<ClusterDescriptor> recorded(RemoteCluster remote) {
        List<String> named = addresses(remote.address());
        Optional<ClusterDescriptor> own;
        try {
            own = world.clusters().find(remote.engine());
        } catch (NodeControlException e) {
            return Optional.empty(); // a record that cannot be read says nothing of a cluster elsewhere
        }
        return own.filter(cluster -> cluster.bindings().values().stream()
                .flatMap(properties -> properties.values().stream())
                .anyMatch(value -> !Collections.disjoint(addresses(value), named)));
    }

    /** The same for the same servers, in any order and way of writing: lock and records of a cluster are found by these. */
    private static List<String> addresses(String text) {
        return Stream.of(text.split(","))
                .map(each -> each.strip().toLowerCase(Locale.ROOT))
                .map(each -> OWN_MACHINE.matcher(each).replaceFirst("${scheme}127.0.0.1"))
                .sorted()
                .distinct()
                .toList();
    }

    /** The engine's cluster, if it is recorded and at least one of its nodes runs. */
    Optional<LocalCluster> alive(String engine) {
        Optional<ClusterDescriptor> descriptor = world.clusters().find(engine);
        if (descriptor.isEmpty() || world.engine(engine).isEmpty()) {
            return Optional.empty();
        }
        String name = "the " + engine + " cluster in " + descriptor.get().directory();
        try {
            LocalCluster cluster = attach(descriptor.get());
            if (cluster.status().stream().anyMatch(ClusterFinder::runs)) {
                return Optional.of(cluster);
            }
            cluster.close();
            world.say("note: none of the nodes of " + name
                    + " is running, so it is not used (start them, or remove it: ycsb cluster down " + engine + ")");
        } catch (NodeControlException e) {
            world.say("note: " + name + " is not used: " + e.getMessage() + " (remove it: ycsb cluster down " + engine
                    + ")");
        }
        return Optional.empty();
    }

    private static boolean runs(NodeStatus node) {
        return !node.state().needsStart() && node.state() != NodeStatus.State.UNKNOWN;
    }
}

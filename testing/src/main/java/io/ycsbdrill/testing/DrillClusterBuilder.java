package io.ycsbdrill.testing;

import io.ycsbdrill.client.ConfigException;
import io.ycsbdrill.fault.node.ClusterDirectory;
import io.ycsbdrill.fault.node.Engine;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import site.ycsb.DB;

/** Builds a {@link DrillCluster}; begun by its static methods. For one thread; {@link #start} may be called again. */
public final class DrillClusterBuilder {

    /** Finds or makes what controls the nodes. */
    private interface Source {
        Optional<NodeController> open(DrillClusterBuilder settings, Workspace workspace);
    }

    private final Source source;
    private final boolean owned;
    private final Map<String, String> options = new HashMap<>();
    private final Map<String, String> properties = new HashMap<>();
    private Optional<String> binding = Optional.empty();
    private Optional<Path> directory = Optional.empty();
    private Consumer<String> log = line -> {};

    private DrillClusterBuilder(Source source, boolean owned) {
        this.source = source;
        this.owned = owned;
    }

    static DrillClusterBuilder starting(String name) {
        LocalEngine engine = engine(name);
        return new DrillClusterBuilder(
                        (settings, workspace) -> {
                            OpenPackages.require(settings.binding(), name);
                            return Optional.of(
                                    engine.up(workspace.cluster(), settings.options, Lifetime.OWNED, settings.log));
                        },
                        true)
                .binding(engine.bindings().get(0));
    }

    static DrillClusterBuilder attaching(String name) {
        LocalEngine engine = engine(name);
        return new DrillClusterBuilder(
                        (settings, workspace) -> Optional.of(engine.attach(ClusterDirectory.of(System.getenv())
                                .find(name)
                                .orElseThrow(() -> new NodeControlException("no " + name
                                        + " cluster is up on this machine; start one: ycsb cluster up " + name)))),
                        false)
                .binding(engine.bindings().get(0));
    }

    static DrillClusterBuilder given(Optional<NodeController> nodes) {
        return new DrillClusterBuilder((settings, workspace) -> nodes, false);
    }

    private static LocalEngine engine(String name) {
        List<Engine> local = Engine.installed().stream()
                .filter(LocalEngine.class::isInstance)
                .toList();
        return local.stream()
                .filter(engine -> engine.name().equals(name))
                .map(LocalEngine.class::cast)
                .findFirst()
                .orElseThrow(() -> new ConfigException("unknown engine \"" + name + "\": expected one of "
                        + local.stream().map(Engine::name).collect(Collectors.joining(", "))));
    }

    /** Number of data nodes of a cluster that is to be started, as the engine's option {@code data-nodes}; embedded: 1 to 9, 3 unless said. */
    public DrillClusterBuilder dataNodes(int count) {
        return option("data-nodes", String.valueOf(count));
    }

    /** An option of {@code ycsb cluster up} by its name without dashes, for a cluster that is to be started: {@code heap-mb}, {@code backups}. */
    public DrillClusterBuilder option(String name, String value) {
        options.put(name, value);
        return this;
    }

    /** {@code native}, {@code jdbc}, {@code rest} or the name of a class that extends {@link DB}. */
    public DrillClusterBuilder binding(String name) {
        binding = Optional.of(name);
        return this;
    }

    /** Any YCSB binding: public, with a public constructor without arguments; one instance is made for each client thread. */
    public DrillClusterBuilder binding(Class<? extends DB> type) {
        return binding(type.getName());
    }

    /** A YCSB property of all drills on the cluster, for example {@code db.url}. */
    public DrillClusterBuilder property(String name, String value) {
        properties.put(name, value);
        return this;
    }

    /**
     * Everything is written below this directory, which is made when it is missing: the cluster's own files, removed when it is
     * closed, and run directories, which stay. Without it a temporary directory is made, of which only the run directories of failed
     * drills and tests stay.
     */
    public DrillClusterBuilder directory(Path path) {
        directory = Optional.of(path);
        return this;
    }

    /** Receives a line for each step of start, load, fault and recovery, from several threads; without it they are dropped. */
    public DrillClusterBuilder log(Consumer<String> listener) {
        log = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /**
     * Starts or finds the cluster, and returns when all of its nodes are started.
     *
     * @throws ConfigException when an option or the binding is missing or wrong
     * @throws NodeControlException when a node does not come up; what was started is stopped again, its logs are kept, and the message
     *     says where
     */
    public DrillCluster start() {
        binding();
        Workspace workspace = Workspace.in(directory);
        try {
            return new DrillCluster(source.open(this, workspace), owned, this, workspace);
        } catch (IllegalArgumentException e) {
            workspace.close();
            throw new ConfigException(e.getMessage());
        } catch (RuntimeException e) {
            workspace.close();
            throw e;
        }
    }

    String binding() {
        return binding.orElseThrow(() -> new ConfigException(
                "no binding: give one by binding(...): jdbc, rest, native or a class that extends site.ycsb.DB"));
    }

    Map<String, String> properties() {
        return Map.copyOf(properties);
    }

    Consumer<String> log() {
        return log;
    }
}

package io.ycsbdrill.fault.node.kit;

import io.ycsbdrill.fault.node.ClusterDescriptor;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine;
import io.ycsbdrill.fault.node.OptionReader;
import io.ycsbdrill.fault.node.haproxy.HaproxyOptions;
import io.ycsbdrill.fault.node.haproxy.HaproxyTool;
import io.ycsbdrill.fault.node.haproxy.HealthCheck;
import io.ycsbdrill.fault.node.os.CompilerTool;
import io.ycsbdrill.fault.node.os.DiskShim;
import io.ycsbdrill.fault.node.os.SandboxFeature;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * How one engine's clusters are made on this machine: only what no other engine has in common with it. The kit does the rest, in this
 * order: options, {@link #require}, checks of path and system; the claim of the directory, sandbox, ports, folders, {@link #write}, the
 * watchdog; {@link #open}, {@link #bringUp}, the proxy; and it undoes all of it when a step fails. How a node is run afterwards is said
 * by the cluster that {@link #open} returns. Stateless and thread-safe.
 *
 * @param <O> the engine's own options, read and checked
 * @param <C> its cluster
 */
public interface EngineRecipe<O, C extends ProcessCluster<?>> extends LocalEngine {

    // --- What an engine says

    /** The engine's name for people: {@code Galera}. */
    String title();

    /** Options that no other engine has. */
    List<Option> ownOptions();

    /** Reads them; what is wrong, also together with the options that the kit has read, is reported through the reader. */
    O read(OptionReader reader, CommonOptions common);

    /** How many data nodes a cluster begins with; they are {@code node1}, {@code node2}, ... */
    int nodes(O options);

    /** Whether nodes can join and leave, so that a cluster may have spare ones. */
    default boolean grows() {
        return true;
    }

    /** Servers without data that have a network of their own where the nodes have. */
    default List<String> helpers() {
        return List.of();
    }

    /** What cannot be had of the sandbox; nothing for most engines. */
    default Set<SandboxFeature> without() {
        return Set.of();
    }

    /** Whether nodes with a network of their own must have addresses that programs take for loopback ones. */
    default boolean loopback() {
        return false;
    }

    /** How an HAProxy in front of the nodes finds out who is well; empty for an engine without one. */
    default Optional<HealthCheck> proxied() {
        return Optional.empty();
    }

    /**
     * Checks that there is an installation to make a cluster of; the first step of a start.
     *
     * @return folders in which an HAProxy may be as well
     * @throws io.ycsbdrill.fault.node.NodeControlException saying where it was looked for, and what to do
     */
    List<Path> require(O options);

    /** The longest path of a socket in the cluster's directory; empty when there is none. */
    default Optional<Path> longestSocket(Path directory) {
        return Optional.empty();
    }

    /** How many ports each node has, spare ones included. */
    default int portsPerNode() {
        return 0;
    }

    /** How many further ports a cluster has. */
    default int sharedPorts(O options) {
        return 0;
    }

    /** Writes configurations, scripts and keys; the cluster's folder, {@code run} and {@code log} are there, for this user only. */
    void write(ClusterPlan<O> plan) throws IOException;

    /** The engine's version as far as it is known before its servers run; {@code unknown} when it is not. */
    String version(ClusterPlan<O> plan);

    /** Per binding, the properties that reach the cluster. */
    Map<String, Map<String, String>> bindings(ClusterPlan<O> plan);

    /** What {@link #open} needs, in this process or another; what the engine's controller needs to attach again. */
    Map<String, String> state(ClusterPlan<O> plan);

    /**
     * The cluster, not watched yet.
     *
     * @throws io.ycsbdrill.fault.node.NodeControlException when nothing of it is left
     */
    C open(ClusterDescriptor descriptor);

    /** Starts the members of a new cluster, which is watched, and returns when all of them have recovered. */
    void bringUp(ClusterPlan<O> plan, C cluster) throws IOException;

    /** Addresses of the nodes behind the proxy, as {@code host:port}, by node. */
    default Map<String, String> servers(ClusterPlan<O> plan) {
        return Map.of();
    }

    /** Ports that the proxy asks whether a node is well, by node; none where it asks the server itself. */
    default Map<String, Integer> checked(ClusterPlan<O> plan) {
        return Map.of();
    }

    // --- What the kit does

    @Override
    default List<Option> options() {
        List<Option> all = new ArrayList<>(ownOptions());
        if (grows()) {
            all.add(1, Members.OPTION); // after the number of nodes
        }
        all.addAll(NodeSandbox.options(without()));
        if (proxied().isPresent()) {
            all.addAll(HaproxyOptions.ALL);
        }
        return List.copyOf(all);
    }

    /**
     * The engine's own options, read.
     *
     * @throws IllegalArgumentException naming every invalid option with its value and range
     */
    default O parse(Map<String, String> given) {
        return ClusterStart.of(this, given).options();
    }

    @Override
    default void check(Map<String, String> options) {
        parse(options);
    }

    @Override
    default LocalCluster up(Path directory, Map<String, String> options, Lifetime lifetime, Consumer<String> progress) {
        return ClusterStart.of(this, options).up(directory.toAbsolutePath().normalize(), lifetime, progress);
    }

    @Override
    default LocalCluster attach(ClusterDescriptor descriptor) {
        C cluster = open(descriptor);
        cluster.follow(this);
        cluster.begin();
        return cluster;
    }

    @Override
    default void removeLeftovers(Path directory) {
        Teardown.run(directory.toAbsolutePath().normalize(), null);
    }

    @Override
    default List<Tool> tools() {
        List<Tool> tools = new ArrayList<>();
        proxied().ifPresent(check -> tools.add(HaproxyTool.HAPROXY));
        if (!without().contains(DiskShim.FEATURE)) {
            tools.add(CompilerTool.CC);
        }
        return tools;
    }
}

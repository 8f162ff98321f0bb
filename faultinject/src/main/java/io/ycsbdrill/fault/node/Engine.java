package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.Finding;
import io.ycsbdrill.base.NearestName;
import io.ycsbdrill.base.Services;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A database engine whose clusters can be connected to and diagnosed. One that can also start clusters on this machine is a
 * {@link LocalEngine}. Found by {@link java.util.ServiceLoader}: a new engine is its package and a line in the services file.
 * Implementations are stateless and thread-safe.
 */
public interface Engine {

    /** The name as typed: {@code embedded}, {@code ndb}, {@code galera}. */
    String name();

    /** What people may type for it, in small letters, because the product, or what it is a kind of, is called so: {@code rondb}. */
    default List<String> alsoCalled() {
        return List.of();
    }

    /** The place in the search for a cluster and in the doctor's report: lower ones come first. */
    int order();

    /** Names of the bindings that reach its clusters, the preferred one first; at least one. */
    List<String> bindings();

    /** The shipped drill that answers what its operators ask first: where one node takes all writes, what its loss costs. */
    default String firstDrill() {
        return "node-restart";
    }

    /**
     * The cluster on other machines that the properties name; empty when they name none of this engine. Nothing is asked of it.
     *
     * @throws IllegalArgumentException when a property, or a file that one names, is invalid
     */
    default Optional<RemoteCluster> remote(EngineContext context) {
        return Optional.empty();
    }

    /**
     * What asks for this engine, for messages, when properties or environment do, even if they name no cluster:
     * {@code NDB_HOME}. Empty when nothing does.
     *
     * @throws IllegalArgumentException as {@link #remote}
     */
    default Optional<String> requestedBy(EngineContext context) {
        return remote(context).map(RemoteCluster::title);
    }

    /** The properties by which commands under {@code cluster} name a cluster on other machines, the main one first; often none. */
    default List<RemoteProperty> remoteProperties() {
        return List.of();
    }

    /** How the nodes of a cluster on other machines come under control, for messages: which cluster, and by which property. */
    default Optional<String> remoteHint() {
        return Optional.empty();
    }

    /** What this machine has and lacks for the engine, for {@code ycsb doctor}. May run programs to ask for their versions. */
    default List<Finding> diagnose(EngineContext context) {
        return List.of();
    }

    /** Programs that its clusters may use beside its own; each is diagnosed once, however many engines use it. */
    default List<Tool> tools() {
        return List.of();
    }

    /**
     * A property that names a cluster on other machines.
     *
     * @param name for example {@code ndb.connectstring}
     * @param example a value, for messages: {@code HOST:1186}
     * @param meaning what it names, a few words
     */
    record RemoteProperty(String name, String example, String meaning) {
        /** As typed: {@code -p name=example}. */
        public String typed() {
            return "-p " + name + "=" + example;
        }
    }

    /** A program that several engines may use; equal objects are the same tool. */
    interface Tool {
        /** What this machine has and lacks of it, for {@code ycsb doctor}. */
        List<Finding> diagnose(EngineContext context);
    }

    /** {@code ; did you mean "ndb"?} for a name that is mistyped, or that the engine is called by as well; or nothing. */
    static String hint(String typed, Collection<String> names) {
        String lower = typed.toLowerCase(Locale.ROOT);
        return NearestName.hint(
                installed().stream()
                        .filter(engine -> names.contains(engine.name())
                                && engine.alsoCalled().contains(lower))
                        .map(Engine::name)
                        .findFirst()
                        .orElse(typed),
                names);
    }

    /** All engines, in their order. */
    static List<Engine> installed() {
        return inOrder(Services.installed(Engine.class));
    }

    /** The engines, sorted by {@link #order}, then by name. */
    static List<Engine> inOrder(List<Engine> engines) {
        return engines.stream()
                .sorted(Comparator.comparingInt(Engine::order).thenComparing(Engine::name))
                .toList();
    }
}

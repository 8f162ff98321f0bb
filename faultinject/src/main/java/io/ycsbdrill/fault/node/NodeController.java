package io.ycsbdrill.fault.node;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Access to one cluster for a drill: its nodes, their state, the events that the engine reports, and, as capabilities, the
 * operations on nodes.
 *
 * <p>All methods may be called from any thread. An operation on a node blocks until its effect is confirmed (the process
 * is gone, the node is declared started, ...) or its bound has passed. One operation at a time runs on a node; a second
 * caller waits.
 */
public interface NodeController extends AutoCloseable {

    /** Short name of the engine as typed on the command line, for example {@code embedded} or {@code ndb}. */
    String engine();

    /** Version of the engine as the engine itself reports it; {@code unknown} when it cannot be asked now. */
    String engineVersion();

    /**
     * The data nodes that belong to the cluster, in a fixed order; they do not change while the controller is open, except
     * through {@link Expandable}.
     */
    List<NodeInfo> nodes();

    /**
     * Servers through which clients reach the data and that hold none of it, such as SQL nodes; in a fixed order, often none.
     * Faults hit them only when they are named.
     */
    default List<NodeInfo> frontEnds() {
        return List.of();
    }

    /**
     * Current state of every data node, in the order of {@link #nodes()}, and of every one of the {@link #frontEnds()}.
     *
     * @throws NodeControlException when the cluster's state cannot be found out at all
     */
    List<NodeStatus> status();

    /**
     * What the processes of the servers have used so far, by the name of each: data nodes, front ends, and others that serve clients.
     * Asks none of them, but the kernels of their hosts, so it is cheap. A server without a process, or of whose process nothing is known
     * here, is left out.
     */
    default Map<String, NodeUse> use() {
        return Map.of();
    }

    /** Names of the servers without whose use that of all together is not known: data nodes, and servers between clients and them. */
    default List<String> metered() {
        return Stream.concat(nodes().stream(), frontEnds().stream())
                .map(NodeInfo::id)
                .toList();
    }

    /**
     * The node that coordinates the cluster now: NDB's president (lowest dynamic id), Ignite's coordinator. Empty when the
     * engine has no such role or no node holds it at the moment.
     */
    Optional<String> primary();

    /** Whether a step can choose by {@link #primary} now; of a cluster that is not asked, whether it may. */
    default boolean hasPrimary() {
        return primary().isPresent();
    }

    /** Why there is no {@link #primary}, and what to do about it, for messages. */
    default String noPrimary() {
        return noPrimary(engine());
    }

    /** The same of an engine whose nodes are never primary. */
    static String noPrimary(String engine) {
        return "no node of " + engine + " is primary; use random or a node's id";
    }

    /** The zone of each data node that is in one, by its id; empty when nobody has said so. */
    default Map<String, String> zones() {
        return Map.of();
    }

    /** Replicas that a commit waits for now, in the order of the nodes; empty when the engine has none, or no commit waits. */
    default List<String> synchronous() {
        return List.of();
    }

    /** Whether there are any; of a cluster that is not asked, whether there may be. */
    default boolean hasSynchronous() {
        return !synchronous().isEmpty();
    }

    /**
     * The given capability of this controller, for example {@code capability(Killable.class)}; empty when the engine or the
     * way the cluster is run does not have it.
     */
    <C> Optional<C> capability(Class<C> type);

    /**
     * Notifies the listener of every engine event from now on. Listeners are called on the controller's own watching thread, in
     * order of arrival and outside of any lock; they must not block.
     *
     * @return closes the subscription; closing twice is harmless
     */
    AutoCloseable listen(Consumer<EngineEvent> listener);

    /** Stops watching. Leaves the nodes as they are. Closing twice is harmless. */
    @Override
    void close();
}

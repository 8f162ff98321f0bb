package io.ycsbdrill.fault;

import io.ycsbdrill.base.TableSchema;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.UserCommands;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** What a fault demands of a cluster, and on which of its nodes it can be: asked before a drill. */
public interface Demands {

    /** The capabilities that the controller must have for injecting, ending and healing. */
    default Set<Class<?>> needs() {
        return Set.of(Traits.Of.fault(this).needs());
    }

    /**
     * What {@code cluster up} needs, as typed after {@code --}, to give nodes these capabilities, where the engine has it; empty
     * when they need nothing.
     */
    default Optional<String> clusterSwitch() {
        return Optional.empty();
    }

    /** Why it cannot be applied to this cluster, which has the capabilities. Empty when it can. */
    default List<String> refusals(NodeController controller) {
        return List.of();
    }

    /** Why it cannot be applied to this cluster, by what its servers answer when they are all up. Empty when it can. */
    default List<String> refusalsOnceHealed(NodeController controller) {
        return List.of();
    }

    /**
     * Why it can never be applied to what the selector chooses; empty when it may be.
     *
     * @param primary who is primary when it is injected; empty where that is not known before
     * @param again whether it is injected more than once
     */
    default Optional<String> refusal(NodeSelector selector, Supplier<Optional<String>> primary, boolean again) {
        return Optional.empty();
    }

    /** Why a second cycle of the drill could not apply it again; empty when it could. */
    default Optional<String> onlyOnce() {
        return Optional.empty();
    }

    /** Whether it takes what a node has, which another one must have: it is never done to all of them at once. */
    default boolean takesCopy() {
        return false;
    }

    /** Whether it takes back acknowledged writes, as is its purpose. */
    default boolean takesBack() {
        return false;
    }

    /** The fault that an earlier step must be, and have ended; empty when it needs none. */
    default Optional<String> follows() {
        return Optional.empty();
    }

    /** The change of a table's schema that it makes; empty when it makes none. */
    default Optional<TableSchema.Change> alters() {
        return Optional.empty();
    }

    /** What it is done to. */
    default Subject subject() {
        return Traits.Of.fault(this).subject();
    }

    /** What selectors choose from: the data nodes, or the servers for a network fault; may be empty. */
    default List<NodeInfo> targets(NodeController controller) {
        return controller.nodes();
    }

    /** Further nodes that it can be applied to when a step names them, beside the {@link #targets}. */
    default List<NodeInfo> namedTargets(NodeController controller) {
        return Traits.Of.fault(this).dataNodesOnly() ? List.of() : controller.frontEnds();
    }

    /** The user's own commands that it runs. */
    default UserCommands commands() {
        return UserCommands.NONE;
    }

    /** What a fault is done to. */
    enum Subject {
        /** A node of the cluster. */
        NODE,
        /** The links between clients and servers, by a proxy of this tool's: no node is touched. */
        CLIENT_LINKS,
        /** Nothing: a placebo. */
        NOTHING
    }
}

package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.UserCommand;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What is done to a node, without where ({@link NodeSelector}) and when. Immutable.
 *
 * <p>A fault has one or two halves. {@link #inject} brings it about; a fault with a {@link #hold} is ended by {@link #end} when
 * the hold is over (a restart starts the node again, a pause resumes it). Both return when their effect is confirmed.
 * {@link #heal} undoes whatever is left of it, may be called at any time, without or after an injection, and any number of
 * times.
 *
 * <p>All three throw {@link io.ycsbdrill.fault.node.NodeControlException} when the node does not respond as expected.
 */
public sealed interface Fault
        permits BringsDown,
                StartNode,
                GreyFault,
                ResumeNode,
                NetworkFault,
                RunCommand,
                BackUp,
                RollingChange,
                AddNode,
                RemoveNode,
                Rebalance,
                NoFault {

    /** The name in drill files, markers and docs: {@code kill}. */
    String name();

    /** The label in charts: {@code R} for restart, {@code init} for initialise, else the name. */
    default String label() {
        return name();
    }

    /** The state that a node must be in for this fault to make sense: started, except for a fault that brings a node back. */
    default NodeStatus.State expects() {
        return NodeStatus.State.STARTED;
    }

    /** Whether it belongs to a recovery that is under way, instead of beginning one. */
    default boolean bringsBack() {
        return expects() != NodeStatus.State.STARTED;
    }

    /** The capabilities that the controller must have for injecting, ending and healing. */
    Set<Class<?>> needs();

    /**
     * What {@code cluster up} needs, as typed after {@code --}, to give nodes these capabilities, where the engine has it; empty
     * when they need nothing.
     */
    default Optional<String> clusterSwitch() {
        return Optional.empty();
    }

    /** Why it cannot be applied to this cluster, which has the capabilities; asked before a drill. Empty when it can. */
    default List<String> refusals(NodeController controller) {
        return List.of();
    }

    /** Why a second cycle of the drill could not apply it again; empty when it could. */
    default Optional<String> onlyOnce() {
        return Optional.empty();
    }

    /** What selectors choose from: the data nodes, or the servers for a network fault; may be empty. */
    default List<NodeInfo> targets(NodeController controller) {
        return controller.nodes();
    }

    /** Further nodes that it can be applied to when a step names them, beside the {@link #targets}. */
    default List<NodeInfo> namedTargets(NodeController controller) {
        return controller.frontEnds();
    }

    /** Brings the fault about on one node. */
    void inject(NodeController controller, NodeInfo node, FaultContext context);

    /** What a confirmed injection says about the node. */
    Effect injected();

    /** The state by which a node shows the effect; empty when it shows in another way. */
    default Optional<NodeStatus.State> leadsTo() {
        return Optional.empty();
    }

    /**
     * Looks whether the effect is there: what makes a fault count is seen apart from who brought it about. Asked again until
     * it is, for {@link #effectBound} after a confirmed injection; then the fault has failed.
     */
    default Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        NodeStatus.State state = leadsTo().orElseThrow();
        return Sight.of(controller, node, now -> now == state);
    }

    /** Whether the effect is also proven by the engine's own report that the node is down. */
    default boolean provenByNodeDown() {
        return injected() == Effect.NODE_DOWN;
    }

    /**
     * Whether its effect can be seen only when the injection is confirmed. A look before that would find the effect of an earlier one.
     */
    default boolean showsWhenInjected() {
        return false;
    }

    /** The longest time from a confirmed injection until the effect is seen. */
    default Duration effectBound() {
        return Duration.ofSeconds(10);
    }

    /** The user's own commands that it runs. */
    default List<UserCommand> commands() {
        return List.of();
    }

    /** The longest time that each of them may run. */
    default Duration commandBound() {
        return RunCommand.DEFAULT_BOUND;
    }

    /**
     * What of its node it needs for itself while it is in force: {@code links}. A second fault of the same would replace
     * it and end it unseen. Empty when others may be in force beside it.
     */
    default Optional<String> claims() {
        return Optional.empty();
    }

    /** Why it cannot be in force on a node together with the other one; empty when it can. */
    default Optional<String> conflict(Fault other) {
        return claims().filter(part -> other.claims().filter(part::equals).isPresent())
                .map(part -> name() + " and " + other.name() + " both concern its " + part
                        + ", and one would replace the other; let one end first, or take another node");
    }

    /** How long it lasts before {@link #end}; empty when it has one half only. */
    default Optional<Hold> hold() {
        return Optional.empty();
    }

    /** The second half; only called for faults with a hold. */
    default void end(NodeController controller, NodeInfo node, FaultContext context) {}

    /** What a confirmed end says about the node. */
    default Effect ended() {
        return Effect.NONE;
    }

    /** Undoes what is left of it. Returns when the node's process runs; awaiting its recovery is up to the caller. */
    void heal(NodeController controller, NodeInfo node, FaultContext context);

    /** The user's own command that heals it on this node; empty when {@link #heal} needs the controller only. */
    default List<String> healCommand(NodeInfo node) {
        return List.of();
    }

    /** The user's own command that ends with 0 when the node is healed; empty when there is none. */
    default List<String> healedCommand(NodeInfo node) {
        return List.of();
    }

    /** The phases that a node may reach through this fault alone, in order. */
    List<Phase> reaches();

    /** The phase in which the effects of this fault are complete: {@code down} for a kill, {@code recovered} for a restart. */
    default Phase settlesAt() {
        return Phase.RECOVERED;
    }

    /** Whether its effects stay until it is healed at the end of the drill, so that nobody waits for the node before that. */
    default boolean staysUntilTheEnd() {
        return settlesAt() == Phase.DOWN;
    }

    /** Whether a confirmed injection leaves something to {@link #heal} at the end of the drill. */
    default boolean healsAtTheEnd() {
        return settlesAt() == Phase.DOWN;
    }

    /** Whether a node that is found down after {@link #end} is started, because the cluster has ejected it. */
    default boolean startsEjectedNode() {
        return false;
    }
}

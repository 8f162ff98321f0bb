package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import java.util.stream.Stream;

/**
 * What is done to a node, without where ({@link NodeSelector}) and when. Immutable.
 *
 * <p>A fault has one or two halves. {@link #inject} brings it about; a fault with a {@link #hold} is ended by {@link #end} when
 * the hold is over (a restart starts the node again, a pause resumes it). Both return when their effect is confirmed.
 * {@link #heal} undoes whatever is left of it, may be called at any time, without or after an injection, and any number of
 * times. All three throw {@link io.ycsbdrill.fault.node.NodeControlException} when the node does not respond as expected.
 *
 * <p>All else about it is data: what it {@link Demands demands} of a cluster, its {@link Course course}, the {@link Proof proof} of
 * its effect, and its {@link Interplay interplay} with other faults. Nobody outside this package asks which fault it is.
 */
public sealed interface Fault extends Demands, Course, Proof, Interplay
        permits BringsDown,
                StartNode,
                GreyFault,
                ResumeNode,
                NetworkFault,
                CommandFault,
                BackUp,
                AlterTable,
                RollingChange,
                AddNode,
                RemoveNode,
                Rebalance,
                Switchover,
                Failover,
                NoFault {

    /** The name in drill files, markers and docs: {@code kill}. */
    @Override
    default String name() {
        return Traits.Of.fault(this).name();
    }

    /** The label in charts: {@code R} for restart, {@code init} for initialise, else the name. */
    default String label() {
        String own = Traits.Of.fault(this).label();
        return own.isEmpty() ? name() : own;
    }

    /** Brings the fault about on one node. */
    void inject(NodeController controller, NodeInfo node, FaultContext context);

    /** The second half; only called for faults with a hold. */
    default void end(NodeController controller, NodeInfo node, FaultContext context) {}

    /** Starts a node that is found down after its end, where {@link #startsEjectedNode} says so. */
    default void startAgain(NodeController controller, NodeInfo node) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    /** Undoes what is left of it. Returns when the node's process runs; awaiting its recovery is up to the caller. */
    void heal(NodeController controller, NodeInfo node, FaultContext context);

    @Override
    default NodeChange changes() {
        return Stream.of(Traits.Of.fault(this).changes())
                .findFirst()
                .orElse(injected().change());
    }

    @Override
    default boolean provenByNodeDown() {
        return injected() == Effect.NODE_DOWN;
    }
}

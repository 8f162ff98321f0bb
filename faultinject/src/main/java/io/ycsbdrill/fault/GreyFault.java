package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Troubles a node for a time without ending its process; the others may eject it over that, and it may then end itself. */
public sealed interface GreyFault extends Fault
        permits PauseNode, ProcessFault, StarveNode, SqueezeNode, PartitionFault, DiskFault, ClockFault {

    /** How long it lasts; positive. */
    Duration duration();

    @Override
    default Optional<Hold> hold() {
        return Optional.of(new Hold(duration(), false));
    }

    @Override
    default Effect ended() {
        return Effect.RELEASED;
    }

    @Override
    default void heal(NodeController controller, NodeInfo node, FaultContext context) {
        end(controller, node, context);
    }

    @Override
    default List<Phase> reaches() {
        return Course.Reach.ALL.phases();
    }

    @Override
    default boolean startsEjectedNode() {
        return true;
    }
}

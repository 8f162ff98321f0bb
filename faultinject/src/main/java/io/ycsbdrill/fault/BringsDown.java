package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Startable;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Brings a node down; it stays down until it is started. */
public sealed interface BringsDown extends Fault permits KillNode, StopNode, PowerLoss, DownAndUp {

    /** How it is brought down. */
    StopMode mode();

    @Override
    default Set<Class<?>> needs() {
        return Set.of(mode().capability(), Startable.class);
    }

    @Override
    default void inject(NodeController controller, NodeInfo node, FaultContext context) {
        mode().bringDown(controller, node.id(), context);
    }

    @Override
    default Effect injected() {
        return Effect.NODE_DOWN;
    }

    @Override
    default Optional<NodeStatus.State> leadsTo() {
        return Optional.of(NodeStatus.State.DOWN);
    }

    @Override
    default void heal(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    default List<Phase> reaches() {
        return Course.Reach.DOWN.phases();
    }

    @Override
    default Settles settles() {
        return Settles.DOWN;
    }

    @Override
    default Lasts lasts() {
        return Lasts.UNTIL_STARTED;
    }
}

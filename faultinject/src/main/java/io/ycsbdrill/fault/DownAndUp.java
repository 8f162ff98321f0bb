package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Brings a node down and up again: it is started when it has been down for the time given and the survivors have handled its
 * failure.
 */
public sealed interface DownAndUp extends Fault permits RestartNode, InitialiseNode {

    /** How it is brought down. */
    StopMode mode();

    /** The least time between its process's end and its start; not negative. */
    Duration down();

    @Override
    default void inject(NodeController controller, NodeInfo node, FaultContext context) {
        mode().bringDown(controller, node.id(), context);
    }

    @Override
    default Effect injected() {
        return Effect.NODE_DOWN;
    }

    @Override
    default Optional<Hold> hold() {
        return Optional.of(new Hold(down(), true));
    }

    @Override
    default void end(NodeController controller, NodeInfo node, FaultContext context) {
        heal(controller, node, context);
    }

    @Override
    default Effect ended() {
        return Effect.PROCESS_STARTED;
    }

    @Override
    default void heal(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    default List<Phase> reaches() {
        return Reach.ALL;
    }
}

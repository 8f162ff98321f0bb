package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Brings a node down, and up again when it was down for the time given and the survivors have handled its failure. */
public sealed interface DownAndUp extends BringsDown permits RestartNode, InitialiseNode, DamageFiles, BackUp.Restore {

    /** The least time between its process's end and its start; not negative. */
    Duration down();

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
    default List<Phase> reaches() {
        return Course.Reach.ALL.phases();
    }

    @Override
    default Settles settles() {
        return Settles.RECOVERED;
    }

    @Override
    default Lasts lasts() {
        return Lasts.ITS_TIME;
    }
}

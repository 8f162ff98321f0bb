package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;

/** Starts a node that an earlier step has brought down. */
@Traits(
        name = "start",
        needs = Startable.class,
        expects = NodeStatus.State.DOWN,
        injected = Effect.PROCESS_STARTED,
        reaches = Course.Reach.UP)
public record StartNode() implements Fault {

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Sight.of(controller, node, now -> !now.state().needsStart());
    }

    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        inject(controller, node, context);
    }
}

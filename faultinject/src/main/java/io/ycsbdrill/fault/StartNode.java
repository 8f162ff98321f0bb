package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import java.util.List;
import java.util.Set;

/** Starts a node that an earlier step has brought down. */
public record StartNode() implements Fault {

    @Override
    public String name() {
        return "start";
    }

    @Override
    public NodeStatus.State expects() {
        return NodeStatus.State.DOWN;
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Startable.class);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    public Effect injected() {
        return Effect.PROCESS_STARTED;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Sight.of(controller, node, now -> !now.needsStart());
    }

    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        inject(controller, node, context);
    }

    @Override
    public List<Phase> reaches() {
        return Reach.UP;
    }
}

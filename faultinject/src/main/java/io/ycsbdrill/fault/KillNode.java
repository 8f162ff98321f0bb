package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import java.util.List;
import java.util.Set;

/** Ends a node's process with SIGKILL; the node stays down until it is started. */
public record KillNode() implements Fault {

    @Override
    public String name() {
        return "kill";
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Killable.class, Startable.class);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        StopMode.KILL.bringDown(controller, node.id(), context);
    }

    @Override
    public Effect injected() {
        return Effect.NODE_DOWN;
    }

    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    public List<Phase> reaches() {
        return Reach.DOWN;
    }

    @Override
    public Phase settlesAt() {
        return Phase.DOWN;
    }
}

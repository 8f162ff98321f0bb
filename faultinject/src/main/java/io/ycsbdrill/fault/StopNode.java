package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Stops a node through the engine's management interface; it stays down until it is started.
 *
 * @param mode {@link StopMode#GRACEFUL} or {@link StopMode#ABORT}; to kill is {@link KillNode}
 */
public record StopNode(StopMode mode) implements Fault {

    public StopNode {
        Objects.requireNonNull(mode, "mode");
        if (mode == StopMode.KILL) {
            throw new IllegalArgumentException("a stop is graceful or abort; use kill to kill");
        }
    }

    @Override
    public String name() {
        return "stop";
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Stoppable.class, Startable.class);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        mode.bringDown(controller, node.id(), context);
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

package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;
import java.util.Set;

/** Resumes a paused node (SIGCONT), sooner than its pause would. */
public record ResumeNode() implements Fault {

    @Override
    public String name() {
        return "resume";
    }

    @Override
    public NodeStatus.State expects() {
        return NodeStatus.State.PAUSED;
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Pausable.class);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Pausable.class).resume(node.id());
    }

    @Override
    public Effect injected() {
        return Effect.RELEASED;
    }

    @Override
    public NodeChange changes() {
        return NodeChange.RESUMED;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Sight.of(controller, node, now -> now != NodeStatus.State.PAUSED && now != NodeStatus.State.UNKNOWN);
    }

    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        inject(controller, node, context);
    }

    @Override
    public List<Phase> reaches() {
        return List.of(Phase.RECOVERED);
    }
}

package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Sight;

/** Resumes a paused node (SIGCONT), sooner than its pause would. */
@Traits(
        name = "resume",
        needs = Pausable.class,
        expects = NodeStatus.State.PAUSED,
        injected = Effect.RELEASED,
        changes = NodeChange.RESUMED)
public record ResumeNode() implements Fault {

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Pausable.class).resume(node.id());
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Sight.of(
                controller,
                node,
                now -> now.state() != NodeStatus.State.PAUSED && now.state() != NodeStatus.State.UNKNOWN);
    }

    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        inject(controller, node, context);
    }
}

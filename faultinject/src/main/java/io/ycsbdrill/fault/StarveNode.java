package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.trouble.Starvable;
import java.time.Duration;

/**
 * Takes processor time from a node (SIGSTOP and SIGCONT in turn): a grey failure, as it answers, but late. A node that the others
 * eject over it, and that ends itself, is started afterwards.
 *
 * <p>Once a step has ended that process, later faults of the node do not conflict with it, even during recovery. It is over when
 * a step has started the node again (or a rolling change has restarted it), or has removed the node.
 *
 * @param share of the time for which its process is stopped, above 0 and below 1
 * @param duration how long; positive
 */
@Traits(
        name = StarveNode.NAME,
        needs = {Starvable.class, Startable.class},
        dataNodesOnly = true,
        claims = Interplay.Part.PROCESSOR_TIME,
        lasts = Lasts.WITH_ITS_PROCESS,
        looksPaused = true)
public record StarveNode(double share, Duration duration) implements GreyFault {
    /** Its name in drill files. */
    public static final String NAME = "starve";

    public StarveNode {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("share " + share + " is not above 0 and below 1");
        }
        Hold.requirePositive(duration);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Starvable.class).starve(node.id(), share);
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Starvable.class).look(node.id());
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Starvable.class).relieve(node.id());
    }
}

package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Starvable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Takes processor time from a node (SIGSTOP and SIGCONT in turn): a grey failure, as it answers, but late. A node that the others
 * eject over it, and that ends itself, is started afterwards.
 *
 * <p>From the moment at which a step has ended the process that it is done to, it is no conflict for later faults of its node, also
 * while the node recovers. It is over when a step has started a process of the node again (or a rolling change has restarted it),
 * or has removed the node.
 *
 * @param share of the time for which its process is stopped, above 0 and below 1
 * @param duration how long; positive
 */
public record StarveNode(double share, Duration duration) implements GreyFault {
    /** Its name in drill files. */
    public static final String NAME = "starve";

    /** What of a node it needs for itself, as a pause does. */
    static final String PROCESSOR_TIME = "processor time";

    public StarveNode {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("share " + share + " is not above 0 and below 1");
        }
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("duration " + duration + " is not positive");
        }
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Starvable.class, Startable.class);
    }

    @Override
    public Optional<String> claims() {
        return Optional.of(PROCESSOR_TIME);
    }

    @Override
    public List<NodeInfo> namedTargets(NodeController controller) {
        return List.of();
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

package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.time.Duration;
import java.util.Optional;

/**
 * Nothing is done, for a while: a placebo, which must leave no trace in the results. Its node is chosen as for any fault.
 *
 * @param duration positive
 */
@Traits(name = "none", subject = Demands.Subject.NOTHING)
public record NoFault(Duration duration) implements Fault {

    public NoFault {
        Hold.requirePositive(duration);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {}

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return new Sight(true, "nothing is done to " + node.id());
    }

    @Override
    public Optional<Hold> hold() {
        return Optional.of(new Hold(duration, false));
    }

    /** Nothing was done, so there is nothing to undo. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}
}

package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.os.MemoryGroups;
import io.ycsbdrill.fault.node.trouble.Squeezable;
import java.time.Duration;
import java.util.Optional;

/**
 * Limits the memory of a node below what it has in use: a grey failure, as it reads its files again and again. When what it asks
 * for cannot be made free the kernel ends it, and it is started when the limit is lifted.
 *
 * @param share of the memory in use that it keeps, above 0 and below 1
 * @param duration how long; positive
 */
@Traits(
        name = "memory",
        needs = {Squeezable.class, Startable.class},
        dataNodesOnly = true,
        effectBound = 30,
        claims = Interplay.Part.MEMORY)
public record SqueezeNode(double share, Duration duration) implements GreyFault {

    public SqueezeNode {
        if (!(share > 0 && share < 1)) {
            throw new IllegalArgumentException("share " + share + " is not above 0 and below 1");
        }
        Hold.requirePositive(duration);
    }

    @Override
    public Optional<String> clusterSwitch() {
        return Optional.of(MemoryGroups.OPTION.name());
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Squeezable.class).squeeze(node.id(), share);
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Squeezable.class).lookForPressure(node.id());
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Squeezable.class).release(node.id());
    }
}

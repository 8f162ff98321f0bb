package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Rebalanceable;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;

/** Spreads the data over nodes that were added: an operation of the whole cluster and no failure. It is injected when it is complete. */
@Traits(
        name = "rebalance",
        needs = Rebalanceable.class,
        dataNodesOnly = true,
        injected = Effect.RELEASED,
        showsWhenInjected = true)
public record Rebalance() implements Fault {

    @Override
    public List<String> refusals(NodeController controller) {
        return controller.capability(Rebalanceable.class).flatMap(Rebalanceable::rebalanceLacks).stream()
                .toList();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Rebalanceable.class).rebalance();
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Rebalanceable.class).lookForBalance();
    }

    /** What is under way ends by itself, so there is nothing to undo. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}
}

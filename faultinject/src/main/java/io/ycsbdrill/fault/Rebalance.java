package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Rebalanceable;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;
import java.util.Set;

/** Spreads the data over nodes that were added: an operation of the whole cluster and no failure. It is injected when it is complete. */
public record Rebalance() implements Fault {

    @Override
    public String name() {
        return "rebalance";
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Rebalanceable.class);
    }

    @Override
    public List<String> refusals(NodeController controller) {
        return controller.capability(Rebalanceable.class).flatMap(Rebalanceable::rebalanceLacks).stream()
                .toList();
    }

    @Override
    public boolean showsWhenInjected() {
        return true;
    }

    @Override
    public List<NodeInfo> namedTargets(NodeController controller) {
        return List.of();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Rebalanceable.class).rebalance();
    }

    @Override
    public Effect injected() {
        return Effect.RELEASED;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Rebalanceable.class).lookForBalance();
    }

    @Override
    public List<Phase> reaches() {
        return List.of(Phase.RECOVERED);
    }

    /** What is under way ends by itself, so there is nothing to undo. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}
}

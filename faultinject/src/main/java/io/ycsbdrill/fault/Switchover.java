package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Switchable;
import java.util.Optional;

/** A planned change of the primary, an operation and no failure: the node is primary before it, and another one afterwards. */
// It says nothing about the node when it is injected: the former primary is stopped and comes back as a replica.
@Traits(
        name = "switchover",
        needs = Switchable.class,
        dataNodesOnly = true,
        reaches = Reach.ALL,
        showsWhenInjected = true,
        effectBound = 30)
public record Switchover() implements Fault {

    @Override
    public Optional<String> refusal(NodeSelector selector) {
        boolean others = selector instanceof NodeSelector.NotPrimaryNode
                || selector instanceof NodeSelector.EveryReplica
                || selector instanceof NodeSelector.EveryNode;
        return others
                ? Optional.of("node " + selector.text() + ": only the primary can hand over; use node: primary")
                : Optional.empty();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Switchable.class).switchOver(node.id());
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        Optional<String> primary = controller.primary();
        return new Sight(
                primary.isPresent() && !primary.get().equals(node.id()),
                primary.map(now -> now + " is primary").orElse("no node is primary"));
    }

    /** What is under way ends by itself, so there is nothing to undo. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}
}

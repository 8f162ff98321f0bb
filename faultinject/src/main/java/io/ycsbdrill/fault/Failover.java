package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Switchable;
import java.util.Optional;
import java.util.function.Supplier;

/** A node is made primary by an operator's order, also when there is no primary and the engine would choose nobody. */
// The node itself stays up: it has nothing to recover from once it is primary.
@Traits(
        name = "failover",
        needs = Switchable.class,
        dataNodesOnly = true,
        injected = Effect.RELEASED,
        showsWhenInjected = true,
        effectBound = 30)
public record Failover() implements Fault {

    @Override
    public Optional<String> refusal(NodeSelector selector, Supplier<Optional<String>> primary, boolean again) {
        boolean none = selector instanceof NodeSelector.PrimaryNode
                || selector instanceof NodeSelector.EveryReplica
                || selector instanceof NodeSelector.EveryNode;
        return none
                ? Optional.of("node " + selector.text() + ": one node that is not primary is made primary; use"
                        + " not-primary, or, when no node is primary by then, random or a node's id")
                : Optional.empty();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Switchable.class).failOver(node.id());
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        Optional<String> primary = controller.primary();
        return new Sight(
                primary.equals(Optional.of(node.id())),
                primary.map(now -> now + " is primary").orElse("no node is primary"));
    }

    /** What is under way ends by itself, so there is nothing to undo. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}
}

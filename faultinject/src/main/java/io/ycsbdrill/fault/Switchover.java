package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Switchable;
import java.util.Optional;
import java.util.function.Supplier;

/** A planned change of the primary, an operation and no failure: the node is primary before it, and another one afterwards. */
// It says nothing about the node when it is injected: the former primary is stopped and comes back as a replica.
@Traits(
        name = "switchover",
        needs = Switchable.class,
        dataNodesOnly = true,
        reaches = Course.Reach.ALL,
        showsWhenInjected = true,
        effectBound = 30)
public record Switchover() implements Fault {

    /** A node that is named may be primary when its turn comes, and so may that of an earlier step. */
    @Override
    public Optional<String> refusal(NodeSelector selector, Supplier<Optional<String>> primary, boolean again) {
        String subject = "node " + selector.text() + ": ";
        boolean may = selector instanceof NodeSelector.PrimaryNode
                || selector instanceof NodeSelector.SameAs
                || selector instanceof NodeSelector.Named named && named.ids().size() == 1;
        if (!may) {
            return Optional.of(subject + "only the primary can hand over; use node: primary");
        }
        if (selector.named().isEmpty()) {
            return Optional.empty();
        }
        return again
                ? Optional.of(subject + "it is primary only the first time; use node: primary")
                : primary.get()
                        .filter(node -> !selector.named().contains(node))
                        .map(node -> subject + "primary is " + node
                                + ", and only the primary can hand over; use node: primary");
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

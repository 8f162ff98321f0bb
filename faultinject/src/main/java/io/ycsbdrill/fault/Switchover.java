package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.Switchable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A planned change of the primary, an operation and no failure: the node is primary before it, and another one afterwards. */
public record Switchover() implements Fault {

    @Override
    public String name() {
        return "switchover";
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Switchable.class);
    }

    @Override
    public List<NodeInfo> namedTargets(NodeController controller) {
        return List.of();
    }

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

    /** The former primary is stopped and comes back as a replica. */
    @Override
    public Effect injected() {
        return Effect.NONE;
    }

    @Override
    public boolean showsWhenInjected() {
        return true;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        Optional<String> primary = controller.primary();
        return new Sight(
                primary.isPresent() && !primary.get().equals(node.id()),
                primary.map(now -> now + " is primary").orElse("no node is primary"));
    }

    @Override
    public Duration effectBound() {
        return Duration.ofSeconds(30);
    }

    @Override
    public List<Phase> reaches() {
        return Reach.ALL;
    }

    /** What is under way ends by itself, so there is nothing to undo. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}
}

package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;
import java.util.Set;

/** Lets a node leave the cluster for good: an operation and no failure. It is injected when the node is a member no more. */
public record RemoveNode() implements Fault {

    @Override
    public String name() {
        return "remove-node";
    }

    @Override
    public String label() {
        return "remove";
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Expandable.class);
    }

    @Override
    public List<String> refusals(NodeController controller) {
        return controller.capability(Expandable.class).flatMap(Expandable::removalLacks).stream()
                .toList();
    }

    /** Spare nodes only by name, for a step that removes what an earlier one has added. */
    @Override
    public List<NodeInfo> namedTargets(NodeController controller) {
        return controller.capability(Expandable.class).map(Expandable::spares).orElse(List.of());
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Expandable.class).remove(node.id());
    }

    @Override
    public Effect injected() {
        return Effect.NODE_DOWN;
    }

    /** The others say so, and not that there is no process. */
    @Override
    public boolean provenByNodeDown() {
        return false;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Expandable.class).lookForMember(node.id(), false);
    }

    /** A node that is still a member is started by the healer as any other. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}

    @Override
    public NodeChange changes() {
        return NodeChange.REMOVED;
    }

    @Override
    public List<Phase> reaches() {
        return Reach.DOWN;
    }

    @Override
    public Settles settles() {
        return Settles.DOWN_FOR_GOOD;
    }
}

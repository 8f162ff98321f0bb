package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;

/** Lets a node leave the cluster for good: an operation and no failure. It is injected when the node is a member no more. */
@Traits(
        name = "remove-node",
        label = "remove",
        needs = Expandable.class,
        injected = Effect.NODE_DOWN,
        reaches = Course.Reach.DOWN,
        changes = NodeChange.REMOVED)
public record RemoveNode() implements Fault {

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
    public Settles settles() {
        return Settles.DOWN_FOR_GOOD;
    }
}

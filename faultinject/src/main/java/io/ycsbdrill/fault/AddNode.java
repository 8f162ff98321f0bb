package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.Expandable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import io.ycsbdrill.fault.node.kit.Members;
import java.util.List;
import java.util.Optional;

/** Lets a spare node join the cluster: an operation and no failure. It is injected when the node is a member and has recovered. */
@Traits(
        name = "add-node",
        label = "add",
        needs = Expandable.class,
        reaches = Course.Reach.ALL,
        changes = NodeChange.ADDED)
public record AddNode() implements Fault {

    /** The spare nodes; members only by name, for a step that adds again what an earlier one has removed. */
    @Override
    public List<NodeInfo> targets(NodeController controller) {
        return controller.capability(Expandable.class).map(Expandable::spares).orElse(List.of());
    }

    @Override
    public List<NodeInfo> namedTargets(NodeController controller) {
        return controller.nodes();
    }

    @Override
    public Optional<String> clusterSwitch() {
        return Optional.of(Members.OPTION.name() + " 1");
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Expandable.class).add(node.id());
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Expandable.class).lookForMember(node.id(), true);
    }

    /** A node that is a member on half of its way stays one; the healer starts it as any other. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}
}

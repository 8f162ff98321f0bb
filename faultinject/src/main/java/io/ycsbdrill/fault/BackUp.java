package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;

/** A backup of the whole cluster, an operation and no failure: it is injected from its begin until it is complete. */
@Traits(
        name = "backup",
        needs = Backupable.class,
        dataNodesOnly = true,
        injected = Effect.RELEASED,
        showsWhenInjected = true)
public record BackUp() implements Fault {

    @Override
    public List<String> refusals(NodeController controller) {
        return controller.capability(Backupable.class).flatMap(Backupable::backupLacks).stream()
                .toList();
    }

    /** Those that can be asked for one, so that a node that cannot is known before the drill. */
    @Override
    public List<NodeInfo> targets(NodeController controller) {
        return controller.nodes().stream()
                .filter(node -> controller
                        .capability(Backupable.class)
                        .map(all -> all.canBackUp(node.id()))
                        .orElse(true))
                .toList();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Backupable.class).backUp(node.id());
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Backupable.class).lookForBackup();
    }

    /** A backup that is under way ends by itself, so there is nothing to undo. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}
}

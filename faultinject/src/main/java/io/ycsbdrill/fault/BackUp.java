package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;
import java.util.Set;

/** A backup of the whole cluster, an operation and no failure: it is injected from its begin until it is complete. */
public record BackUp() implements Fault {

    @Override
    public String name() {
        return "backup";
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(Backupable.class);
    }

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
    public List<NodeInfo> namedTargets(NodeController controller) {
        return List.of();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Backupable.class).backUp(node.id());
    }

    @Override
    public Effect injected() {
        return Effect.RELEASED;
    }

    @Override
    public boolean showsWhenInjected() {
        return true;
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Backupable.class).lookForBackup();
    }

    @Override
    public List<Phase> reaches() {
        return List.of(Phase.RECOVERED);
    }

    /** A backup that is under way ends by itself, so there is nothing to undo. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {}
}

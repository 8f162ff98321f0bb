package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Restorable;
import io.ycsbdrill.fault.node.Sight;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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

    /**
     * The loss of the whole cluster, and its return from the last backup: all nodes are killed and their data is removed; one gets the backup
     * back, and the others copy from it, or each its part.
     *
     * @param down the least time between the end of the nodes' processes and the beginning of the restore; not negative
     */
    @Traits(name = "restore", dataNodesOnly = true)
    public record Restore(Duration down) implements DownAndUp {
        private static final String WHERE =
                "only clusters of NDB, Galera or Patroni of this machine that cluster up, or the drill itself, has started"
                        + " are lost and restored";

        public Restore {
            if (down.isNegative()) {
                throw new IllegalArgumentException("down " + down + " is negative");
            }
        }

        @Override
        public StopMode mode() {
            return StopMode.KILL;
        }

        @Override
        public List<String> refusals(NodeController controller) {
            Optional<Restorable> all = controller.capability(Restorable.class);
            return all.isEmpty()
                    ? List.of(WHERE)
                    : all.get().restoreLacks().stream().toList();
        }

        @Override
        public Optional<String> refusal(NodeSelector selector, Supplier<Optional<String>> primary, boolean again) {
            return selector instanceof NodeSelector.EveryNode
                    ? Optional.empty()
                    : Optional.of(
                            "node " + selector.text() + ": the whole cluster is lost and restored; use node: all");
        }

        @Override
        public Optional<String> onlyOnce() {
            return Optional.of("an audit tells what one restore has lost; repeat the run");
        }

        @Override
        public boolean takesBack() {
            return true;
        }

        @Override
        public Optional<String> follows() {
            return Optional.of("backup");
        }

        @Override
        public void inject(NodeController controller, NodeInfo node, FaultContext context) {
            Capabilities.require(controller, Restorable.class).lose(node.id());
        }

        @Override
        public void end(NodeController controller, NodeInfo node, FaultContext context) {
            Capabilities.require(controller, Restorable.class).restore(node.id());
        }
    }
}

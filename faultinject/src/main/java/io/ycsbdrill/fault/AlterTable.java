package io.ycsbdrill.fault;

import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.fault.node.Alterable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Changes the schema of the workload's table, an operation of the whole cluster and no failure: it is injected when the server has confirmed
 * it. What it adds is dropped by a later step, or when the cluster is healed.
 */
@Traits(dataNodesOnly = true, injected = Effect.RELEASED, showsWhenInjected = true)
public record AlterTable(Change change) implements Fault {
    private static final String WHERE =
            "schemas are changed only on a cluster of this machine that cluster up, or the drill itself, has started, and that"
                    + " has SQL servers; not on hosts of an inventory";

    public AlterTable {
        Objects.requireNonNull(change, "change");
    }

    @Override
    public String name() {
        return change.label();
    }

    @Override
    public List<String> refusals(NodeController controller) {
        return controller.capability(Alterable.class).isEmpty() ? List.of(WHERE) : List.of();
    }

    @Override
    public List<String> refusalsOnceHealed(NodeController controller) {
        return table(controller).alterationLacks(change).stream().toList();
    }

    /** The table is one, and each node would be told to change it. */
    @Override
    public Optional<String> refusal(NodeSelector selector, Supplier<Optional<String>> primary, boolean again) {
        boolean one = selector instanceof NodeSelector.AnyNode
                || selector instanceof NodeSelector.PrimaryNode
                || selector.named().size() == 1;
        return one
                ? Optional.empty()
                : Optional.of(
                        "node " + selector.text() + " may be several nodes, and they have one table; use node: random");
    }

    @Override
    public Optional<Change> alters() {
        return Optional.of(change);
    }

    private static Alterable table(NodeController controller) {
        return controller.capability(Alterable.class).orElseThrow(() -> new NodeControlException(WHERE));
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        table(controller).alter(change, context.recoveryBound());
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return table(controller).lookForAlteration(change);
    }

    /** Drops what all such steps have added: one table has it, and no node. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        table(controller).undoAlterations(context.recoveryBound());
    }
}

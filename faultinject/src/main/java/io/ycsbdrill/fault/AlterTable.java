package io.ycsbdrill.fault;

import io.ycsbdrill.base.TableSchema.Change;
import io.ycsbdrill.fault.node.Alterable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Sight;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Changes the schema of the workload's table, an operation of the whole cluster and no failure: it is injected when the server has confirmed
 * it. What it adds is dropped by a later step, or when the cluster is healed.
 */
@Traits(needs = Alterable.class, dataNodesOnly = true, injected = Effect.RELEASED, showsWhenInjected = true)
public record AlterTable(Change change) implements Fault {

    public AlterTable {
        Objects.requireNonNull(change, "change");
    }

    @Override
    public String name() {
        return change.label();
    }

    @Override
    public List<String> refusals(NodeController controller) {
        return controller.capability(Alterable.class).flatMap(table -> table.alterationLacks(change)).stream()
                .toList();
    }

    @Override
    public Optional<String> refusal(List<Fault> injections) {
        long drops = times(injections, change.undo().orElse(change));
        if (change.undo().isPresent() && times(injections, change) > drops + 1) {
            return Optional.of("the " + change.thing() + " would be there already; drop it in a later step (operation: "
                    + change.undo().get().label() + ") before it is added again");
        }
        return change.undoes()
                .filter(adds -> drops > times(injections, adds))
                .map(adds -> "there would be no " + change.thing() + " to drop; add it in an earlier step (operation: "
                        + adds.label() + ")");
    }

    private static long times(List<Fault> injections, Change change) {
        return injections.stream().filter(new AlterTable(change)::equals).count();
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Alterable.class).alter(change);
    }

    @Override
    public Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        return Capabilities.require(controller, Alterable.class).lookForAlteration(change);
    }

    /** Of what all such steps have added: one table has it, and no node. */
    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Alterable.class).undoAlterations();
    }
}

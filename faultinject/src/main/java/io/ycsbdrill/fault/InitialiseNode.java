package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.Damageable;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * Brings a node down, wipes its files and starts it empty: the initial node restart.
 *
 * @param mode how it is brought down
 * @param down the least time between its process's end and its start
 */
// Only data nodes can get their files back from the others.
@Traits(name = "initialise", label = "init", dataNodesOnly = true)
public record InitialiseNode(StopMode mode, Duration down) implements DownAndUp {

    public InitialiseNode {
        Objects.requireNonNull(mode, "mode");
        if (down.isNegative()) {
            throw new IllegalArgumentException("down " + down + " is negative");
        }
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(mode.capability(), Startable.class, Initialisable.class);
    }

    /** Its files are those of the others from then on, whatever was damaged. */
    static void startEmpty(NodeController controller, NodeInfo node) {
        Capabilities.require(controller, Initialisable.class).startInitial(node.id());
        controller.capability(Damageable.class).ifPresent(files -> files.replaced(node.id()));
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        startEmpty(controller, node);
    }
}

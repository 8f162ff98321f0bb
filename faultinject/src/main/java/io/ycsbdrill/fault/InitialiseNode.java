package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.NodeControlException;
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

    @Override
    public boolean takesCopy() {
        return true;
    }

    /** What a node has whole is not removed while another one has it damaged, or none has it; nor is the node brought down for that. */
    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Initialisable.class).checkInitial(node.id());
        if (Capabilities.damage(controller, node.id()).isEmpty()) {
            controller.nodes().stream()
                    .flatMap(other -> Capabilities.damage(controller, other.id()).stream())
                    .findFirst()
                    .ifPresent(other -> {
                        throw new NodeControlException("the files of " + node.id() + " are not removed: " + other);
                    });
        }
        DownAndUp.super.inject(controller, node, context);
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Initialisable.class).startInitial(node.id());
    }
}

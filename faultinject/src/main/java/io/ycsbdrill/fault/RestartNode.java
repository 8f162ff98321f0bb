package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.Startable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Brings a node down and starts it again with the files it has: the node restart. It is started when it has been
 * down for the time given and the survivors have handled its failure.
 *
 * @param mode how it is brought down
 * @param down the least time between its process's end and its start
 */
public record RestartNode(StopMode mode, Duration down) implements Fault {

    public RestartNode {
        Objects.requireNonNull(mode, "mode");
        if (down.isNegative()) {
            throw new IllegalArgumentException("down " + down + " is negative");
        }
    }

    @Override
    public String name() {
        return "restart";
    }

    @Override
    public String label() {
        return "R";
    }

    @Override
    public Set<Class<?>> needs() {
        return Set.of(mode.capability(), Startable.class);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        mode.bringDown(controller, node.id(), context);
    }

    @Override
    public Effect injected() {
        return Effect.NODE_DOWN;
    }

    @Override
    public Optional<Hold> hold() {
        return Optional.of(new Hold(down, true));
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    public Effect ended() {
        return Effect.PROCESS_STARTED;
    }

    @Override
    public void heal(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Startable.class).start(node.id());
    }

    @Override
    public List<Phase> reaches() {
        return Reach.ALL;
    }
}

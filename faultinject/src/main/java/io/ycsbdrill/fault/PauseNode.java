package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Pauses a node (SIGSTOP) and resumes it (SIGCONT): a grey failure. A cluster that does not hear from a node for long ejects
 * it, and the node then ends itself.
 *
 * @param duration how long it is paused; positive
 * @param startIfEjected whether an ejected node that has ended is started again
 */
@Traits(name = PauseNode.NAME, claims = Interplay.Part.PROCESSOR_TIME, lasts = Lasts.WHILE_PAUSED)
public record PauseNode(Duration duration, boolean startIfEjected) implements GreyFault {
    /** Its name in drill files. */
    public static final String NAME = "pause";

    public PauseNode {
        Hold.requirePositive(duration);
    }

    @Override
    public Set<Class<?>> needs() {
        return startIfEjected ? Set.of(Pausable.class, Startable.class) : Set.of(Pausable.class);
    }

    @Override
    public void inject(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Pausable.class).pause(node.id());
    }

    @Override
    public Optional<NodeStatus.State> leadsTo() {
        return Optional.of(NodeStatus.State.PAUSED);
    }

    @Override
    public void end(NodeController controller, NodeInfo node, FaultContext context) {
        Capabilities.require(controller, Pausable.class).resume(node.id());
    }

    @Override
    public boolean startsEjectedNode() {
        return startIfEjected;
    }
}

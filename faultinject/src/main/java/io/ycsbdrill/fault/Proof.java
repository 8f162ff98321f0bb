package io.ycsbdrill.fault;

import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.Sight;
import java.time.Duration;
import java.util.Optional;

/** How the effect of a fault is seen, apart from who brought it about: a fault without an effect proves nothing. */
public interface Proof {

    /** The state by which a node shows the effect; empty when it shows in another way. */
    default Optional<NodeStatus.State> leadsTo() {
        return Optional.empty();
    }

    /**
     * Looks whether the effect is there. Asked again until it is, for {@link #effectBound} after a confirmed injection; then the fault
     * has failed.
     */
    default Sight look(NodeController controller, NodeInfo node, FaultContext context) {
        NodeStatus.State state = leadsTo().orElseThrow();
        return Sight.of(controller, node, now -> now.wholly(state));
    }

    /** Whether the effect is also proven by the engine's own report that the node is down. */
    boolean provenByNodeDown();

    /**
     * Whether its effect can be seen only when the injection is confirmed. A look before that would find the effect of an earlier one.
     */
    default boolean showsWhenInjected() {
        return Traits.Of.fault(this).showsWhenInjected();
    }

    /** The longest time from a confirmed injection until the effect is seen. */
    default Duration effectBound() {
        return Duration.ofSeconds(Traits.Of.fault(this).effectBound());
    }
}

package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeStatus;
import java.util.List;
import java.util.Optional;

/** How a fault goes, from its injection until its node has recovered. */
public interface Course {

    /** The state that a node must be in for it to make sense: started, except for a fault that brings a node back. */
    default NodeStatus.State expects() {
        return Traits.Of.fault(this).expects();
    }

    /** Whether it belongs to a recovery that is under way, instead of beginning one. */
    default boolean bringsBack() {
        return expects() != NodeStatus.State.STARTED;
    }

    /** What a confirmed injection says about the node. */
    default Effect injected() {
        return Traits.Of.fault(this).injected();
    }

    /** How long it lasts before it is ended; empty when it has one half only. */
    default Optional<Hold> hold() {
        return Optional.empty();
    }

    /** What a confirmed end says about the node. */
    default Effect ended() {
        return Traits.Of.fault(this).ended();
    }

    /** What the last of its halves says about the node. */
    default Effect last() {
        return hold().isPresent() ? ended() : injected();
    }

    /** The phases that a node may reach through it alone, in order. */
    default List<Phase> reaches() {
        return Traits.Of.fault(this).reaches().phases();
    }

    /** How it leaves its node. */
    default Settles settles() {
        return Settles.RECOVERED;
    }

    /** Whether a node that is found down after its end is started, because the cluster has ejected it. */
    default boolean startsEjectedNode() {
        return false;
    }
}

package io.ycsbdrill.fault.inject;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.marker.Occurrence;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.recovery.Recovery;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/** What is known of the recovery of one node from one injection: questions only. Owned by {@code fault-injector}. */
final class TargetRecovery {
    private final InjectionContext world;
    private final Occurrence of;
    private final NodeInfo node;
    private final long beganAt;
    private final EngineObserved downBefore;
    private final boolean byEngineAlone;

    /** From the begin of the injection on. */
    TargetRecovery(InjectionContext world, Fault fault, Occurrence of, NodeInfo node, long beganAt) {
        this.world = world;
        this.of = of;
        this.node = node;
        this.beganAt = beganAt;
        downBefore = world.lastDown(node.id());
        byEngineAlone = fault.provenByNodeDown()
                && fault.leadsTo().isEmpty()
                && !fault.settles().staysUntilTheEnd()
                && fault.commands().healed().isEmpty();
    }

    /** Whether it is a command that takes its node down: only the engine says that it is down, and when it is back. */
    boolean byEngineAlone() {
        return byEngineAlone;
    }

    /** What the engine has said since the begin, at last, of its node being down; empty when it has not. */
    Optional<EngineObserved> news() {
        return Optional.ofNullable(world.lastDown(node.id())).filter(said -> said != downBefore);
    }

    /** The recovery that this injection has begun; empty when it has begun none. */
    Optional<Recovery> own() {
        return world.tracker.of(of, node.id());
    }

    /** When its node reached the phase, or a later one, since the begin. */
    OptionalLong reached(Phase phase) {
        Optional<Recovery> own = own();
        if (own.isPresent() && phase == Phase.RECOVERED) {
            return own.get().reachedNanos(phase);
        }
        // A fault that is in force again after another one has several recoveries: the first time counts. A start or
        // resume has none and takes part in the one that is under way; when that is over, another may begin at once.
        return world.tracker.recoveries().stream()
                .filter(r -> r.node().equals(node.id()))
                .filter(r -> own.isEmpty() || r.of().equals(of))
                .flatMapToLong(r -> r.reachedNanos(phase).stream())
                .filter(at -> at >= beganAt)
                .min();
    }

    /** Whether a command's node is on its way back, also when the engine said that so late that it counts as unplanned. */
    boolean underWay() {
        return byEngineAlone && lastToBegin() && recovering();
    }

    /** Whether the node has yet to recover, from this injection or, when that has begun no recovery, from anything. */
    boolean active() {
        return own().map(Recovery::active).orElseGet(this::recovering);
    }

    /** There is nothing to recover from while a fault, of another step too, is only in force. */
    private boolean recovering() {
        return latest().filter(r -> r.active() && r.phase() != Phase.FAULT).isPresent();
    }

    /** The node's latest recovery, whatever it is from. */
    Optional<Recovery> latest() {
        return world.tracker.latest(node.id());
    }

    /** When the node was back, from whatever it went down since this began; 0 when it was not. */
    long lastRecoveredAt() {
        return world.tracker.recoveries().stream()
                .filter(r -> r.node().equals(node.id()) && r.startNanos() >= beganAt)
                .flatMapToLong(r -> r.reachedNanos(Phase.RECOVERED).stream())
                .max()
                .orElse(0);
    }

    /** Whether no further fault has begun on the node. */
    boolean lastToBegin() {
        return of.equals(world.lastBegun(node.id()));
    }

    /** When the engine said that no node is left to handle this failure; empty when it has not. */
    OptionalLong leftAloneAt() {
        EngineObserved said = world.lastUnhandled(node.id());
        return said == null || said.atNanos() < beganAt ? OptionalLong.empty() : OptionalLong.of(said.atNanos());
    }

    /**
     * Whether there is a node that can handle the failure of this one: one that has been up ever since this one went down, unless
     * the engine says that there is none.
     */
    boolean hasSurvivors(long downAt) {
        if (leftAloneAt().isPresent()) {
            return false;
        }
        Set<String> out = world.tracker.recoveries().stream()
                .filter(recovery -> recovery.outAfter(downAt))
                .map(Recovery::node)
                .collect(Collectors.toSet());
        return world.controller.nodes().stream()
                .map(NodeInfo::id)
                .anyMatch(other -> !other.equals(node.id()) && !out.contains(other));
    }

    /** Whether the cluster has ejected the node over this injection. */
    boolean ejected() {
        return latest().filter(Recovery::active)
                .filter(r -> r.of().equals(of))
                .filter(r -> r.phase() == Phase.FAILURE_HANDLING || r.phase() == Phase.DOWN)
                .isPresent();
    }
}

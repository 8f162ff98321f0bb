package io.ycsbdrill.fault.schedule;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Fault;
import io.ycsbdrill.fault.NodeSelector;
import io.ycsbdrill.fault.marker.Occurrence;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One step of a schedule: what, where and when. Immutable; begin with {@link #step} and refine.
 *
 * @param name unique in its schedule
 * @param fault what
 * @param node where
 * @param when when for the first time
 * @param repeat how often
 * @param steady whether each injection also waits until the throughput is steady
 */
public record ScheduledFault(String name, Fault fault, NodeSelector node, When when, Repeat repeat, boolean steady) {

    public ScheduledFault {
        Rules.stepName(name);
        Objects.requireNonNull(fault, "fault");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(when, "when");
        Objects.requireNonNull(repeat, "repeat");
    }

    /** The fault, on one node chosen by the seeded random generator, at once. */
    public static ScheduledFault step(String name, Fault fault) {
        return new ScheduledFault(
                name, fault, new NodeSelector.AnyNode(), new When.At(Duration.ZERO), Repeat.ONCE, false);
    }

    /** Whether it takes the nodes of a list one after the other. */
    public boolean inTurn() {
        return node instanceof NodeSelector.Rolling && !node.named().isEmpty();
    }

    /** How many injections it has, with so many nodes to choose from. */
    public int times(int nodes) {
        return repeat.times(inTurn() ? node.named().size() : nodes);
    }

    /** On these nodes. */
    public ScheduledFault on(NodeSelector selector) {
        return new ScheduledFault(name, fault, selector, when, repeat, steady);
    }

    /** That long after the steady state, or run start. */
    public ScheduledFault at(Duration offset) {
        return new ScheduledFault(name, fault, node, new When.At(offset), repeat, steady);
    }

    /** That long after an earlier step has brought its nodes into the phase. */
    public ScheduledFault after(String step, Phase phase, Duration delay) {
        return new ScheduledFault(name, fault, node, new When.After(step, Optional.of(phase), delay), repeat, steady);
    }

    /** That long after a node has come into the phase, whatever has brought it there. */
    public ScheduledFault at(String node, Phase phase, Duration delay) {
        return new ScheduledFault(name, fault, this.node, new When.InPhase(node, phase, delay), repeat, steady);
    }

    /** That long after an earlier step is over. */
    public ScheduledFault after(String step, Duration delay) {
        return new ScheduledFault(name, fault, node, new When.After(step, Optional.empty(), delay), repeat, steady);
    }

    /** Several times. */
    public ScheduledFault repeated(int count, Duration every) {
        return new ScheduledFault(name, fault, node, when, new Repeat(every, OptionalInt.of(count)), steady);
    }

    /** The given injection of this step; 1 is the first. */
    public Occurrence occurrence(int number) {
        return new Occurrence(name, number, fault.name(), fault.label());
    }
}

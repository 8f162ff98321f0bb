package io.ycsbdrill.fault;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.node.NodeStatus;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

    /** Whether a node that is found down after its end is started, because the cluster has ejected it, or because it has ended itself. */
    default boolean startsEjectedNode() {
        return false;
    }

    /** How a fault leaves its node when the injector has nothing more to do with it. */
    enum Settles {
        /** The node recovers. */
        RECOVERED(Phase.RECOVERED, false, false),
        /** What the user's own command has done stays until its heal command at the end of the drill. */
        UNTIL_HEALED(Phase.RECOVERED, true, true),
        /** The node is down, until a step starts it or the end of the drill. */
        DOWN(Phase.DOWN, true, true),
        /** The node is down for good, as it has left the cluster. */
        DOWN_FOR_GOOD(Phase.DOWN, true, false);

        private final Phase phase;
        private final boolean stays;
        private final boolean heals;

        Settles(Phase phase, boolean stays, boolean heals) {
            this.phase = phase;
            this.stays = stays;
            this.heals = heals;
        }

        /** The phase in which its effects are complete. */
        public Phase phase() {
            return phase;
        }

        /** Whether its effects stay until the end of the drill, so that nobody waits for the node before that. */
        public boolean staysUntilTheEnd() {
            return stays;
        }

        /** Whether a confirmed injection leaves something to heal at the end of the drill. */
        public boolean healsAtTheEnd() {
            return heals;
        }
    }

    /**
     * How long a fault lasts between its two halves.
     *
     * @param atLeast not negative; counted from the confirmed injection
     * @param untilHandled whether it lasts also until the surviving nodes have handled the failure, at most
     *     {@link #HANDLING_BOUND} from the confirmed injection
     */
    record Hold(Duration atLeast, boolean untilHandled) {

        /** How long an engine may take to report that the survivors have handled a failure. */
        public static final Duration HANDLING_BOUND = Duration.ofSeconds(60);

        public Hold {
            if (atLeast.isNegative()) {
                throw new IllegalArgumentException("hold " + atLeast + " is negative");
            }
        }

        static void requirePositive(Duration duration) {
            if (duration.isNegative() || duration.isZero()) {
                throw new IllegalArgumentException("duration " + duration + " is not positive");
            }
        }
    }

    /** The phases that a node may reach through a fault alone, in order. */
    enum Reach {
        ALL(between(Phase.FAULT, Phase.RECOVERED)),
        DOWN(between(Phase.FAULT, Phase.DOWN)),
        UP(between(Phase.LOCAL_RECOVERY, Phase.RECOVERED)),
        /** Its beginning and its end. */
        ENDS(Stream.of(Phase.FAULT, Phase.RECOVERED)),
        RECOVERED(Stream.of(Phase.RECOVERED));

        private final List<Phase> phases;

        Reach(Stream<Phase> phases) {
            this.phases = phases.toList();
        }

        private static Stream<Phase> between(Phase first, Phase last) {
            return Arrays.stream(Phase.values()).filter(p -> p.compareTo(first) >= 0 && p.compareTo(last) <= 0);
        }

        List<Phase> phases() {
            return phases;
        }
    }
}

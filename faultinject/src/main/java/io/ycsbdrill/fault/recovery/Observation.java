package io.ycsbdrill.fault.recovery;

import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.EngineObserved;
import io.ycsbdrill.fault.FaultEnded;
import io.ycsbdrill.fault.FaultInjected;
import io.ycsbdrill.fault.FaultStarted;
import io.ycsbdrill.fault.Marker;
import io.ycsbdrill.fault.Occurrence;
import java.util.Objects;
import java.util.Optional;

/**
 * One thing that was seen of a node, as the tracker takes it.
 *
 * @param atNanos when it happened, since run start
 * @param node the node
 * @param kind what was seen
 * @param of for {@link Kind#FAULT} the fault that begins; else empty
 */
public record Observation(long atNanos, String node, Kind kind, Optional<Occurrence> of) {

    /** What can be seen of a node. */
    public enum Kind {
        /** The injector begins a fault that may take the node's redundancy away. */
        FAULT,
        /** Its process is gone, or the others have declared it dead. */
        DOWN,
        /** The survivors have handled the failure. */
        HANDLED,
        /** Its process runs again. */
        PROCESS,
        /** It copies what it missed. */
        SYNCHRONISE,
        /** It waits for a checkpoint or a hand-over. */
        WAIT_CHECKPOINT,
        /** The engine calls it whole. */
        RECOVERED,
        /** It is left alone again, its process having been there all the time. */
        RELEASED
    }

    public Observation {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(kind, "kind");
        if ((kind == Kind.FAULT) != of.isPresent()) {
            throw new IllegalArgumentException("an occurrence belongs to a fault, and to nothing else");
        }
    }

    /** Something other than a fault. */
    public static Observation seen(long atNanos, String node, Kind kind) {
        return new Observation(atNanos, node, kind, Optional.empty());
    }

    /** What a marker means for the recovery of its node; empty when it means nothing. */
    public static Optional<Observation> of(Marker marker) {
        if (marker instanceof FaultStarted m) {
            // These two bring a node back: they belong to a recovery that is under way.
            boolean helps = m.of().fault().equals("start") || m.of().fault().equals("resume");
            return helps
                    ? Optional.empty()
                    : Optional.of(new Observation(m.atNanos(), m.node(), Kind.FAULT, Optional.of(m.of())));
        }
        if (marker instanceof FaultInjected m) {
            return kind(m.effect()).map(k -> seen(m.atNanos(), m.node(), k));
        }
        if (marker instanceof FaultEnded m) {
            return kind(m.effect()).map(k -> seen(m.atNanos(), m.node(), k));
        }
        if (marker instanceof EngineObserved m) {
            return kind(m).map(k -> seen(m.atNanos(), m.node(), k));
        }
        return Optional.empty();
    }

    Observation at(long nanos) {
        return new Observation(nanos, node, kind, of);
    }

    private static Optional<Kind> kind(Effect effect) {
        return switch (effect) {
            case NONE -> Optional.empty();
            case NODE_DOWN -> Optional.of(Kind.DOWN);
            case PROCESS_STARTED -> Optional.of(Kind.PROCESS);
            case RELEASED -> Optional.of(Kind.RELEASED);
        };
    }

    private static Optional<Kind> kind(EngineObserved event) {
        return switch (event.signal()) {
            case NODE_DOWN -> Optional.of(Kind.DOWN);
            case FAILURE_HANDLED -> Optional.of(Kind.HANDLED);
            case PROCESS_STARTED -> Optional.of(Kind.PROCESS);
            case SYNCHRONISE_STARTED -> Optional.of(Kind.SYNCHRONISE);
            case WAIT_CHECKPOINT_STARTED -> Optional.of(Kind.WAIT_CHECKPOINT);
            case RECOVERED -> Optional.of(Kind.RECOVERED);
            case STEP, NOTE -> Optional.empty();
        };
    }
}

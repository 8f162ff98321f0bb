package io.ycsbdrill.fault.recovery;

import io.ycsbdrill.base.Phase;
import io.ycsbdrill.fault.Effect;
import io.ycsbdrill.fault.marker.EngineObserved;
import io.ycsbdrill.fault.marker.FaultEnded;
import io.ycsbdrill.fault.marker.FaultInjected;
import io.ycsbdrill.fault.marker.FaultStarted;
import io.ycsbdrill.fault.marker.Marker;
import io.ycsbdrill.fault.marker.Occurrence;
import java.util.Optional;

/** One thing that was seen of a node, as the tracker takes it. Times are nanoseconds since run start. */
public sealed interface Observation {

    /** When it happened. */
    long atNanos();

    /** The node that it is about. */
    String node();

    /** The same, at another time. */
    Observation at(long nanos);

    /**
     * The injector begins a fault that may take the node's redundancy away.
     *
     * @param releases whether it is in force until a {@link Released} of its own
     */
    record Begun(long atNanos, String node, Occurrence of, boolean releases) implements Observation {
        @Override
        public Begun at(long nanos) {
            return new Begun(nanos, node, of, releases);
        }
    }

    /** A sign that the node is in a phase; whether it enters the phase depends on what was seen of it before. */
    record Seen(long atNanos, String node, Phase phase) implements Observation {
        @Override
        public Seen at(long nanos) {
            return new Seen(nanos, node, phase);
        }
    }

    /**
     * The node is left alone again, its process having been there all the time.
     *
     * @param requestedNanos when that was asked for: from then on the engine may say that the node has recovered
     * @param of the fault that leaves it alone, or what has ended that fault early: a resume
     */
    record Released(long requestedNanos, long atNanos, String node, Occurrence of) implements Observation {
        @Override
        public Released at(long nanos) {
            return new Released(requestedNanos, nanos, node, of);
        }
    }

    /** What a marker means for the recovery of its node; empty when it has none. */
    static Optional<Observation> of(Marker marker) {
        if (marker instanceof FaultStarted m) {
            return m.bringsBack()
                    ? Optional.empty()
                    : Optional.of(new Begun(m.atNanos(), m.node(), m.of(), m.releases()));
        }
        if (marker instanceof FaultInjected m) {
            return of(m.requestedNanos(), m.atNanos(), m.node(), m.of(), m.effect());
        }
        if (marker instanceof FaultEnded m) {
            return of(m.requestedNanos(), m.atNanos(), m.node(), m.of(), m.effect());
        }
        if (marker instanceof EngineObserved m) {
            return m.signal().begins().map(phase -> new Seen(m.atNanos(), m.node(), phase));
        }
        return Optional.empty();
    }

    private static Optional<Observation> of(
            long requestedNanos, long atNanos, String node, Occurrence of, Effect effect) {
        return effect == Effect.RELEASED
                ? Optional.of(new Released(requestedNanos, atNanos, node, of))
                : effect.begins().map(phase -> new Seen(atNanos, node, phase));
    }
}

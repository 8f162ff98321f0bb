package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.Phase;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * One event that an engine reported about one of its nodes.
 *
 * @param atNanos when it happened, on this machine's {@link System#nanoTime()} scale: the event's own time where the engine
 *     gives one that can be converted, else the time of arrival
 * @param wall the same moment as wall-clock time, for display and for comparing with the engine's logs
 * @param node the node it is about (not the node that reported it); empty for a note about the whole cluster
 * @param signal what it means for the recovery
 * @param source where it was read: {@code mgmd}, {@code node1.events}, {@code process}
 * @param text the engine's own words; never null
 */
public record EngineEvent(long atNanos, Instant wall, String node, Signal signal, String source, String text) {

    public EngineEvent {
        Objects.requireNonNull(wall, "wall");
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(signal, "signal");
        Objects.requireNonNull(source, "source");
        Objects.requireNonNull(text, "text");
    }

    /** What an event means for the recovery, and the phase that its node enters then; the same for every engine. */
    public enum Signal {
        /** The node's process has ended, or the others have declared it dead. */
        NODE_DOWN(Phase.FAILURE_HANDLING),
        /** The surviving nodes have finished handling the failure. */
        FAILURE_HANDLED(Phase.DOWN),
        /** No node is left that can handle the failure; it may still be handled when others are back. */
        UNHANDLED(null),
        /** The node's process is running again and begins its recovery. */
        PROCESS_STARTED(Phase.LOCAL_RECOVERY),
        /** Local recovery is over; data is copied from the live nodes. */
        SYNCHRONISE_STARTED(Phase.SYNCHRONISE),
        /** The copy is over; the node waits for a checkpoint, a hand-over or the like. */
        WAIT_CHECKPOINT_STARTED(Phase.WAIT_CHECKPOINT),
        /** The engine reports the node as fully recovered: redundancy restored. */
        RECOVERED(Phase.RECOVERED),
        /** The data of all nodes was removed, and a backup is in its place, of which this one has a part; no client can use it yet. */
        RESTORED(null),
        /** A step within a phase, kept as a marker (restore fragments, redo, index build, ...). */
        STEP(null),
        /** Anything else worth keeping beside the data. */
        NOTE(null);

        private final Phase begins;

        Signal(Phase begins) {
            this.begins = begins;
        }

        /** The phase that the node enters, if nothing later was seen of it yet; empty when the event begins none. */
        public Optional<Phase> begins() {
            return Optional.ofNullable(begins);
        }
    }
}

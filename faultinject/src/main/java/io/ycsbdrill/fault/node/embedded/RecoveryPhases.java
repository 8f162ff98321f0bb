package io.ycsbdrill.fault.node.embedded;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Derives the phases of a node's start from what the engine shows of it. Pure: everything comes with its time. The copy is
 * passed through even when nothing is to be copied; the wait for a checkpoint is reported when something was copied, or when
 * it was seen.
 *
 * <p>The copy begins with the first rebalance, or when the node has joined, whichever is first; it is over when no partition is
 * left to copy. (A rebalance itself stops only after the checkpoint that makes the copied partitions the node's own.) The
 * node is recovered when it owns all of its partitions and is primary again for its share. When a rebalance starts again before that (another node left), the copy is on again.
 *
 * <p>Calls must not overlap.
 */
final class RecoveryPhases {

    /** Receives a phase's beginning. */
    interface Sink {
        void write(long atNanos, NodeEvent.Kind kind, Map<String, String> fields);
    }

    private enum State {
        LOCAL_RECOVERY,
        SYNCHRONISE,
        WAIT_CHECKPOINT,
        RECOVERED
    }

    private final Sink sink;
    private final Set<String> rebalancing = new HashSet<>();
    private State state = State.LOCAL_RECOVERY;
    private boolean joined;
    private boolean leftSeen;
    private boolean copied;

    RecoveryPhases(Sink sink) {
        this.sink = sink;
    }

    /** Whether there is anything left to report. */
    boolean done() {
        return state == State.RECOVERED;
    }

    /** The node is a member of the cluster and knows which partitions it must get. */
    void joined(long atNanos) {
        joined = true;
        enter(State.LOCAL_RECOVERY, State.SYNCHRONISE, atNanos, NodeEvent.Kind.SYNCHRONISE_STARTED, "joined");
    }

    /** A table's rebalance began. */
    void rebalanceStarted(String table, long atNanos) {
        rebalancing.add(table);
        copied = true;
        leftSeen = false;
        enter(State.LOCAL_RECOVERY, State.SYNCHRONISE, atNanos, NodeEvent.Kind.SYNCHRONISE_STARTED, "rebalance");
        enter(State.WAIT_CHECKPOINT, State.SYNCHRONISE, atNanos, NodeEvent.Kind.SYNCHRONISE_STARTED, "rebalance");
    }

    /** A table's rebalance ended: everything it was to copy has arrived. */
    void rebalanceStopped(String table, long atNanos) {
        if (rebalancing.remove(table) && rebalancing.isEmpty() && joined) {
            waitForCheckpoint(atNanos, "copied");
        }
    }

    /**
     * The partitions now.
     *
     * @param active whether the cluster works at all
     * @param moving partitions that are the node's but not yet owned by it, of all tables
     * @param left partitions that a rebalance has still to copy, of all tables; a rebalance that has just begun may not
     *     have counted them yet
     * @param primaryEverywhere whether the node is primary for its share of every table
     */
    void partitions(long atNanos, boolean active, int moving, int left, boolean primaryEverywhere) {
        if (!joined || !active) {
            return;
        }
        leftSeen |= left > 0;
        if (leftSeen && left == 0) {
            waitForCheckpoint(atNanos, "copied");
        }
        if (moving == 0 && rebalancing.isEmpty()) {
            if (primaryEverywhere && !copied) {
                // Nothing was copied and nothing is waited for, as after the loss of all nodes: a phase that was not
                // there.
                enter(State.SYNCHRONISE, State.RECOVERED, atNanos, NodeEvent.Kind.RECOVERED, "primary again");
            }
            waitForCheckpoint(atNanos, "nothing left to move");
            if (primaryEverywhere) {
                enter(State.WAIT_CHECKPOINT, State.RECOVERED, atNanos, NodeEvent.Kind.RECOVERED, "primary again");
            }
        }
    }

    private void waitForCheckpoint(long atNanos, String text) {
        enter(State.SYNCHRONISE, State.WAIT_CHECKPOINT, atNanos, NodeEvent.Kind.WAIT_CHECKPOINT_STARTED, text);
    }

    private void enter(State from, State to, long atNanos, NodeEvent.Kind kind, String text) {
        if (state == from) {
            state = to;
            sink.write(atNanos, kind, Map.of("text", text));
        }
    }
}

package io.ycsbdrill.fault.node.polled;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Derives events from the differences between one state of a cluster and the next. Owned by one thread.
 *
 * @param <S> what a cluster says of itself at one time
 * @param <N> what is known of a node
 */
public abstract class ClusterHistory<S, N> {
    /** After so many questions in a row without an answer a node counts as down, even if nobody says so. */
    protected static final int MISSES = 3;

    private final Map<String, N> nodes = new LinkedHashMap<>();
    private final String source;

    /**
     * Reports events of one node.
     *
     * @param atNanos when the question was sent whose answer shows them
     */
    protected record Teller(String node, String source, long atNanos, Instant wall, Consumer<EngineEvent> events) {
        /** Something that was seen at that question. */
        public void tell(Signal signal, String text) {
            tell(signal, text, atNanos);
        }

        /** Something that was first seen at an earlier question. */
        public void tell(Signal signal, String text, long sinceNanos) {
            events.accept(
                    new EngineEvent(sinceNanos, wall.minusNanos(atNanos - sinceNanos), node, signal, source, text));
        }
    }

    /** Counts the questions in a row that a node has not answered. */
    protected static final class Misses {
        private int count;
        private long sinceNanos;

        public Misses() {}

        /** Takes in whether it has answered; returns whether this is the first question that it has not. */
        public boolean begin(boolean answers, Teller teller) {
            count = answers ? 0 : count + 1;
            if (count == 1) {
                sinceNanos = teller.atNanos();
            }
            return count == 1;
        }

        /** Whether there are so many that the node counts as down. */
        public boolean many() {
            return count >= MISSES;
        }

        /** Whether there are at least so many. */
        public boolean atLeast(int number) {
            return count >= number;
        }

        /** When the first of them was sent. */
        public long sinceNanos() {
            return sinceNanos;
        }
    }

    /**
     * @param names the nodes, all of which are in the cluster so far as is known
     * @param source of the events
     */
    protected ClusterHistory(List<String> names, Supplier<N> node, String source) {
        names.forEach(name -> nodes.put(name, node.get()));
        this.source = source;
    }

    /**
     * Takes in a state.
     *
     * @param atNanos when the question was sent, on the scale of {@link System#nanoTime()}
     */
    public final void take(S state, long atNanos, Instant wall, Consumer<EngineEvent> events) {
        nodes.forEach((name, node) -> take(name, node, state, new Teller(name, source, atNanos, wall, events)));
    }

    /**
     * Takes in that nobody has answered several questions in a row: no node serves anybody here.
     *
     * @param atNanos when the first of these questions was sent
     */
    public final void takeNothing(long atNanos, Instant wall, Consumer<EngineEvent> events) {
        nodes.forEach((name, node) -> lost(node, new Teller(name, source, atNanos, wall, events)));
    }

    /** No node answers, this one included. */
    protected abstract void lost(N node, Teller teller);

    /** Compares what is known of a node with what is said now. */
    protected abstract void take(String name, N node, S state, Teller teller);
}

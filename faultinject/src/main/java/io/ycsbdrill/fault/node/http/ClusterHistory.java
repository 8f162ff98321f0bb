package io.ycsbdrill.fault.node.http;

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
    private final Map<String, N> nodes = new LinkedHashMap<>();
    private final String source;

    /** Reports an event of a node. */
    protected interface Teller {
        void tell(Signal signal, String text);
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
     * @param atNanos when it was reported, on the scale of {@link System#nanoTime()}
     */
    public final void take(S state, long atNanos, Instant wall, Consumer<EngineEvent> events) {
        nodes.forEach((name, node) -> take(
                name,
                node,
                state,
                (signal, text) -> events.accept(new EngineEvent(atNanos, wall, name, signal, source, text))));
    }

    /** Compares what is known of a node with what is said now. */
    protected abstract void take(String name, N node, S state, Teller teller);
}

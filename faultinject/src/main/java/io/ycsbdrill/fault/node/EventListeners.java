package io.ycsbdrill.fault.node;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Those who want to hear of a cluster's events. Thread-safe. */
public final class EventListeners {
    private static final Logger LOG = LoggerFactory.getLogger(EventListeners.class);

    private final List<Consumer<EngineEvent>> listeners = new CopyOnWriteArrayList<>();

    /** Makes an empty list. */
    public EventListeners() {}

    /** Adds a listener; closing removes it. One that is added twice is called twice, until each of the two is closed. */
    public AutoCloseable add(Consumer<EngineEvent> listener) {
        Consumer<EngineEvent> own = listener::accept; // another object each time
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    /** Calls each on this thread; an exception of one is logged, and the others are called. */
    public void tell(EngineEvent event) {
        for (Consumer<EngineEvent> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                LOG.warn("a listener failed at {}", event, e);
            }
        }
    }
}

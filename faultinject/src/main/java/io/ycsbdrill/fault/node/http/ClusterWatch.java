package io.ycsbdrill.fault.node.http;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.NodeControlException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks a cluster twice a second, from the first listener on until it is closed. Thread-safe. */
public final class ClusterWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
    private static final long POLL_MILLIS = 500;

    private final String engine;
    private final Consumer<Consumer<EngineEvent>> poll;
    private final List<Consumer<EngineEvent>> listeners = new CopyOnWriteArrayList<>();
    private Thread thread;
    private volatile boolean closed;

    /**
     * @param engine in lower case, for the thread's name ({@code cratedb-watch}) and messages
     * @param poll asks once and tells what has changed; throws {@link NodeControlException} when nobody answers
     */
    public ClusterWatch(String engine, Consumer<Consumer<EngineEvent>> poll) {
        this.engine = engine;
        this.poll = poll;
    }

    /** As {@link io.ycsbdrill.fault.node.NodeController#listen}. */
    public synchronized AutoCloseable listen(Consumer<EngineEvent> listener) {
        if (closed) {
            throw new NodeControlException("the controller of this cluster (" + engine + ") is closed");
        }
        Consumer<EngineEvent> own = listener::accept;
        listeners.add(own);
        if (thread == null) {
            thread = new Thread(this::watch, engine + "-watch");
            thread.setDaemon(true);
            thread.start();
        }
        return () -> listeners.remove(own);
    }

    private void watch() {
        boolean answered = true;
        while (!closed) {
            try {
                poll.accept(this::tell);
                answered = true;
            } catch (NodeControlException e) {
                if (answered && !closed) {
                    LOG.warn("the phases of the nodes ({}) are not seen meanwhile: {}", engine, e.getMessage());
                }
                answered = false;
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private void tell(EngineEvent event) {
        for (Consumer<EngineEvent> listener : listeners) {
            try {
                listener.accept(event);
            } catch (RuntimeException e) {
                LOG.warn("a listener failed at {}", event, e);
            }
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}

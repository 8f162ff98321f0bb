package io.ycsbdrill.fault.node.http;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of a cluster that somebody else runs. They are watched, by asking twice a second from the first listener on, but not
 * controlled: faults on them are the user's own commands. Thread-safe; the watching thread is {@code ENGINE-watch}.
 *
 * @param <S> what the cluster says of itself at one time
 */
public abstract class PolledCluster<S> implements NodeController {
    private static final Logger LOG = LoggerFactory.getLogger(PolledCluster.class);
    private static final long POLL_MILLIS = 500;

    private final List<NodeInfo> nodes;
    private final ClusterHistory<S, ?> history;
    private final List<Consumer<EngineEvent>> listeners = new CopyOnWriteArrayList<>();
    private Thread thread;
    private volatile boolean closed;

    protected PolledCluster(List<NodeInfo> nodes, ClusterHistory<S, ?> history) {
        this.nodes = List.copyOf(nodes);
        this.history = history;
    }

    /** Their names, in the same order. */
    protected static List<String> names(List<NodeInfo> nodes) {
        return nodes.stream().map(NodeInfo::id).toList();
    }

    /** @throws NodeControlException when no node answers */
    protected abstract S ask();

    @Override
    public final List<NodeInfo> nodes() {
        return nodes;
    }

    /** None: only the user's own commands can affect a node. */
    @Override
    public final <C> Optional<C> capability(Class<C> type) {
        return Optional.empty();
    }

    @Override
    public final synchronized AutoCloseable listen(Consumer<EngineEvent> listener) {
        if (closed) {
            throw new NodeControlException("the controller of this cluster (" + engine() + ") is closed");
        }
        Consumer<EngineEvent> own = listener::accept;
        listeners.add(own);
        if (thread == null) {
            thread = new Thread(this::watch, engine() + "-watch");
            thread.setDaemon(true);
            thread.start();
        }
        return () -> listeners.remove(own);
    }

    private void watch() {
        boolean answered = true;
        while (!closed) {
            try {
                history.take(ask(), System.nanoTime(), Instant.now(), this::tell);
                answered = true;
            } catch (NodeControlException e) {
                if (answered && !closed) {
                    LOG.warn(
                            "recovery phases of the nodes ({}) are not observed for now: {}", engine(), e.getMessage());
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
    public final synchronized void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}

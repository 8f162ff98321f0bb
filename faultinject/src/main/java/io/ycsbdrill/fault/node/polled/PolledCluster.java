package io.ycsbdrill.fault.node.polled;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.base.Secrets;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EventListeners;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeLocks;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes of a cluster that somebody else runs. They are watched, by asking all servers side by side twice a second from the
 * first listener on, but not controlled: faults on them are the user's own commands. What an answer shows is dated by the moment
 * at which its question was sent. Thread-safe; the watching thread is {@code ENGINE-watch}, the asking ones are {@code ENGINE-ask}.
 *
 * @param <T> a server; its text is for messages
 * @param <A> what one server answers
 * @param <S> what the cluster says of itself at one time
 */
public abstract class PolledCluster<T, A, S> implements NodeController {
    /** The longest wait for one answer of a server, so that a silent one does not hide what the others say. */
    protected static final Duration ANSWER_BOUND = Duration.ofSeconds(1);

    private static final Logger LOG = LoggerFactory.getLogger(PolledCluster.class);
    private static final long POLL_MILLIS = 500;
    /** An answer may take several questions. */
    private static final Duration LOOK_BOUND = ANSWER_BOUND.multipliedBy(2);

    private final List<NodeInfo> nodes;
    private final List<T> servers;
    private final ClusterHistory<S, ?> history;
    private final EventListeners listeners = new EventListeners();
    private final ExecutorService asking = Executors.newCachedThreadPool(task -> Daemon.thread(task, "polled-ask"));
    private Thread thread;
    private volatile boolean closed;

    /** @param servers where the cluster is asked, at least one */
    protected PolledCluster(List<NodeInfo> nodes, List<T> servers, ClusterHistory<S, ?> history) {
        this.nodes = List.copyOf(nodes);
        this.servers = List.copyOf(servers);
        this.history = history;
    }

    /** Their names, in the same order. */
    protected static List<String> names(List<NodeInfo> nodes) {
        return nodes.stream().map(NodeInfo::id).toList();
    }

    /**
     * Asks one server; on a thread of its own.
     *
     * @throws IOException when it does not answer
     * @throws NodeControlException when its answer is of no use
     */
    protected abstract A ask(T server) throws IOException;

    /** What the answers say together; at least one. */
    protected abstract S join(List<A> answers);

    /**
     * Asks all servers at once.
     *
     * @throws NodeControlException when none answers
     */
    protected final S look() {
        Map<T, Future<A>> asked = new LinkedHashMap<>();
        servers.forEach(server -> asked.put(server, asking.submit(() -> {
            Thread.currentThread().setName(engine() + "-ask");
            return ask(server);
        })));
        long deadline = System.nanoTime() + LOOK_BOUND.toNanos();
        List<A> answers = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        asked.forEach((server, answer) -> {
            try {
                answers.add(answer.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS));
            } catch (ExecutionException e) {
                reasons.add(server + ": " + e.getCause());
            } catch (TimeoutException e) {
                answer.cancel(true);
                reasons.add(server + ": no answer within " + LOOK_BOUND.toMillis() + " ms");
            } catch (InterruptedException e) {
                asked.values().forEach(each -> each.cancel(true));
                throw NodeLocks.interrupted(e);
            }
        });
        if (answers.isEmpty()) {
            throw new NodeControlException(
                    "no server of " + engine() + " answers; " + Secrets.inText(String.join("; ", reasons)));
        }
        return join(answers);
    }

    @Override
    public final List<NodeInfo> nodes() {
        return nodes;
    }

    /** None: only the user's own commands can affect a node, and what the engine does by order. */
    @Override
    public <C> Optional<C> capability(Class<C> type) {
        return Optional.empty();
    }

    @Override
    public final synchronized AutoCloseable listen(Consumer<EngineEvent> listener) {
        if (closed) {
            throw new NodeControlException("the controller of this cluster (" + engine() + ") is closed");
        }
        AutoCloseable subscription = listeners.add(listener);
        if (thread == null) {
            thread = Daemon.thread(new Watch(), engine() + "-watch");
            thread.start();
        }
        return subscription;
    }

    /** Looks again and again. Its state belongs to the watching thread. */
    private final class Watch implements Runnable {
        private long blindSince;
        private int blindLooks;
        private String failure = "";

        @Override
        public void run() {
            while (!closed) {
                long at = System.nanoTime();
                Instant wall = Instant.now();
                try {
                    take(at, wall);
                } catch (RuntimeException e) {
                    failed(e, at, wall);
                }
                try {
                    Thread.sleep(POLL_MILLIS);
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        private void take(long at, Instant wall) {
            S state;
            try {
                state = look();
            } catch (NodeControlException e) {
                blind(e.getMessage(), at, wall);
                return;
            }
            if (blindLooks > 0) {
                blindLooks = 0;
                note(
                        Formatted.of(
                                "the servers of %s are reachable again after %.1f s",
                                engine(), (at - blindSince) / 1e9),
                        at,
                        wall);
            }
            history.take(state, at, wall, listeners::tell);
        }

        private void blind(String reason, long at, Instant wall) {
            if (closed) {
                return;
            }
            blindLooks++;
            if (blindLooks == 1) {
                blindSince = at;
                note("lost contact with the nodes: " + reason, at, wall);
            } else if (blindLooks == ClusterHistory.MISSES) {
                history.takeNothing(blindSince, wall.minusNanos(at - blindSince), listeners::tell);
            }
        }

        /** An answer that cannot be handled; the next one may be. */
        private void failed(RuntimeException e, long at, Instant wall) {
            if (!e.toString().equals(failure)) {
                failure = e.toString();
                LOG.warn("an answer of {} could not be handled", engine(), e);
                note("an answer could not be handled, events may be missing: " + failure, at, wall);
            }
        }

        private void note(String text, long at, Instant wall) {
            listeners.tell(new EngineEvent(at, wall, "", EngineEvent.Signal.NOTE, engine(), text));
        }
    }

    /** Ends whatever asks the servers. */
    protected void ended() {}

    @Override
    public final synchronized void close() {
        closed = true;
        asking.shutdownNow();
        if (thread != null) {
            thread.interrupt();
        }
        ended();
    }
}

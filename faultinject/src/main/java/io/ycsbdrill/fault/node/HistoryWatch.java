package io.ycsbdrill.fault.node;

import io.ycsbdrill.base.Daemon;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a cluster's history up to date on a thread of its own, by reading what the nodes have written every 10 ms. The
 * history is under this object's lock; listeners are called on the thread, outside of the lock.
 *
 * @param <H> the engine's history of a cluster
 */
public abstract class HistoryWatch<H> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HistoryWatch.class);
    private static final int POLL_MILLIS = 10;
    private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

    private final List<EngineEvent> fresh = new ArrayList<>();
    private final EventListeners listeners = new EventListeners();
    private final H history;
    private final String threadName;
    private volatile Thread thread;
    private boolean reporting;
    private volatile boolean closed;

    /**
     * @param threadName name of the watching thread, a daemon
     * @param history makes the history; what it gives to its argument is what listeners are notified of
     */
    protected HistoryWatch(String threadName, Function<Consumer<EngineEvent>, H> history) {
        this.threadName = threadName;
        this.history = history.apply(fresh::add);
    }

    /** Reads what is new since the last call into the history; called under this object's lock. */
    protected abstract void read(H history);

    /** Reads what exists before the thread starts and there is any listener; called under this object's lock. */
    protected abstract void readFirst(H history);

    /** Reads what exists, for the state only, and starts the thread; to be called once. */
    public final void start() {
        synchronized (this) {
            readFirst(history);
            fresh.clear();
        }
        Thread reader = Daemon.thread(this::loop, threadName);
        thread = reader; // before it runs, as it asks whether it does
        reader.start();
    }

    /** Answers a question about the history as it is now. */
    public final synchronized <T> T ask(Function<H, T> question) {
        return question.apply(history);
    }

    /** Whether the condition holds and listeners have been notified of every event that led to it. */
    public final synchronized boolean reported(Predicate<H> condition) {
        return !reporting && condition.test(history);
    }

    /** Whether the thread was started and is still reading. */
    public final boolean running() {
        return !closed && thread != null && thread.isAlive();
    }

    /** Adds a listener, which is called in the events' order; an exception of its own is logged. Closing removes it. */
    public final AutoCloseable listen(Consumer<EngineEvent> listener) {
        return listeners.add(listener);
    }

    private void loop() {
        while (!closed) {
            try {
                poll().forEach(listeners::tell);
                allReported();
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                // One line of a log that cannot be understood must not end the watch; that it happened must not be
                // hidden.
                LOG.warn("{} cannot read what the nodes have written", threadName, e);
                LockSupport.parkNanos(AFTER_FAILURE.toNanos());
            }
        }
    }

    /**
     * The time of a line that is not before that of the line before it, unless that is still to come: its writer's clock was wrong then.
     */
    protected static long inOrder(long lastNanos, long atNanos, long nowNanos) {
        return Math.max(Math.min(lastNanos, nowNanos), atNanos);
    }

    /** The node with the earliest line, the first of several; null when no line is left. Each node's order is kept. */
    protected static <E> String earliest(Map<String, Deque<E>> lines, Comparator<? super E> order) {
        return lines.entrySet().stream()
                .filter(each -> !each.getValue().isEmpty())
                .min((a, b) -> order.compare(a.getValue().peek(), b.getValue().peek()))
                .map(Map.Entry::getKey)
                .orElse(null);
    }

    /** Reports a remark about a node, now. */
    public final void note(String node, String source, String text) {
        note(node, EngineEvent.Signal.NOTE, source, text);
    }

    /** The same with another meaning. */
    public final synchronized void note(String node, EngineEvent.Signal signal, String source, String text) {
        fresh.add(new EngineEvent(System.nanoTime(), Instant.now(), node, signal, source, text));
    }

    private synchronized List<EngineEvent> poll() {
        read(history);
        List<EngineEvent> events = List.copyOf(fresh);
        fresh.clear();
        reporting = !events.isEmpty();
        return events;
    }

    private synchronized void allReported() {
        reporting = false;
    }

    @Override
    public final void close() {
        closed = true;
        if (thread != null) {
            thread.interrupt();
        }
    }
}

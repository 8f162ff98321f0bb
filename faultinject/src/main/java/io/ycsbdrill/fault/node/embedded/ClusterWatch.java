package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.EngineEvent;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the nodes' event files and looks after their processes on a thread of its own, {@code embedded-watch}. The history
 * is under this object's lock; listeners are called on the thread, outside of the lock.
 */
final class ClusterWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);
    private static final int POLL_MILLIS = 10;

    private final Map<String, EventTail> tails = new LinkedHashMap<>();
    private final BiPredicate<String, Long> alive;
    private final ClusterHistory history;
    private final List<EngineEvent> fresh = new ArrayList<>();
    private final List<Consumer<EngineEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Thread thread = new Thread(this::loop, "embedded-watch");
    private boolean telling;
    private volatile boolean closed;

    /**
     * @param alive whether a process, by its id, is that node's and runs
     */
    ClusterWatch(Map<String, NodeFiles> files, BiPredicate<String, Long> alive) {
        files.forEach((id, node) -> tails.put(id, new EventTail(node.events())));
        this.alive = alive;
        history = new ClusterHistory(List.copyOf(files.keySet()), fresh::add);
        thread.setDaemon(true);
    }

    /** Reads what there is, for the state only, and starts the thread. */
    void start() {
        poll();
        // Once more, for processes that the files tell of and that are gone.
        poll();
        thread.start();
    }

    synchronized <T> T ask(Function<ClusterHistory, T> question) {
        return question.apply(history);
    }

    /** Whether it is so and the listeners have been told of everything that made it so. */
    synchronized boolean told(Predicate<ClusterHistory> condition) {
        return !telling && condition.test(history);
    }

    boolean running() {
        return !closed && thread.isAlive();
    }

    AutoCloseable listen(Consumer<EngineEvent> listener) {
        // A wrapper, so that one listener may be registered twice and each registration be closed on its own.
        Consumer<EngineEvent> own = listener::accept;
        listeners.add(own);
        return () -> listeners.remove(own);
    }

    private void loop() {
        while (!closed) {
            try {
                for (EngineEvent event : poll()) {
                    listeners.forEach(listener -> tell(listener, event));
                }
                allTold();
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private synchronized void allTold() {
        telling = false;
    }

    private static void tell(Consumer<EngineEvent> listener, EngineEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException e) {
            LOG.warn("a listener failed at {}", event, e);
        }
    }

    /** Takes in what is new since the last call. */
    private synchronized List<EngineEvent> poll() {
        // Processes first: one that is gone has written all of its lines, which are then read before its end is told.
        List<String> ended = new ArrayList<>();
        tails.keySet()
                .forEach(id ->
                        history.pid(id).filter(pid -> !alive.test(id, pid)).ifPresent(pid -> ended.add(id)));
        long now = System.nanoTime();
        Instant wall = Instant.now();
        Map<String, Deque<NodeEvent>> lines = new LinkedHashMap<>();
        tails.forEach((id, tail) -> {
            try {
                lines.put(id, new ArrayDeque<>(tail.poll()));
            } catch (IOException e) {
                LOG.warn("events of {} cannot be read", id, e);
            }
        });
        boolean endsTold = ended.isEmpty();
        for (String id = next(lines); id != null; id = next(lines)) {
            NodeEvent event = lines.get(id).remove();
            if (!endsTold && event.kind() == NodeEvent.Kind.PROCESS_STARTED && ended.contains(id)) {
                ended.remove(id);
                history.processEnded(id, event.atNanos(), event.wall());
            }
            history.reported(id, event);
        }
        ended.forEach(id -> history.processEnded(id, now, wall));
        List<EngineEvent> told = List.copyOf(fresh);
        fresh.clear();
        telling = thread.isAlive() && !told.isEmpty();
        return told;
    }

    /** The node with the earliest line; each node's own order is kept. */
    private static String next(Map<String, Deque<NodeEvent>> lines) {
        String earliest = null;
        for (Map.Entry<String, Deque<NodeEvent>> each : lines.entrySet()) {
            if (!each.getValue().isEmpty()
                    && (earliest == null
                            || each.getValue().peek().atNanos()
                                    < lines.get(earliest).peek().atNanos())) {
                earliest = each.getKey();
            }
        }
        return earliest;
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
    }
}

package io.ycsbdrill.fault.node.embedded;

import io.ycsbdrill.fault.node.HistoryWatch;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Reads the nodes' event files and looks after their processes on a thread of its own, {@code embedded-watch}. The history
 * is under this object's lock; listeners are called on the thread, outside of the lock.
 */
final class ClusterWatch extends HistoryWatch<ClusterHistory> {

    private final Map<String, EventTail> tails = new LinkedHashMap<>();
    private final BiPredicate<String, Long> alive;

    /**
     * @param alive whether a process, by its id, is that node's and runs
     */
    ClusterWatch(Map<String, NodeFiles> files, BiPredicate<String, Long> alive) {
        super("embedded-watch", told -> new ClusterHistory(List.copyOf(files.keySet()), told));
        files.forEach((id, node) -> tails.put(id, new EventTail(node.events())));
        this.alive = alive;
    }

    @Override
    protected void readFirst(ClusterHistory history) {
        read(history);
        // Once more, for processes that the files tell of and that are gone.
        read(history);
    }

    @Override
    protected void read(ClusterHistory history) {
        // Processes first: one that is gone has written all of its lines, which are then read before its end is told.
        List<String> ended = new ArrayList<>();
        tails.keySet()
                .forEach(id ->
                        history.pid(id).filter(pid -> !alive.test(id, pid)).ifPresent(pid -> ended.add(id)));
        long now = System.nanoTime();
        Instant wall = Instant.now();
        Map<String, Deque<NodeEvent>> lines = new LinkedHashMap<>();
        tails.forEach((id, tail) -> lines.put(id, new ArrayDeque<>(tail.poll())));
        for (String id = next(lines); id != null; id = next(lines)) {
            NodeEvent event = lines.get(id).remove();
            if (event.kind() == NodeEvent.Kind.PROCESS_STARTED && ended.remove(id)) {
                history.processEnded(id, event.atNanos(), event.wall());
            }
            history.reported(id, event);
        }
        ended.forEach(id -> history.processEnded(id, now, wall));
    }

    private static String next(Map<String, Deque<NodeEvent>> lines) {
        return earliest(lines, Comparator.comparingLong(NodeEvent::atNanos));
    }
}

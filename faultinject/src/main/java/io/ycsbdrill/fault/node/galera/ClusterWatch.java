package io.ycsbdrill.fault.node.galera;

import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.os.ClockShim;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads the nodes' logs and status files and looks after their processes on a thread of its own, {@code galera-watch}. The
 * history is under this object's lock; listeners are called on the thread, outside of the lock.
 */
final class ClusterWatch extends HistoryWatch<ClusterHistory> {
    private static final int CHANGES_KEPT = 32;

    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Function<String, Optional<OsProcess>> processes;

    /** What is read of one node. */
    private static final class Source {
        final GaleraFiles files;
        final String node;
        final LogTail tail;
        final LogReader reader = new LogReader(ZoneOffset.UTC);
        final Deque<StatusFile> changes = new ArrayDeque<>();
        FileTime statusRead;
        Instant last = Instant.EPOCH;
        long lastNanos = Long.MIN_VALUE;
        OsProcess process;

        Source(GaleraFiles files, String node) {
            this.files = files;
            this.node = node;
            this.tail = new LogTail(files.log(node));
        }

        void readStatus() {
            try {
                FileTime modified = Files.getLastModifiedTime(files.status(node));
                if (modified.equals(statusRead)) {
                    return;
                }
                StatusFile.read(files.status(node)).ifPresent(status -> {
                    statusRead = modified;
                    changes.add(status);
                    if (changes.size() > CHANGES_KEPT) {
                        changes.remove();
                    }
                });
            } catch (IOException e) {
                // Not there: the node is down, or has not come so far.
            }
        }

        /**
         * A line's time, not before that of the line before it: each reading compares the two clocks anew, and lines of equal
         * wall-clock time from two readings would else change places by some 100 ns.
         */
        long inOrder(long atNanos, long nowNanos) {
            lastNanos = HistoryWatch.inOrder(lastNanos, atNanos, nowNanos);
            return lastNanos;
        }

        List<LogEvent> readLog() {
            List<LogEvent> events = new ArrayList<>();
            tail.readable().forEach(line -> reader.accept(line).ifPresent(events::add));
            return events;
        }

        /** @param fresh whether they were written since the last reading */
        Deque<Dated> dated(List<LogEvent> events, Instant seen, boolean fresh) {
            List<Instant> times = EventTime.of(events, seen, List.copyOf(changes), last);
            Deque<Dated> dated = new ArrayDeque<>();
            for (int i = 0; i < times.size(); i++) {
                last = fresh ? ClockShim.written(files.directory(), node, times.get(i), seen) : times.get(i);
                dated.add(new Dated(events.get(i), last));
            }
            return dated;
        }
    }

    /** A line with its time. */
    private record Dated(LogEvent event, Instant at) {}

    /** @param processes the process of a node that runs now */
    ClusterWatch(List<String> nodes, GaleraFiles files, Function<String, Optional<OsProcess>> processes) {
        super("galera-watch", listener -> new ClusterHistory(nodes, listener));
        nodes.forEach(node -> sources.put(node, new Source(files, node)));
        this.processes = processes;
    }

    @Override
    protected void readFirst(ClusterHistory history) {
        read(history);
        sources.forEach((node, source) -> history.found(
                node,
                source.process != null,
                StatusFile.read(source.files.status(node))
                        .filter(StatusFile::recovered)
                        .isPresent()));
        sources.values().forEach(source -> source.lastNanos = Long.MIN_VALUE);
    }

    @Override
    protected void read(ClusterHistory history) {
        // Processes first: one that is gone has written all of its lines, which are then read before its end is
        // reported.
        Map<String, OsProcess> ended = new HashMap<>();
        Map<String, OsProcess> begun = new HashMap<>();
        sources.forEach((node, source) -> {
            OsProcess now = processes.apply(node).orElse(null);
            if (source.process != null && !source.process.equals(now)) {
                ended.put(node, source.process);
            }
            if (now != null && !now.equals(source.process)) {
                begun.put(node, now);
            }
            source.process = now;
        });
        long nowNanos = System.nanoTime();
        Instant now = Instant.now();
        Map<String, Deque<Dated>> lines = new LinkedHashMap<>();
        sources.forEach((node, source) -> {
            List<LogEvent> events = source.readLog();
            source.readStatus(); // after the log, so that it has the changes that the lines tell of
            lines.put(node, source.dated(events, Instant.now(), running()));
        });
        begun.keySet().stream().filter(node -> !ended.containsKey(node)).forEach(history::processSeen);
        for (String node = next(lines); node != null; node = next(lines)) {
            Dated line = lines.get(node).remove();
            if (line.event().kind() == LogEvent.Kind.STARTING && begun.containsKey(node) && ended.containsKey(node)) {
                history.processEnded(node, ended.remove(node).pid(), nowNanos, now);
                history.processSeen(node);
            }
            long at = sources.get(node)
                    .inOrder(nowNanos - Duration.between(line.at(), now).toNanos(), nowNanos);
            history.reported(node, line.event(), at, line.at());
        }
        ended.forEach((node, process) -> {
            history.processEnded(node, process.pid(), nowNanos, now);
            if (begun.containsKey(node)) {
                history.processSeen(node);
            }
        });
    }

    private static String next(Map<String, Deque<Dated>> lines) {
        return earliest(lines, Comparator.comparing(Dated::at));
    }
}

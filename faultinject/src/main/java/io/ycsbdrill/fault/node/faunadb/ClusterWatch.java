package io.ycsbdrill.fault.node.faunadb;

import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.kit.HttpProbe;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

/**
 * Reads the nodes' logs, looks after their processes and asks them for their status on a thread of its own, {@code faunadb-watch},
 * which waits for no answer. Whether a node takes writes is asked only while it comes up: the question is a write itself.
 */
final class ClusterWatch extends HistoryWatch<ClusterHistory> {
    private static final Duration EVERY = Duration.ofMillis(500);
    private static final Duration BOUND = Duration.ofSeconds(5);
    private static final Duration FIRST_LOOK = Duration.ofSeconds(4);

    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Function<String, Optional<OsProcess>> processes;

    /** What is read of one node. */
    private static final class Source {
        final LogTail log;
        final HttpProbe status;
        final HttpProbe writes;
        OsProcess process;

        Source(LogTail log, HttpProbe status, HttpProbe writes) {
            this.log = log;
            this.status = status;
            this.writes = writes;
        }
    }

    /** An event of a node's log. */
    private record Line(String node, LogEvent event) {}

    /** @param processes the process of a node that runs now */
    ClusterWatch(
            FaunaDbSettings settings,
            String version,
            FaunaDbFiles files,
            String rootKey,
            Function<String, Optional<OsProcess>> processes) {
        super("faunadb-watch", listener -> new ClusterHistory(settings.names(), version, listener));
        this.processes = processes;
        for (String node : settings.names()) {
            sources.put(
                    node,
                    new Source(
                            new LogTail(files.log(node)),
                            new HttpProbe(
                                    settings.admin(node, "/admin/status"), FaunaDbAdmin.headers(rootKey), EVERY, BOUND),
                            new HttpProbe(settings.http(node, "/ping?scope=write"), Map.of(), EVERY, BOUND)));
        }
    }

    /** Nodes that serve answer within some moments, so that their state is known from the beginning. */
    @Override
    protected void readFirst(ClusterHistory history) {
        long deadline = System.nanoTime() + FIRST_LOOK.toNanos();
        do {
            read(history);
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
        } while (sources.keySet().stream().anyMatch(history::coming) && System.nanoTime() - deadline < 0);
    }

    @Override
    protected void read(ClusterHistory history) {
        // Processes before logs: one that is gone has written all of its lines.
        Map<String, OsProcess> ended = new LinkedHashMap<>();
        Map<String, OsProcess> begun = new LinkedHashMap<>();
        sources.forEach((node, source) -> {
            OsProcess now = processes.apply(node).orElse(null);
            if (source.process != null && !source.process.equals(now)) {
                ended.put(node, source.process);
            }
            if (now != null && !now.equals(source.process)) {
                begun.put(node, now);
                source.status.forget();
                source.writes.forget();
            }
            source.process = now;
        });
        Moment now = Moment.now();
        ended.forEach((node, process) -> history.processEnded(node, process.pid(), now));
        begun.forEach((node, process) -> history.processSeen(node, process.pid(), now));
        lines().forEach(line ->
                history.reported(line.node(), line.event(), now.at(line.event().at())));
        sources.forEach((node, source) -> {
            if (source.process != null) {
                ask(node, source, history);
            }
        });
    }

    private static void ask(String node, Source source, ClusterHistory history) {
        source.status.poll().ifPresent(answer -> ClusterStatus.of(answer.body())
                .ifPresent(status -> history.answered(node, status, answer.moment())));
        if (history.coming(node)) {
            source.writes.poll().ifPresent(answer -> history.writes(node, answer.status() == 200, answer.moment()));
        }
    }

    /** In order of time; each node's own order is kept, as the sort is stable. */
    private List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        sources.forEach((node, source) ->
                source.log.readable().forEach(line -> LogEvent.of(line).ifPresent(e -> lines.add(new Line(node, e)))));
        lines.sort(Comparator.comparing(line -> line.event().at()));
        return lines;
    }
}

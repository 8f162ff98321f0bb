package io.ycsbdrill.fault.node.patroni;

import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.kit.HttpProbe;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.os.ClockShim;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import io.ycsbdrill.fault.node.patroni.PatroniHistory.Part;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * Reads the nodes' logs, looks after their processes and, while a node comes back, asks all for their positions, on a thread of its
 * own, {@code patroni-watch}, which waits for no answer.
 */
final class PatroniWatch extends HistoryWatch<PatroniHistory> {
    private static final Duration WHILE_COMING = Duration.ofMillis(100);
    private static final Duration OTHERWISE = Duration.ofSeconds(2);
    private static final Duration BOUND = Duration.ofSeconds(5);

    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final BiFunction<String, Part, Optional<OsProcess>> processes;
    private final Path cluster;

    /** What is read of one node. */
    private static final class Source {
        final LogTail log;
        final Optional<HttpProbe> rest;
        final Map<Part, OsProcess> running = new EnumMap<>(Part.class);
        /** Patroni has ended and its server has not: whether the server was hit as well shows a moment later. */
        boolean orphan;

        long lastNanos = Long.MIN_VALUE;
        long askedNanos = System.nanoTime();

        Source(LogTail log, Optional<HttpProbe> rest) {
            this.log = log;
            this.rest = rest;
        }

        /** Lines of one wall-clock time from two readings, each of which compares the clocks anew, keep their order. */
        Moment inOrder(Instant at, Moment now) {
            lastNanos = HistoryWatch.inOrder(
                    lastNanos, now.nanos() - Duration.between(at, now.wall()).toNanos(), now.nanos());
            return new Moment(lastNanos, at);
        }
    }

    /** An event of a node's log. */
    private record Line(String node, PatroniLogEvent event, Instant at) {}

    /**
     * @param rest Patroni's own address by data node
     * @param processes that of a node which runs now
     */
    PatroniWatch(
            Map<String, String> rest, PatroniFiles files, BiFunction<String, Part, Optional<OsProcess>> processes) {
        super("patroni-watch", listener -> {
            List<String> names = new ArrayList<>(rest.keySet());
            names.add(PatroniFiles.ETCD);
            return new PatroniHistory(names, listener);
        });
        this.processes = processes;
        cluster = files.directory();
        rest.forEach((node, address) -> sources.put(
                node,
                new Source(
                        new LogTail(files.output(node)),
                        Optional.of(new HttpProbe(
                                URI.create("http://" + address + "/patroni"), Map.of(), Duration.ZERO, BOUND)))));
        sources.put(PatroniFiles.ETCD, new Source(new LogTail(files.output(PatroniFiles.ETCD)), Optional.empty()));
    }

    @Override
    protected void readFirst(PatroniHistory history) {
        read(history);
        sources.forEach((node, source) ->
                history.found(node, source.running.containsKey(Part.PATRONI), source.running.containsKey(Part.SERVER)));
        sources.values().forEach(source -> source.lastNanos = Long.MIN_VALUE);
    }

    @Override
    protected void read(PatroniHistory history) {
        Moment now = Moment.now();
        sources.forEach((node, source) -> processes(history, node, source, now));
        for (Line line : lines(now.wall())) {
            if (line.event().kind() == PatroniLogEvent.Kind.READY) {
                // Since the processes were looked at it may have been started, and may have ended.
                begun(history, line.node(), Part.SERVER, now, processes.apply(line.node(), Part.SERVER));
            }
            history.reported(line.node(), line.event(), sources.get(line.node()).inOrder(line.at(), now));
        }
        sources.forEach((node, source) -> source.rest.ifPresent(rest -> ask(history, node, source, rest)));
    }

    /** Ends before beginnings, and the server's end before Patroni's, of which it matters whether the server goes on. */
    private void processes(PatroniHistory history, String node, Source source, Moment now) {
        Map<Part, OsProcess> found = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            processes.apply(node, part).ifPresent(process -> found.put(part, process));
        }
        ended(history, node, Part.SERVER, source, found, now);
        boolean orphan = source.running.containsKey(Part.PATRONI)
                && source.running.containsKey(Part.SERVER)
                && !found.containsKey(Part.PATRONI);
        if (!orphan || source.orphan) {
            ended(history, node, Part.PATRONI, source, found, now);
        }
        source.orphan = orphan;
        for (Part part : Part.values()) {
            begun(history, node, part, now, Optional.ofNullable(found.get(part)));
        }
    }

    private static void ended(
            PatroniHistory history, String node, Part part, Source source, Map<Part, OsProcess> found, Moment now) {
        OsProcess before = source.running.get(part);
        if (before != null && !before.equals(found.get(part))) {
            source.running.remove(part);
            history.processEnded(node, part, before.pid(), now);
        }
    }

    private void begun(PatroniHistory history, String node, Part part, Moment now, Optional<OsProcess> found) {
        Map<Part, OsProcess> running = sources.get(node).running;
        if (found.isPresent() && !running.containsKey(part)) {
            running.put(part, found.get());
            history.processSeen(node, part, now);
        }
    }

    private static void ask(PatroniHistory history, String node, Source source, HttpProbe rest) {
        if (!source.running.containsKey(Part.PATRONI)) {
            rest.forget();
            return;
        }
        long every = (history.anyComing() ? WHILE_COMING : OTHERWISE).toNanos();
        if (System.nanoTime() - source.askedNanos >= every) {
            rest.poll().ifPresent(answer -> {
                source.askedNanos = answer.askedNanos();
                PatroniAnswer.of(answer.body())
                        .ifPresent(said -> history.answered(node, said, answer.askedNanos(), answer.moment()));
            });
        }
    }

    /** In order of time; each node's own order is kept, as the sort is stable. */
    private List<Line> lines(Instant now) {
        List<Line> lines = new ArrayList<>();
        sources.forEach((node, source) -> {
            source.log.readable().forEach(text -> PatroniLogReader.event(text)
                    .ifPresent(event -> lines.add(new Line(
                            node, event, running() ? ClockShim.written(cluster, node, event.at(), now) : event.at()))));
        });
        lines.sort(Comparator.comparing(Line::at));
        return lines;
    }
}

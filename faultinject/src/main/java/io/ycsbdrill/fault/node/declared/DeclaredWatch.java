package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.base.Formatted;
import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.NodeLocks;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads what the servers print, looks after their processes and asks those that come back how they are, on a thread of its own,
 * {@code declared-watch}, which waits for no answer. What servers on other hosts print is not read.
 */
final class DeclaredWatch extends HistoryWatch<DeclaredHistory> {
    private static final Duration FIRST_LOOK = Duration.ofSeconds(5);
    /** The first look at a host includes the connection to it. */
    private static final Duration FIRST_CONNECTION = Duration.ofSeconds(15);

    private static final Duration OFTEN = Duration.ofMillis(50);
    private static final Duration SELDOM = Duration.ofMillis(500);
    /** After a time without looks that is longer, the end of a process cannot be dated. */
    private static final long GAP_NANOS = Duration.ofSeconds(2).toNanos();

    private final Map<String, Source> sources = new LinkedHashMap<>();

    private static final class Source {
        final Optional<LogLines> lines;
        final Supplier<List<String>> printed;
        final Supplier<ProcessSight> view;
        final Asker asker;
        ProcessSight sight = new ProcessSight(Optional.empty(), Moment.now());
        /** Whether it was ever seen whether it has a process. */
        boolean found;
        /** The last answer, until the server was looked at after it. */
        Optional<Asker.Answer> held = Optional.empty();
        /** It was said that its lines have no time. */
        boolean told;

        Source(Optional<LogLines> lines, Supplier<List<String>> printed, Supplier<ProcessSight> view, Asker asker) {
            this.lines = lines;
            this.printed = printed;
            this.view = view;
            this.asker = asker;
        }
    }

    private record Line(String id, Instant at, LogLines.Event event) {}

    /** What is looked for, but for what was said to be given up. */
    private final List<Words> words;

    /**
     * Watches servers of this machine.
     *
     * @param ids of all servers, data nodes first
     * @param processes that of a server which runs now
     */
    DeclaredWatch(
            Places places,
            DeclaredFiles files,
            List<String> ids,
            Function<String, Optional<OsProcess>> processes,
            Programs programs) {
        super("declared-watch", listener -> new DeclaredHistory(places.file(), ids, listener));
        this.words = new ArrayList<>(places.file().words());
        for (String id : ids) {
            EngineFile.Group group = places.file().group(id);
            Supplier<ProcessSight> view = () -> new ProcessSight(
                    processes.apply(id).map(process -> process.pid() + "-" + process.startTicks()), Moment.now());
            Asker asker = asker(id, group.probe(), places, programs, OFTEN);
            sources.put(id, new Source(group.log(), new LogTail(files.log(id))::readable, view, asker));
        }
    }

    /** Watches data nodes on other hosts, by their ids, as far as their hosts have shown them. */
    DeclaredWatch(Places places, Map<String, Supplier<ProcessSight>> views, Programs programs) {
        super("declared-watch", listener -> new AnsweredHistory(places.file(), views.keySet(), listener));
        Probe probe = places.file().nodes().probe();
        this.words = new ArrayList<>(probe.words().toList());
        views.forEach((id, view) -> sources.put(
                id, new Source(Optional.empty(), List::of, view, asker(id, probe, places, programs, SELDOM))));
    }

    private static Asker asker(String id, Probe probe, Places places, Programs programs, Duration every) {
        return new Asker(id, programs.in(probe), template -> places.fill(template, id), programs, every);
    }

    /** Whether it is known now whether a server has a process; asked under the lock. */
    boolean knows(String id) {
        return sources.get(id).sight.known();
    }

    /** A server that serves answers within a moment, so that its state is known from the beginning. */
    @Override
    protected void readFirst(DeclaredHistory history) {
        NodeLocks.holds(FIRST_CONNECTION, () -> sources.values().stream()
                .allMatch(each -> each.view.get().known()));
        long deadline = System.nanoTime() + FIRST_LOOK.toNanos();
        read(history);
        while (sources.keySet().stream().anyMatch(id -> history.running(id) && !history.recovered(id))
                && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
            read(history);
        }
    }

    @Override
    protected void read(DeclaredHistory history) {
        Moment now = Moment.now();
        sources.keySet().forEach(id -> look(history, id));
        for (Line line : lines()) {
            if (!history.running(line.id())) {
                look(history, line.id()); // it may have been started since
            }
            history.reported(line.id(), line.event().meaning(), line.event().text(), now.at(line.at()));
        }
        sources.forEach((id, source) -> {
            if (source.held.isEmpty() && history.wanted(id)) {
                source.held = source.asker.poll();
            }
            // Whether it still had its process when it answered comes first: hosts are asked for that seldom.
            source.held
                    .filter(answer -> source.sight.at().nanos() - answer.receivedNanos() >= 0)
                    .ifPresent(answer -> {
                        source.held = Optional.empty();
                        take(history, id, answer);
                    });
        });
        if (running()) {
            words.removeIf(each -> {
                each.problem()
                        .ifPresent(text -> note(sources.keySet().iterator().next(), "engine.yaml", text));
                return each.problem().isPresent();
            });
        }
    }

    private static void take(DeclaredHistory history, String id, Asker.Answer answer) {
        answer.text()
                .ifPresentOrElse(
                        text -> history.answered(
                                id, text, answer.askedNanos(), new Moment(answer.receivedNanos(), answer.received())),
                        () -> history.unanswered(id, answer.askedNanos()));
    }

    private void look(DeclaredHistory history, String id) {
        Source source = sources.get(id);
        ProcessSight before = source.sight;
        ProcessSight now = source.view.get();
        source.sight = now;
        boolean first = !source.found;
        source.found |= now.known();
        history.known(id, now.known());
        if (now.process().equals(before.process())) {
            return;
        }
        if (before.process().isPresent()) {
            // Of a process that was followed by another one, the end is no later than that one's start.
            Moment end = now.process().isPresent() ? Moment.latest(before.at(), now.begun()) : now.at();
            history.processEnded(id, pid(before), end);
            long gap = now.at().nanos() - before.at().nanos();
            if (running() && gap > GAP_NANOS) {
                note(
                        id,
                        "process",
                        Formatted.of(
                                "its host did not answer for %.1f s: its end may be that much earlier", gap / 1e9));
            }
        }
        if (now.process().isPresent()) {
            history.processSeen(id, pid(now), now.begun(), first);
        }
    }

    private static String pid(ProcessSight sight) {
        return sight.process().orElseThrow().replaceFirst("-.*", "");
    }

    /** In order of time; each server's own order is kept, as the sort is stable. */
    private List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        sources.forEach((id, source) -> source.lines.ifPresent(rules -> {
            source.printed.get().forEach(text -> rules.event(text).ifPresent(event -> event.at()
                    .ifPresentOrElse(at -> lines.add(new Line(id, at, event)), () -> untimed(id, event))));
        }));
        lines.sort(Comparator.comparing(Line::at));
        return lines;
    }

    private void untimed(String id, LogLines.Event event) {
        Source source = sources.get(id);
        if (running() && !source.told) {
            source.told = true;
            note(
                    id,
                    id + ".log",
                    "a line is left out, and each like it, as log.time and log.format find no time in it: "
                            + event.text());
        }
    }
}

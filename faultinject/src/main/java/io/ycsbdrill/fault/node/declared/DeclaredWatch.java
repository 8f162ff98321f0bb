package io.ycsbdrill.fault.node.declared;

import io.ycsbdrill.fault.node.HistoryWatch;
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

/**
 * Reads what the servers print, looks after their processes and asks those that come back how they are, on a thread of its own,
 * {@code declared-watch}, which waits for no answer.
 */
final class DeclaredWatch extends HistoryWatch<DeclaredHistory> {
    private static final Duration FIRST_LOOK = Duration.ofSeconds(3);

    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Function<String, Optional<OsProcess>> processes;

    private static final class Source {
        final Optional<LogLines> lines;
        final LogTail log;
        final Asker asker;
        OsProcess process;
        /** It was said that its lines have no time. */
        boolean told;

        Source(Optional<LogLines> lines, LogTail log, Asker asker) {
            this.lines = lines;
            this.log = log;
            this.asker = asker;
        }
    }

    private record Line(String id, Instant at, LogLines.Event event) {}

    /** What is looked for, but for what was said to be given up. */
    private final List<Words> words;

    /**
     * @param ids of all servers, data nodes first
     * @param processes that of a server which runs now
     */
    DeclaredWatch(Places places, List<String> ids, Function<String, Optional<OsProcess>> processes, Programs programs) {
        super("declared-watch", listener -> new DeclaredHistory(places.file(), ids, listener));
        this.processes = processes;
        this.words = new ArrayList<>(places.file().words());
        for (String id : ids) {
            EngineFile.Group group = places.file().group(id);
            sources.put(
                    id,
                    new Source(
                            group.log(),
                            new LogTail(places.files().log(id)),
                            new Asker(
                                    id, programs.in(group.probe()), template -> places.fill(template, id), programs)));
        }
    }

    /** A server that serves answers within a moment, so that its state is known from the beginning. */
    @Override
    protected void readFirst(DeclaredHistory history) {
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
        sources.keySet().forEach(id -> look(history, id, now));
        for (Line line : lines()) {
            if (!history.running(line.id())) {
                look(history, line.id(), now); // it may have been started since
            }
            history.reported(line.id(), line.event().meaning(), line.event().text(), now.at(line.at()));
        }
        sources.forEach((id, source) -> {
            if (history.wanted(id)) {
                source.asker.poll().ifPresent(answer -> take(history, id, answer));
            }
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

    private void look(DeclaredHistory history, String id, Moment now) {
        Source source = sources.get(id);
        OsProcess found = processes.apply(id).orElse(null);
        if (source.process != null && !source.process.equals(found)) {
            history.processEnded(id, source.process.pid(), now);
        }
        if (found != null && !found.equals(source.process)) {
            history.processSeen(id, found.pid(), now);
        }
        source.process = found;
    }

    /** In order of time; each server's own order is kept, as the sort is stable. */
    private List<Line> lines() {
        List<Line> lines = new ArrayList<>();
        sources.forEach((id, source) -> source.lines.ifPresent(rules -> {
            source.log.readable().forEach(text -> rules.event(text).ifPresent(event -> event.at()
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

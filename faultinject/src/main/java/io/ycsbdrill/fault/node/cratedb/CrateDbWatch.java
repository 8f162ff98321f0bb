package io.ycsbdrill.fault.node.cratedb;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.kit.Members;
import io.ycsbdrill.fault.node.kit.Moment;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the nodes' logs and looks after their processes on a thread of its own, {@code cratedb-watch}; the system tables are
 * asked on another one, {@code cratedb-tables}, so that a server that does not answer delays nothing else. The history is under
 * this object's lock; listeners are called on the first thread, outside of the lock.
 */
final class CrateDbWatch extends HistoryWatch<LocalHistory> {
    private static final Logger LOG = LoggerFactory.getLogger(CrateDbWatch.class);
    private static final long ASK_MILLIS = 500;
    private static final int FIRST_LOOKS = 4;

    private final Map<String, Source> sources = new LinkedHashMap<>();
    private final Function<String, Optional<OsProcess>> processes;
    private final CrateDbNodes tables;
    private final Members members;
    private final Queue<Look> looks = new ConcurrentLinkedQueue<>();
    private final Thread asking;

    /** What is read of one node. */
    private static final class Source {
        final LogTail tail;
        final LogReader reader = new LogReader();
        OsProcess process;

        Source(LogTail tail) {
            this.tail = tail;
        }
    }

    /** An event of a node's log. */
    private record Line(String node, LogEvent event) {}

    /** What the tables said. */
    private record Look(CrateDbState state, Moment at) {}

    /**
     * @param processes the process of a node that runs now
     * @param tables closed with this watch
     */
    CrateDbWatch(
            Members members,
            String version,
            CrateDbFiles files,
            Function<String, Optional<OsProcess>> processes,
            CrateDbNodes tables) {
        super("cratedb-watch", listener -> new LocalHistory(members.all(), version, listener));
        this.members = members;
        members.all().forEach(node -> sources.put(node, new Source(new LogTail(files.log(node)))));
        this.processes = processes;
        this.tables = tables;
        this.asking = Daemon.thread(this::ask, "cratedb-tables");
    }

    /** Begins to watch; to be called once. */
    void begin() {
        start();
        asking.start();
    }

    /** Stops watching. */
    void end() {
        close();
        asking.interrupt();
        tables.close();
    }

    private void ask() {
        while (!Thread.currentThread().isInterrupted()) {
            try {
                look().ifPresent(looks::add);
                Thread.sleep(ASK_MILLIS);
            } catch (InterruptedException e) {
                return;
            } catch (RuntimeException e) {
                LOG.warn("an answer of CrateDB could not be handled", e);
            }
        }
    }

    private Optional<Look> look() {
        Moment at = Moment.now();
        try {
            return Optional.of(new Look(tables.now(), at));
        } catch (NodeControlException e) {
            return Optional.empty(); // nobody answers: nothing is known
        }
    }

    @Override
    protected void readFirst(LocalHistory history) {
        read(history);
        Map<String, Long> running = new HashMap<>();
        sources.forEach((node, source) -> {
            if (source.process != null) {
                running.put(node, source.process.pid());
            }
        });
        Optional<Look> state = Optional.empty();
        for (int i = 0; i < FIRST_LOOKS && state.isEmpty() && !running.isEmpty(); i++) {
            state = look(); // takes 2 s at most; a busy server may need more than one
        }
        history.found(running, state.map(Look::state), members.members());
    }

    @Override
    protected void read(LocalHistory history) {
        // Answers before logs, so that the lines of what an answer shows are known; processes before logs, as one that
        // is
        // gone has written all of its lines.
        List<Look> answers = new ArrayList<>();
        for (Look look = looks.poll(); look != null; look = looks.poll()) {
            answers.add(look);
        }
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
        Moment now = Moment.now();
        List<Line> lines = new ArrayList<>();
        sources.forEach((node, source) -> source.tail.readable().stream()
                .flatMap(line -> source.reader.accept(line).stream())
                .forEach(event -> lines.add(new Line(node, event))));
        // Each node's own order is kept: the sort is stable.
        lines.sort(Comparator.comparing(line -> line.event().at()));
        begun.forEach((node, process) -> {
            if (!ended.containsKey(node)) {
                history.processSeen(node, process.pid(), now);
            }
        });
        lines.forEach(line ->
                history.reported(line.node(), line.event(), now.at(line.event().at())));
        ended.forEach((node, process) -> {
            history.processEnded(node, process.pid(), now);
            if (begun.containsKey(node)) {
                history.processSeen(node, begun.get(node).pid(), now);
            }
        });
        answers.forEach(look -> history.asked(look.state(), look.at()));
    }
}

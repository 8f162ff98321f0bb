package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.HistoryWatch;
import io.ycsbdrill.fault.node.kit.ProcessHistory;
import io.ycsbdrill.fault.node.os.LogTail;
import io.ycsbdrill.fault.node.os.OsProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches the processes of SQL nodes and reads their error logs. No other node has to handle the end of a SQL node, so it is
 * {@code down} at once; it is recovered when it logs that it is ready for connections, for which it has waited for the cluster.
 */
final class SqlWatch extends HistoryWatch<SqlWatch.History> {
    private static final Logger LOG = LoggerFactory.getLogger(SqlWatch.class);

    /** "mysqld (mysqld 9.7.2) starting as process 1234". */
    private static final String STARTING = "[MY-010116]";

    /** "ready for connections. Version: ...", but not the X plugin's. */
    private static final String READY = "[MY-010931]";

    private final Map<String, LogTail> logs = new LinkedHashMap<>();
    private final Function<String, Optional<OsProcess>> processes;

    /** What is known of one node. */
    private static final class Sight {
        OsProcess process;
        boolean ready;
    }

    /** What is known of all of them. */
    static final class History implements ProcessHistory {
        private final Map<String, Sight> nodes = new LinkedHashMap<>();
        private final Consumer<EngineEvent> listener;

        private History(Iterable<String> nodes, Consumer<EngineEvent> listener) {
            nodes.forEach(node -> this.nodes.put(node, new Sight()));
            this.listener = listener;
        }

        @Override
        public boolean recovered(String node) {
            return nodes.get(node).process != null && nodes.get(node).ready;
        }

        @Override
        public boolean running(String node) {
            return nodes.get(node).process != null;
        }

        private void tell(long at, Instant wall, String node, Signal signal, String source, String text) {
            listener.accept(new EngineEvent(at, wall, node, signal, source, text));
        }
    }

    /**
     * @param logs error log by node
     * @param processes the process of a node that runs now
     */
    SqlWatch(Map<String, Path> logs, Function<String, Optional<OsProcess>> processes) {
        super("ndb-sql-watch", listener -> new History(List.copyOf(logs.keySet()), listener));
        logs.forEach((node, log) -> this.logs.put(node, new LogTail(log)));
        this.processes = processes;
    }

    @Override
    protected void readFirst(History history) {
        read(history);
    }

    @Override
    protected void read(History history) {
        history.nodes.forEach((node, sight) -> {
            OsProcess now = processes.apply(node).orElse(null);
            long at = System.nanoTime();
            Instant wall = Instant.now();
            if (sight.process != null && !sight.process.equals(now)) {
                String text = "process " + sight.process.pid() + " ended";
                // Before: a fault goes to down without any handling. After: the same for a node that ends by itself.
                history.tell(at, wall, node, Signal.FAILURE_HANDLED, "process", text);
                history.tell(at, wall, node, Signal.NODE_DOWN, "process", text);
                history.tell(at, wall, node, Signal.FAILURE_HANDLED, "process", text);
                sight.ready = false;
            }
            if (now != null && !now.equals(sight.process)) {
                history.tell(at, wall, node, Signal.PROCESS_STARTED, "process", "process " + now.pid() + " runs");
            }
            sight.process = now;
            readLog(history, node, sight);
        });
    }

    private void readLog(History history, String node, Sight sight) {
        try {
            for (String line : logs.get(node).poll()) {
                if (line.contains(STARTING)) {
                    sight.ready = false;
                } else if (line.contains(READY)) {
                    sight.ready = true;
                    Instant wall = time(line);
                    long at = System.nanoTime()
                            - Duration.between(wall, Instant.now()).toNanos();
                    history.tell(at, wall, node, Signal.RECOVERED, "error log", line);
                }
            }
        } catch (IOException e) {
            LOG.warn("error log of {} cannot be read", node, e);
        }
    }

    /** When a line was written; now when it does not say so. */
    static Instant time(String line) {
        try {
            return OffsetDateTime.parse(line.split(" ", 2)[0]).toInstant();
        } catch (DateTimeParseException e) {
            return Instant.now();
        }
    }
}

package io.ycsbdrill.fault.node.ndb;

import io.ycsbdrill.base.Daemon;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.os.ProgramOutput;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * After each recovery asks an SQL node for its second opinion and notes the differences. Collects on the watching thread
 * and asks on one of its own ({@code ndb-restart-info}), since the answer takes a while.
 */
final class RestartInfoCheck implements Consumer<EngineEvent>, AutoCloseable {
    private static final Duration BOUND = Duration.ofSeconds(20);

    private final NdbSql sql;
    private final BiConsumer<String, String> note;
    private final Map<String, List<EngineEvent>> open = new HashMap<>();
    private final ScheduledExecutorService asking =
            Executors.newSingleThreadScheduledExecutor(task -> Daemon.thread(task, "ndb-restart-info"));

    /**
     * @param sql of a cluster that has an SQL node
     * @param note takes a node and a text
     */
    RestartInfoCheck(NdbSql sql, BiConsumer<String, String> note) {
        this.sql = sql;
        this.note = note;
    }

    @Override
    public void accept(EngineEvent event) {
        if (event.signal() == Signal.STEP || event.signal() == Signal.NOTE) {
            return;
        }
        if (event.signal() == Signal.NODE_DOWN) {
            open.put(event.node(), new ArrayList<>());
        }
        List<EngineEvent> recovery = open.get(event.node());
        if (recovery == null) {
            return; // its beginning was not seen
        }
        recovery.add(event);
        if (event.signal() == Signal.RECOVERED) {
            open.remove(event.node());
            if (!asking.isShutdown()) {
                // The row is complete a moment after the event.
                asking.schedule(() -> compare(event.node(), recovery), 1, TimeUnit.SECONDS);
            }
        }
    }

    private void compare(String node, List<EngineEvent> recovery) {
        try {
            ProgramOutput output = sql.printed(RestartInfo.query(node), true, BOUND);
            RestartInfo info = RestartInfo.parse(output.text());
            if (output.exit() != 0 || info.columns().isEmpty()) {
                String said = output.firstLine().isBlank()
                        ? "no rows; the SQL node may not be connected to the cluster again yet"
                        : output.firstLine();
                note.accept(node, "ndbinfo.restart_info could not be read: " + said);
                return;
            }
            info.differences(recovery).forEach(difference -> note.accept(node, difference));
        } catch (IOException e) {
            note.accept(node, "ndbinfo.restart_info could not be read: " + e.getMessage());
        }
    }

    @Override
    public void close() {
        asking.shutdownNow();
    }
}

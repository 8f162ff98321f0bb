package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.inventory.NodeCommands;
import io.ycsbdrill.fault.node.Backupable;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.Stoppable.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real cluster, known by its connect string only; set {@code NDB_HOME} to run it. */
@Tag("engine")
@Timeout(180)
class RemoteNdbIT {
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final List<Signal> RECOVERY = List.of(
            Signal.NODE_DOWN,
            Signal.FAILURE_HANDLED,
            Signal.PROCESS_STARTED,
            Signal.SYNCHRONISE_STARTED,
            Signal.WAIT_CHECKPOINT_STARTED,
            Signal.RECOVERED);

    @TempDir
    static Path folder;

    private static NdbHome home;
    private static LocalCluster local;

    private final List<EngineEvent> events = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void up() {
        home = TestedNdb.home();
        local = new NdbEngine()
                .up(
                        folder.resolve("c"),
                        Map.of("data-nodes", "2", "sql-nodes", "0", "data-memory", "64M"),
                        Lifetime.OWNED,
                        line -> {});
    }

    @AfterAll
    static void down() {
        if (local != null) {
            local.down();
        }
    }

    @Test
    void stoppedAndInitialisedThroughTheManagementServerAlone() throws Exception {
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            cluster.listen(events::add);

            cluster.capability(Stoppable.class).orElseThrow().stop("2", Mode.ABORT, BOUND);
            assertThat(cluster.status().get(1).state()).isEqualTo(State.DOWN);
            assertThat(cluster.status().get(1).detail()).isEqualTo("NOT_STARTED");
            cluster.capability(Initialisable.class).orElseThrow().startInitial("2");
            checkRecovery(cluster, "2");

            assertThat(signals("2").get(2).text()).containsAnyOf("Allocated node id", "Connected", "NDBStartStarted");
            assertThat(signals("2").get(3).text()).containsAnyOf("Restore fragments ongoing", "NR_CopyFragsStarted");
        }
    }

    @Test
    void backedUpThroughTheManagementServer() {
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            Backupable backups = cluster.capability(Backupable.class).orElseThrow();

            backups.backUp("1");

            assertThat(backups.lookForBackup().effect()).isTrue();
            assertThat(backups.lookForBackup().text()).matches("backup [1-9]\\d* of all data nodes is complete");
        }
    }

    @Test
    void killedAndStartedByTheUsersCommands() throws Exception {
        NdbFiles files = new NdbFiles(local.descriptor().directory());
        NodeCommands commands = Inventory.parse(
                "inventory.yaml",
                """
                engine: ndb
                properties: {ndb.connectstring: "%s"}
                defaults: {transport: local}
                data_nodes: [{id: 1}, {id: 2}]
                journal: %s/heal
                commands:
                  kill: 'kill -9 $(pgrep -P $(sed "s/ .*//" %s/run/node$NODE.pid))'
                  start: [sh, -c, 'setsid %s --defaults-file=%s --ndb-nodeid={node} --nodaemon >/dev/null 2>&1 & echo $! $(cut -d " " -f 22 /proc/$!/stat) ndbmtd >%s/run/node{node}.pid']
                """.formatted(
                                local.descriptor().engineState().get("connectstring"),
                                folder,
                                files.directory(),
                                home.program("ndbmtd").orElseThrow(),
                                files.dataOptions(),
                                files.directory()),
                List.of(new NdbEngine()),
                new Properties());
        try (NodeController cluster = connect(commands)) {
            cluster.listen(events::add);

            cluster.capability(Killable.class).orElseThrow().kill("1");
            assertThat(cluster.status().get(0).state()).isEqualTo(State.DOWN);
            cluster.capability(Startable.class).orElseThrow().start("1");
            checkRecovery(cluster, "1");
        }
    }

    private static NodeController connect(NodeCommands commands) {
        return RemoteNdb.connect(local.descriptor().engineState().get("connectstring"), commands);
    }

    private void checkRecovery(NodeController cluster, String node) throws Exception {
        cluster.capability(Startable.class).orElseThrow().awaitStarted(node, BOUND);
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (signals(node).stream().noneMatch(e -> e.signal() == Signal.RECOVERED)) {
            assertThat(System.nanoTime()).as("RECOVERED in %s", events).isLessThan(deadline);
            Thread.sleep(20);
        }
        assertThat(signals(node)).extracting(EngineEvent::signal).containsExactlyElementsOf(RECOVERY);
    }

    private List<EngineEvent> signals(String node) {
        return events.stream()
                .filter(e -> e.node().equals(node) && RECOVERY.contains(e.signal()))
                .toList();
    }
}

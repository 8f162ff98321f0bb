package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.ycsbdrill.fault.inject.HealRecord;
import io.ycsbdrill.fault.inject.Healer;
import io.ycsbdrill.fault.inventory.Inventory;
import io.ycsbdrill.fault.inventory.NodeCommands;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeController;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.Stoppable.Mode;
import io.ycsbdrill.fault.node.ndb.mgm.ScriptedMgmd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against a scripted management server; commands are small shell lines that tell the script through a file. */
class RemoteNdbTest {
    /** Ssh's own exit code. */
    private static final String UNREACHED = """
            commands:
              pause: 'true'
              resume: 'true'
              paused: echo connection refused; exit 255
            """;

    private static final Duration BOUND = Duration.ofSeconds(30);

    @TempDir
    Path folder;

    private final Map<String, String> states = new ConcurrentHashMap<>(Map.of("1", "STARTED", "2", "STARTED"));
    private final Map<String, Integer> groups = new ConcurrentHashMap<>();
    private ScriptedMgmd server;
    /** How long a node that is to be restarted takes to stop. */
    private volatile Duration stopping = Duration.ZERO;

    @BeforeEach
    void serve() throws IOException {
        server = new ScriptedMgmd(this::answer);
    }

    @AfterEach
    void stopServing() throws IOException {
        server.close();
    }

    @Test
    void clusterIsDescribedByItsManagementServer() {
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            assertThat(cluster.engine()).isEqualTo("ndb");
            assertThat(cluster.nodes()).extracting(n -> n.id()).containsExactly("1", "2");
            assertThat(cluster.nodes()).extracting(n -> n.host()).containsOnly("10.0.0.1");
            assertThat(cluster.primary()).contains("1");
            states.put("1", "NO_CONTACT");
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.DOWN, State.STARTED);
            assertThat(cluster.primary()).contains("2");
            assertThat(cluster.capability(Stoppable.class)).isPresent();
            assertThat(cluster.capability(Initialisable.class)).isPresent();
            assertThat(cluster.capability(Killable.class)).isEmpty();
            assertThat(cluster.capability(Pausable.class)).isEmpty();
        }
    }

    @Test
    void withoutAStartCommandAStoppedNodeWaitsForTheOrderToStart() {
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            cluster.capability(Stoppable.class).orElseThrow().stop("2", Mode.ABORT, BOUND);
            assertThat(cluster.status().get(1).state()).isEqualTo(State.DOWN);
            cluster.capability(Startable.class).orElseThrow().start("2");
            cluster.capability(Startable.class).orElseThrow().awaitStarted("2", BOUND);

            assertThat(server.requests)
                    .contains(
                            List.of(
                                    "restart node v2",
                                    "node: 2",
                                    "abort: 1",
                                    "initialstart: 0",
                                    "nostart: 1",
                                    "force: 0"),
                            List.of("start", "node: 2"));
        }
    }

    @Test
    void aStopMayTakeAsLongAsTheTimeoutAllows() {
        stopping = Duration.ofSeconds(2);
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            cluster.capability(Stoppable.class).orElseThrow().stop("2", Mode.GRACEFUL, Duration.ofMillis(300));

            assertThat(cluster.status().get(1).state()).isEqualTo(State.DOWN);
        }
    }

    @Test
    void initialStartOfAWaitingNodeIsARestartWithoutItsFiles() {
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            Initialisable node = cluster.capability(Initialisable.class).orElseThrow();
            assertThatThrownBy(() -> node.startInitial("2"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("only when it is down");
            states.put("2", "NOT_STARTED");
            node.startInitial("2");

            assertThat(server.requests)
                    .contains(List.of(
                            "restart node v2", "node: 2", "abort: 0", "initialstart: 1", "nostart: 0", "force: 0"));
        }
    }

    /** Nobody gets it back, and by itself the node would wait for the others. */
    @Test
    void theLastCopyOfTheDataIsNotRemoved() {
        states.putAll(Map.of("1", "NO_CONTACT", "2", "NOT_STARTED"));
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            assertThatThrownBy(() -> cluster.capability(Initialisable.class)
                            .orElseThrow()
                            .startInitial("2"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessage("no other node serves from which 2 could copy the data; its files are kept. Start the"
                            + " others first");

            assertThat(server.requests).noneMatch(request -> request.contains("initialstart: 1"));
        }
    }

    /** A cluster without one of its node groups ends itself, whoever serves in the others. */
    @Test
    void aNodeOfAnotherGroupHasNoCopy() {
        groups.put("1", 1);
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            Initialisable nodes = cluster.capability(Initialisable.class).orElseThrow();
            assertThatThrownBy(() -> nodes.checkInitial("2"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageStartingWith("no other node serves from which 2 could copy the data");
            groups.clear();

            assertThatCode(() -> nodes.checkInitial("2")).doesNotThrowAnyException();
        }
    }

    @Test
    void deadNodeWithoutAStartCommandNamesWhatIsNeeded() {
        states.put("2", "NO_CONTACT");
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            assertThatThrownBy(() ->
                            cluster.capability(Startable.class).orElseThrow().start("2"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("command \"start\" in an inventory");
        }
    }

    @Test
    void ownCommandsKillAndStartAndLeaveSteps() throws Exception {
        Path told = folder.resolve("told");
        try (NodeController cluster = connect(file("""
                timeout: 30s
                commands:
                  kill: echo kill $NODE $HOST >>%1$s
                  start: [sh, -c, "echo start {node} >>%1$s"]
                  pause: echo pause >>%1$s
                  resume: 'echo resume >>%1$s; : --password=hunter2; exit 3'
                  paused: test "$(tail -n 1 %1$s)" = pause
                """.formatted(told)))) {
            List<EngineEvent> events = new CopyOnWriteArrayList<>();
            cluster.listen(events::add);
            cluster.capability(Killable.class).orElseThrow().kill("2");
            cluster.capability(Killable.class).orElseThrow().kill("2"); // is down already
            assertThat(cluster.status().get(1).state()).isEqualTo(State.DOWN);
            cluster.capability(Startable.class).orElseThrow().start("2");
            assertThat(cluster.status().get(1).state()).isEqualTo(State.STARTED);
            cluster.capability(Pausable.class).orElseThrow().pause("2");
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.PAUSED);
            assertThatThrownBy(() ->
                            cluster.capability(Pausable.class).orElseThrow().resume("2"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("the resume command for node 2 ended with 3")
                    .hasMessageContaining("--password=***");

            assertThat(Files.readAllLines(told)).containsExactly("kill 2 localhost", "start 2", "pause", "resume");
            // Steps are told on the watching thread: wait for the last one.
            long deadline = System.nanoTime() + BOUND.toNanos();
            while (events.stream().noneMatch(e -> e.text().startsWith("resume:")) && System.nanoTime() < deadline) {
                Thread.onSpinWait();
            }
            assertThat(events)
                    .filteredOn(e -> e.source().equals("process"))
                    .extracting(e -> e.text().substring(0, e.text().indexOf(':')))
                    .containsExactly("kill", "start", "pause", "resume");
        }
    }

    /** As one that is cut off, or paused for long: its management server has lost it, and its host has not. */
    @EnabledOnOs(OS.LINUX)
    @ParameterizedTest
    @CsvSource({"true, 9", "false, 15"})
    void aNodeThatIsOutOfTheClusterIsKilledOrStoppedAllTheSame(boolean kill, int signal) throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        Process process =
                new ProcessBuilder("sleep", "300").directory(data.toFile()).start();
        Files.writeString(folder.resolve("2.pid"), process.pid() + "\n");
        states.put("2", "NO_CONTACT");
        try (NodeController cluster = connect(
                Inventory.parse("inventory.yaml", """
                engine: ndb
                properties: {ndb.connectstring: "x:1"}
                defaults: {transport: local, pid_file: "%1$s/{node}.pid", data_directory: %1$s/data}
                data_nodes: [{id: 1, program: sleep}, {id: 2, program: sleep}]
                journal: %1$s/heal
                """.formatted(folder), List.of(new NdbEngine()), new Properties()))) {
            Runnable end = kill
                    ? () -> cluster.capability(Killable.class).orElseThrow().kill("2")
                    : () -> cluster.capability(Stoppable.class).orElseThrow().stop("2", Mode.GRACEFUL, BOUND);

            end.run();

            assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(128 + signal);
            end.run(); // is down already
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aNodeThatIsOutOfTheClusterAndOfWhichNoHostIsKnownIsNotStoppedAndThatIsSaid() {
        states.put("2", "NO_CONTACT");
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            assertThatThrownBy(() ->
                            cluster.capability(Stoppable.class).orElseThrow().stop("2", Mode.GRACEFUL, BOUND))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageStartingWith("node 2 is not stopped: it is ")
                    .hasMessageContaining("docs/inventory.md");
            states.put("2", "NOT_STARTED");
            cluster.capability(Stoppable.class).orElseThrow().stop("2", Mode.GRACEFUL, BOUND); // waits for an order
        }
    }

    /** The management server says STARTED until four heartbeats are missing, so that nobody else would resume it. */
    @Test
    void aNodeWhoseResumeHasFailedStaysPausedAndIsResumedByHealing() throws Exception {
        try (NodeController cluster = connect(resumingAtTheSecondTry())) {
            Pausable nodes = cluster.capability(Pausable.class).orElseThrow();
            nodes.pause("2");
            assertThatThrownBy(() -> nodes.resume("2"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("the resume command for node 2 ended with 3");
            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.PAUSED);

            assertThat(new Healer(cluster, HealRecord.inMemory(), BOUND, text -> {}).heal())
                    .isEmpty();

            assertThat(folder.resolve("paused")).doesNotExist();
            assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        }
    }

    @Test
    void aNodeThatIsOutStaysPausedUntilItIsResumed() throws Exception {
        try (NodeController cluster = connect(resumingAtTheSecondTry())) {
            Pausable nodes = cluster.capability(Pausable.class).orElseThrow();
            nodes.pause("2");
            states.put("2", "NO_CONTACT");
            assertThatThrownBy(() -> nodes.resume("2"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("the resume command for node 2 ended with 3");
            assertThat(cluster.status().get(1).state()).isEqualTo(State.PAUSED);

            nodes.resume("2");

            assertThat(folder.resolve("paused")).doesNotExist();
            assertThat(cluster.status().get(1).state()).isEqualTo(State.DOWN);
        }
    }

    private NodeCommands resumingAtTheSecondTry() throws IOException {
        return file("""
                commands:
                  pause: touch %1$s/paused
                  resume: test -e %1$s/tried && rm %1$s/paused || { touch %1$s/tried; exit 3; }
                  paused: test -e %1$s/paused
                """.formatted(folder));
    }

    @Test
    void aPauseThatFailsMayHavePausedTheNode() throws Exception {
        try (NodeController cluster = connect(file("""
                commands:
                  pause: touch %1$s/paused; exit 1
                  resume: rm %1$s/paused
                  paused: test -e %1$s/paused
                """.formatted(folder)))) {
            assertThatThrownBy(() ->
                            cluster.capability(Pausable.class).orElseThrow().pause("2"))
                    .isInstanceOf(NodeControlException.class);

            assertThat(cluster.status().get(1).state()).isEqualTo(State.PAUSED);
        }
    }

    @Test
    void whereSshDoesNotReachTheHostItIsNotKnownWhetherANodeIsPaused() throws Exception {
        try (NodeController cluster = connect(file(UNREACHED))) {
            cluster.capability(Pausable.class).orElseThrow().pause("2");

            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.UNKNOWN);
            assertThat(cluster.status().get(1).detail())
                    .isEqualTo("it is not known whether node 2 is paused: connection refused");
        }
    }

    @Test
    void aHostThatSshDoesNotReachDoesNotKeepTheOtherNodesFromBeingHealed() throws Exception {
        try (NodeController cluster = connect(file(UNREACHED))) {
            cluster.capability(Pausable.class).orElseThrow().pause("2");
            states.put("1", "NOT_STARTED");

            assertThat(new Healer(cluster, HealRecord.inMemory(), BOUND, text -> {}).heal())
                    .singleElement()
                    .asString()
                    .contains("it is not known whether node 2 is paused: connection refused");

            assertThat(cluster.status()).extracting(NodeStatus::state).containsExactly(State.STARTED, State.UNKNOWN);
        }
    }

    @Test
    void killThatHasNoEffectIsAFailure() throws IOException {
        try (NodeController cluster = connect(file("timeout: 2s\ncommands: {kill: 'true'}"))) {
            assertThatThrownBy(() ->
                            cluster.capability(Killable.class).orElseThrow().kill("2"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessage("node 2 is not out of the cluster after 2000 ms; the management server says STARTED");
        }
    }

    @Test
    void unknownNodeIsNamedWithTheKnownOnes() {
        try (NodeController cluster = connect(NodeCommands.NONE)) {
            assertThatThrownBy(() ->
                            cluster.capability(Startable.class).orElseThrow().start("7"))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessage("no node 7 in this cluster; it has 1, 2");
        }
    }

    /** As {@code FaultInjector.stop()} does: one call waits for the node, the other one for the first. */
    @Test
    void interruptEndsAWaitingCallAndOneThatWaitsForIt() throws Exception {
        try (NodeController cluster = connect(file("timeout: 300s\ncommands: {kill: 'true'}"))) {
            Killable killable = cluster.capability(Killable.class).orElseThrow();
            CompletableFuture<Throwable> first = new CompletableFuture<>();
            CompletableFuture<Throwable> second = new CompletableFuture<>();
            Thread kills = new Thread(() -> first.complete(catchThrowable(() -> killable.kill("2"))));
            Thread waits = new Thread(() -> second.complete(catchThrowable(() -> killable.kill("2"))));
            kills.start();
            awaitState(kills, Thread.State.TIMED_WAITING);
            waits.start();
            awaitState(waits, Thread.State.WAITING);

            waits.interrupt();
            assertThat(second.get(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("interrupted");
            assertThat(first).isNotDone();
            kills.interrupt();
            assertThat(first.get(BOUND.toSeconds(), TimeUnit.SECONDS))
                    .isInstanceOf(NodeControlException.class)
                    .hasMessageContaining("interrupted");
        }
    }

    /** In a call of the lock or wait under test, and in no other that may block. */
    private static void awaitState(Thread thread, Thread.State state) {
        while (thread.getState() != state
                || Arrays.stream(thread.getStackTrace())
                        .noneMatch(frame -> frame.getClassName().endsWith("NodeLocks"))) {
            Thread.onSpinWait();
        }
    }

    @Test
    void closedTwiceIsHarmless() {
        NodeController cluster = connect(NodeCommands.NONE);
        cluster.close();
        cluster.close();

        assertThatThrownBy(() -> cluster.listen(e -> {})).isInstanceOf(NodeControlException.class);
    }

    private NodeController connect(NodeCommands commands) {
        return RemoteNdb.connect("nodeid=7," + server.address(), commands);
    }

    private NodeCommands file(String text) {
        return Inventory.parse(
                "inventory.yaml", """
                engine: ndb
                properties: {ndb.connectstring: "x:1"}
                defaults: {transport: local}
                data_nodes: [{id: 1}, {id: 2}]
                journal: %s/heal
                """.formatted(folder) + text, List.of(new NdbEngine()), new Properties());
    }

    private String answer(List<String> request) {
        return switch (request.get(0)) {
            case "set clientversion" -> "set clientversion reply\nresult: Ok\n\n";
            case "listen event" -> "listen event\nresult: 0\n\n";
            case "get status" -> status();
            case "restart node v2" -> {
                String node = request.get(1).substring("node: ".length());
                String then = request.contains("nostart: 1") ? "NOT_STARTED" : "STARTING";
                if (stopping.isZero()) {
                    states.put(node, then);
                } else {
                    states.put(node, "SHUTTING_DOWN");
                    CompletableFuture.delayedExecutor(stopping.toMillis(), TimeUnit.MILLISECONDS)
                            .execute(() -> states.put(node, then));
                }
                yield "restart reply\nresult: Ok\nrestarted: 1\ndisconnect: 0\n\n";
            }
            default -> {
                states.put(request.get(1).substring("node: ".length()), "STARTED");
                yield "start reply\nresult: Ok\n\n";
            }
        };
    }

    private String status() {
        Path told = folder.resolve("told");
        if (Files.exists(told)) {
            try {
                String all = Files.readString(told);
                states.put("2", all.lastIndexOf("start 2") >= all.lastIndexOf("kill 2") ? "STARTED" : "NO_CONTACT");
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
        StringBuilder reply = new StringBuilder("node status\nnodes: 2\n");
        for (String id : List.of("1", "2")) {
            String node = "node." + id + ".";
            reply.append(node).append("type: NDB\n");
            reply.append(node).append("status: ").append(states.get(id)).append('\n');
            reply.append(node)
                    .append("dynamic_id: ")
                    .append(states.get(id).equals("STARTED") ? id : "0")
                    .append('\n');
            reply.append(node)
                    .append("node_group: ")
                    .append(groups.getOrDefault(id, 0))
                    .append('\n');
            reply.append(node).append("address: 10.0.0.1\n");
        }
        return reply.append('\n').toString();
    }
}

package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeInfo;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.Stoppable.Mode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** One real cluster of three nodes through all that can be done to them, with data that must survive it. */
@Tag("engine")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class GaleraClusterIT {
    private static final Duration BOUND = Duration.ofMinutes(3);

    /** Every phase's signal, in the order of a recovery. */
    private static final List<Signal> RECOVERY = List.of(
            Signal.NODE_DOWN,
            Signal.FAILURE_HANDLED,
            Signal.PROCESS_STARTED,
            Signal.SYNCHRONISE_STARTED,
            Signal.WAIT_CHECKPOINT_STARTED,
            Signal.RECOVERED);

    @TempDir
    static Path folder;

    private static GaleraHome home;
    private static LocalCluster cluster;
    private static final List<EngineEvent> EVENTS = new CopyOnWriteArrayList<>();
    private static int written;

    @BeforeAll
    static void up() throws Exception {
        home = TestedGalera.home();
        cluster = new GaleraEngine()
                .up(
                        folder.resolve("c"),
                        Map.of("buffer-pool", "32M", "gcache", "32M"),
                        Lifetime.OWNED,
                        line -> System.out.println("up: " + line));
        cluster.listen(EVENTS::add);
        sql("node1", "CREATE TABLE ycsb.kept (a INT PRIMARY KEY)");
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
            assertThat(folder.resolve("c")).doesNotExist();
        }
    }

    @BeforeEach
    void forget() {
        EVENTS.clear();
    }

    @AfterEach
    void everyNodeHasEveryRow() throws Exception {
        for (NodeInfo node : cluster.nodes()) {
            assertThat(sql(node.id(), "SET SESSION wsrep_sync_wait=1; SELECT COUNT(*) FROM ycsb.kept"))
                    .as("rows on %s", node.id())
                    .isEqualTo(Integer.toString(written));
        }
    }

    @Test
    @Order(1)
    void everyNodeIsStartedAndOneIsPrimary() throws Exception {
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(cluster.status()).allMatch(s -> s.pid().isPresent());
        assertThat(cluster.primary()).isPresent();
        assertThat(cluster.engineVersion()).contains("MariaDB");
        assertThat(sql("node1", "SELECT CONCAT(user, '@', host) FROM mysql.global_priv WHERE user IN ('root', 'ycsb')")
                        .lines())
                .containsExactlyInAnyOrder("root@localhost", "ycsb@127.0.0.1");
    }

    @Test
    @Order(2)
    void killedNodeTakesWhatItMissed() throws Exception {
        String victim = cluster.primary().orElseThrow();

        capability(Killable.class).kill(victim);
        assertThat(state(victim)).isEqualTo(State.DOWN);
        await(() -> has(victim, Signal.FAILURE_HANDLED), "the failure to be handled");
        write(other(victim));
        capability(Startable.class).start(victim);
        capability(Startable.class).awaitStarted(victim, BOUND);

        checkRecovery(victim);
        assertThat(texts(victim)).anyMatch(t -> t.contains("WSREP: Recovered position"));
        assertThat(texts(victim)).anyMatch(t -> t.contains("IST received"));
        assertThat(texts(victim)).noneMatch(t -> t.contains("rsync SST completed on joiner"));
    }

    @Test
    @Order(3)
    void initialisedNodeCopiesEverything() throws Exception {
        String victim = "node3";
        assertThatThrownBy(() -> capability(Initialisable.class).startInitial(victim))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("is running");

        capability(Stoppable.class).stop(victim, Mode.ABORT, BOUND);
        write(other(victim));
        capability(Initialisable.class).startInitial(victim);
        capability(Startable.class).awaitStarted(victim, BOUND);

        checkRecovery(victim);
        assertThat(texts(victim)).anyMatch(t -> t.contains("rsync SST completed on joiner"));
    }

    @Test
    @Order(4)
    void briefPauseIsNoFailureAndALongOneIs() throws Exception {
        String victim = "node2";

        capability(Pausable.class).pause(victim);
        assertThat(state(victim)).isEqualTo(State.PAUSED);
        capability(Pausable.class).resume(victim);
        assertThat(state(victim)).isEqualTo(State.STARTED);
        assertThat(EVENTS).noneMatch(e -> e.signal() == Signal.NODE_DOWN);

        capability(Pausable.class).pause(victim);
        await(() -> has(victim, Signal.FAILURE_HANDLED), "the others to give it up");
        write(other(victim));
        capability(Pausable.class).resume(victim);
        capability(Startable.class).awaitStarted(victim, BOUND);

        // It was there all the time: nothing to recover locally.
        assertThat(signals(victim))
                .containsExactlyElementsOf(RECOVERY.stream()
                        .filter(s -> s != Signal.PROCESS_STARTED)
                        .toList());
        print(victim);
    }

    @Test
    @Order(5)
    void lossOfAllNodesEndsWithTheOneThatIsFarthest() throws Exception {
        capability(Killable.class).kill("node1");
        await(() -> has("node1", Signal.FAILURE_HANDLED), "the failure to be handled");
        write("node2");
        capability(Killable.class).kill("node2");
        capability(Killable.class).kill("node3");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.DOWN);
        assertThat(cluster.primary()).isEmpty();
        EVENTS.clear();

        assertThatThrownBy(() -> capability(Initialisable.class).startInitial("node1"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no other node runs");
        capability(Startable.class).start("node1");
        await(() -> detail("node1").contains("waits for the nodes"), "node1 to wait for the others");
        capability(Startable.class).start("node2");
        capability(Startable.class).start("node3");
        for (NodeInfo node : cluster.nodes()) {
            capability(Startable.class).awaitStarted(node.id(), BOUND);
            print(node.id());
        }

        assertThat(signals("node1"))
                .containsExactly(
                        Signal.PROCESS_STARTED,
                        Signal.SYNCHRONISE_STARTED,
                        Signal.WAIT_CHECKPOINT_STARTED,
                        Signal.RECOVERED);
        assertThat(signals("node2")).containsSubsequence(Signal.PROCESS_STARTED, Signal.RECOVERED);
        assertThat(signals("node2")).doesNotContain(Signal.SYNCHRONISE_STARTED);
    }

    @Test
    @Order(6)
    void lastOfTwoDoesNotServeUntilAnotherIsBack() throws Exception {
        capability(Killable.class).kill("node1");
        await(() -> has("node1", Signal.FAILURE_HANDLED), "the first failure to be handled");
        capability(Killable.class).kill("node2");
        await(() -> state("node3") == State.STARTING, "node3 to stop serving");

        assertThat(has("node2", Signal.FAILURE_HANDLED)).isFalse();
        capability(Startable.class).start("node1");
        capability(Startable.class).start("node2");
        for (NodeInfo node : cluster.nodes()) {
            capability(Startable.class).awaitStarted(node.id(), BOUND);
        }
    }

    @Test
    @Order(7)
    void anotherControllerFindsTheCluster() {
        try (LocalCluster again = new GaleraEngine().attach(cluster.descriptor())) {
            assertThat(again.status()).isEqualTo(cluster.status());
            assertThat(again.primary()).isEqualTo(cluster.primary());
            assertThat(again.engineVersion()).isEqualTo(cluster.engineVersion());
            again.capability(Startable.class).orElseThrow().awaitStarted("node1", BOUND);
        }
    }

    private static void checkRecovery(String victim) {
        print(victim);
        assertThat(signals(victim)).containsExactlyElementsOf(RECOVERY);
    }

    private static void print(String victim) {
        EVENTS.stream()
                .filter(e -> e.node().equals(victim))
                .filter(e -> e.signal() != Signal.STEP)
                .forEach(e -> System.out.println(victim + " " + e.signal() + " " + e.wall() + " " + e.text()));
    }

    private static List<Signal> signals(String node) {
        return EVENTS.stream()
                .filter(e -> e.node().equals(node) && RECOVERY.contains(e.signal()))
                .map(EngineEvent::signal)
                .toList();
    }

    private static List<String> texts(String node) {
        return EVENTS.stream()
                .filter(e -> e.node().equals(node))
                .map(EngineEvent::text)
                .toList();
    }

    private static boolean has(String node, Signal signal) {
        return EVENTS.stream().anyMatch(e -> e.node().equals(node) && e.signal() == signal);
    }

    private static <C> C capability(Class<C> type) {
        return cluster.capability(type).orElseThrow();
    }

    private static NodeStatus status(String node) {
        return cluster.status().stream()
                .filter(s -> s.id().equals(node))
                .findFirst()
                .orElseThrow();
    }

    private static State state(String node) {
        return status(node).state();
    }

    private static String detail(String node) {
        return status(node).detail();
    }

    private static String other(String node) {
        return cluster.nodes().stream()
                .map(NodeInfo::id)
                .filter(id -> !id.equals(node))
                .findFirst()
                .orElseThrow();
    }

    private static void write(String node) throws Exception {
        for (int i = 0; i < 20; i++) {
            sql(node, "INSERT INTO ycsb.kept VALUES (" + written++ + ")");
        }
    }

    /** What the node answers, without headings. */
    private static String sql(String node, String statement) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(
                home.program("mariadb").orElseThrow().toString(),
                "--no-defaults",
                "--user=root",
                "--socket=" + folder.resolve("c").resolve(node).resolve("s.sock"),
                "--skip-column-names",
                "--execute=" + statement);
        builder.environment().putAll(home.environment(builder.environment()));
        Process process = builder.redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }

    private static void await(BooleanSupplier condition, String what) throws InterruptedException {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting for %s", what).isLessThan(deadline);
            Thread.sleep(20);
        }
    }
}

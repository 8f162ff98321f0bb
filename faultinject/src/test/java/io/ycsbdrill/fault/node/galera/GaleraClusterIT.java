package io.ycsbdrill.fault.node.galera;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.haproxy.TestedHaproxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
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

    @TempDir
    static Path folder;

    private static LocalCluster cluster;
    private static GaleraWitness witness;
    private static int written;

    @BeforeAll
    static void up() throws Exception {
        GaleraHome home = TestedGalera.home();
        cluster = new GaleraEngine()
                .up(
                        folder.resolve("c"),
                        Map.of("buffer-pool", "32M", "gcache", "16M", "haproxy", TestedHaproxy.option()),
                        Lifetime.OWNED,
                        line -> System.out.println("up: " + line));
        witness = new GaleraWitness(home, folder.resolve("c"));
        cluster.listen(witness::heard);
        witness.sql("node1", "CREATE TABLE ycsb.kept (a INT PRIMARY KEY)");
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
        witness.forget();
    }

    @AfterEach
    void everyNodeHasEveryRow() throws Exception {
        for (NodeInfo node : cluster.nodes()) {
            assertThat(witness.sql(node.id(), "SET SESSION wsrep_sync_wait=1; SELECT COUNT(*) FROM ycsb.kept"))
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
        assertThat(witness.sql("node1", "SELECT @@system_time_zone")).isEqualTo("UTC");
        assertThat(witness.sql(
                                "node1",
                                "SELECT CONCAT(user, '@', host) FROM mysql.global_priv WHERE user IN ('root', 'ycsb')")
                        .lines())
                .containsExactlyInAnyOrder("root@localhost", "ycsb@127.0.0.1");
    }

    @Test
    @Order(2)
    void killedNodeTakesWhatItMissed() throws Exception {
        String victim = cluster.primary().orElseThrow();

        capability(Killable.class).kill(victim);
        assertThat(state(victim)).isEqualTo(State.DOWN);
        await(() -> witness.has(victim, Signal.FAILURE_HANDLED), "the failure to be handled");
        write(other(victim));
        capability(Startable.class).start(victim);
        capability(Startable.class).awaitStarted(victim, BOUND);

        checkRecovery(victim);
        assertThat(witness.texts(victim)).anyMatch(t -> t.contains("WSREP: Recovered position"));
        assertThat(witness.notes(victim)).anyMatch(t -> t.matches("state transfer: IST, \\d+ write sets"));
        assertThat(witness.texts(victim)).noneMatch(t -> t.contains("rsync SST completed on joiner"));
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
        assertThat(witness.notes(victim)).anyMatch(t -> t.startsWith("state transfer: SST, a copy of everything"));
    }

    @Test
    @Order(4)
    void briefPauseIsNoFailureAndALongOneIs() throws Exception {
        String victim = "node2";

        capability(Pausable.class).pause(victim);
        assertThat(state(victim)).isEqualTo(State.PAUSED);
        capability(Pausable.class).resume(victim);
        assertThat(state(victim)).isEqualTo(State.STARTED);
        assertThat(witness.events()).noneMatch(e -> e.signal() == Signal.NODE_DOWN);

        capability(Pausable.class).pause(victim);
        await(() -> witness.has(victim, Signal.FAILURE_HANDLED), "the others to give it up");
        write(other(victim));
        capability(Pausable.class).resume(victim);
        capability(Startable.class).awaitStarted(victim, BOUND);

        // It was there all the time: nothing to recover locally.
        assertThat(witness.signals(victim))
                .containsExactlyElementsOf(GaleraWitness.RECOVERY.stream()
                        .filter(s -> s != Signal.PROCESS_STARTED)
                        .toList());
        witness.print(victim);
    }

    @Test
    @Order(5)
    void lossOfAllNodesEndsWithTheOneThatIsFarthest() throws Exception {
        capability(Killable.class).kill("node1");
        await(() -> witness.has("node1", Signal.FAILURE_HANDLED), "the failure to be handled");
        write("node2");
        capability(Killable.class).kill("node2");
        capability(Killable.class).kill("node3");
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.DOWN);
        assertThat(cluster.primary()).isEmpty();
        witness.forget();

        assertThatThrownBy(() -> capability(Initialisable.class).startInitial("node1"))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("no other node serves");
        capability(Startable.class).start("node1");
        await(() -> detail("node1").contains("waiting for the positions"), "node1 to wait for the others");
        capability(Startable.class).start("node2");
        capability(Startable.class).start("node3");
        for (NodeInfo node : cluster.nodes()) {
            capability(Startable.class).awaitStarted(node.id(), BOUND);
            witness.print(node.id());
        }

        assertThat(witness.signals("node1"))
                .containsExactly(
                        Signal.PROCESS_STARTED,
                        Signal.SYNCHRONISE_STARTED,
                        Signal.WAIT_CHECKPOINT_STARTED,
                        Signal.RECOVERED);
        assertThat(witness.signals("node2")).containsSubsequence(Signal.PROCESS_STARTED, Signal.RECOVERED);
        assertThat(witness.signals("node2")).doesNotContain(Signal.SYNCHRONISE_STARTED);
    }

    @Test
    @Order(6)
    void lastOfTwoDoesNotServeUntilAnotherIsBack() throws Exception {
        capability(Killable.class).kill("node1");
        await(() -> witness.has("node1", Signal.FAILURE_HANDLED), "the first failure to be handled");
        capability(Killable.class).kill("node2");
        await(() -> state("node3") == State.STARTING, "node3 to stop serving");
        await(() -> witness.has("node2", Signal.UNHANDLED), "it to be said that nobody handles the failure");

        assertThat(witness.has("node2", Signal.FAILURE_HANDLED)).isFalse();
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

    /** It misses rows that the others change. */
    @Test
    @Order(8)
    void nodeThatCannotDoWhatTheOthersHaveDoneIsStartedAnew() throws Exception {
        String victim = "node2";
        long before = status(victim).pid().orElseThrow();
        witness.sql(victim, "SET SESSION wsrep_on=OFF; DELETE FROM ycsb.kept");
        witness.sql("node1", "UPDATE ycsb.kept SET a = a + 1000000");
        await(() -> state(victim) == State.EXPELLED, victim + " to be expelled");
        await(() -> witness.has(victim, Signal.FAILURE_HANDLED), "the others to go on without it");
        try (LocalCluster again = new GaleraEngine().attach(cluster.descriptor())) {
            assertThat(again.status()).extracting(NodeStatus::state).contains(State.EXPELLED);
        }

        capability(Startable.class).start(victim);
        capability(Startable.class).awaitStarted(victim, BOUND);

        assertThat(status(victim).pid()).isPresent().isNotEqualTo(OptionalLong.of(before));
        checkRecovery(victim);
        assertThat(witness.notes(victim)).anyMatch(t -> t.startsWith("state transfer: SST, a copy of everything"));
    }

    /** A start that would be an IST, had the others kept what was written meanwhile: 40 MB with a cache of 16. */
    @Test
    @Order(9)
    void nodeThatMissedMoreThanTheOthersKeepCopiesEverything() throws Exception {
        String victim = "node3";
        witness.sql("node1", "CREATE TABLE ycsb.big (a INT AUTO_INCREMENT PRIMARY KEY, b MEDIUMTEXT)");
        capability(Killable.class).kill(victim);
        await(() -> witness.has(victim, Signal.FAILURE_HANDLED), "the failure to be handled");
        witness.sql("node1", "INSERT INTO ycsb.big (b) VALUES (REPEAT('x', 100000));".repeat(400));
        capability(Startable.class).start(victim);
        proxyKeepsAwayUntilSynced(victim);
        capability(Startable.class).awaitStarted(victim, BOUND);

        checkRecovery(victim);
        assertThat(witness.notes(victim)).anyMatch(t -> t.startsWith("state transfer: SST, a copy of everything"));
        assertThat(witness.notes(victim)).noneMatch(t -> t.startsWith("state transfer: IST"));
        assertThat(witness.sql(victim, "SELECT COUNT(*) FROM ycsb.big")).isEqualTo("400");
    }

    /** The proxy gives the node connections again, and not before it is synced. */
    private static void proxyKeepsAwayUntilSynced(String victim) throws InterruptedException {
        Optional<Haproxy> proxy = TestedHaproxy.before(cluster);
        if (proxy.isEmpty()) {
            return;
        }
        assertThat(TestedHaproxy.server(proxy.get(), victim).up()).isFalse();
        await(
                () -> {
                    boolean up = TestedHaproxy.server(proxy.get(), victim).up();
                    // Asked after the proxy was, so that it cannot have become so in between.
                    assertThat(up && state(victim) != State.STARTED)
                            .as("connections for a node that is not synced")
                            .isFalse();
                    return up;
                },
                "connections for " + victim);
        assertThat(cluster.proxies()).extracting(NodeStatus::state).containsExactly(State.STARTED);
    }

    private static void checkRecovery(String victim) {
        witness.print(victim);
        assertThat(witness.signals(victim)).containsExactlyElementsOf(GaleraWitness.RECOVERY);
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
            witness.sql(node, "INSERT INTO ycsb.kept VALUES (" + written++ + ")");
        }
    }

    private static void await(BooleanSupplier condition, String what) throws InterruptedException {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("waiting for %s", what).isLessThan(deadline);
            Thread.sleep(20);
        }
    }
}

package io.ycsbdrill.fault.node.ndb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ycsbdrill.base.NdbHome;
import io.ycsbdrill.fault.node.EngineEvent;
import io.ycsbdrill.fault.node.EngineEvent.Signal;
import io.ycsbdrill.fault.node.Initialisable;
import io.ycsbdrill.fault.node.Killable;
import io.ycsbdrill.fault.node.LocalCluster;
import io.ycsbdrill.fault.node.LocalEngine.Lifetime;
import io.ycsbdrill.fault.node.NodeControlException;
import io.ycsbdrill.fault.node.NodeStatus;
import io.ycsbdrill.fault.node.NodeStatus.State;
import io.ycsbdrill.fault.node.Pausable;
import io.ycsbdrill.fault.node.Startable;
import io.ycsbdrill.fault.node.Stoppable;
import io.ycsbdrill.fault.node.Stoppable.Mode;
import io.ycsbdrill.fault.node.haproxy.Haproxy;
import io.ycsbdrill.fault.node.haproxy.ProxiedServer;
import io.ycsbdrill.fault.node.haproxy.TestedHaproxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** One real cluster of three data nodes through all that can be done to a node; set {@code NDB_HOME} to run it. */
@Tag("engine")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NdbClusterIT {
    private static final Duration BOUND = Duration.ofMinutes(2);

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

    private static LocalCluster cluster;
    private static final List<EngineEvent> EVENTS = new CopyOnWriteArrayList<>();

    @BeforeAll
    static void up() {
        NdbHome home = TestedNdb.home();
        boolean sql = home.missing(true).isEmpty();
        cluster = new NdbEngine()
                .up(
                        folder.resolve("c"),
                        Map.of(
                                "sql-nodes",
                                sql ? "1" : "0",
                                "data-memory",
                                "128M",
                                "haproxy",
                                sql ? TestedHaproxy.option() : "false"),
                        Lifetime.OWNED,
                        line -> System.out.println("up: " + line));
        cluster.listen(EVENTS::add);
    }

    @AfterAll
    static void down() {
        if (cluster != null) {
            cluster.down();
            assertThat(folder.resolve("c")).doesNotExist();
        }
    }

    @Test
    @Order(1)
    void everyNodeIsStartedAndOneIsPrimary() {
        assertThat(cluster.status()).extracting(NodeStatus::state).containsOnly(State.STARTED);
        assertThat(cluster.status()).allMatch(s -> s.pid().isPresent());
        assertThat(cluster.primary()).isPresent();
        assertThat(cluster.engineVersion()).contains("ndb");
    }

    @Test
    @Order(2)
    void killedMasterComesBackThroughEveryPhase() throws Exception {
        String victim = cluster.primary().orElseThrow();

        capability(Killable.class).kill(victim);
        assertThat(state(victim)).isEqualTo(State.DOWN);
        assertThat(cluster.primary()).isPresent().get().isNotEqualTo(victim);
        startAndCheck(victim);
    }

    @Test
    @Order(4)
    void initialisedNodeSynchronisesFromItsFirstCopyOn() throws Exception {
        String victim = other();
        assertThatThrownBy(() -> capability(Initialisable.class).startInitial(victim))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("only when it is down");

        capability(Stoppable.class).stop(victim, Mode.ABORT, BOUND);
        capability(Initialisable.class).startInitial(victim);
        capability(Startable.class).awaitStarted(victim, BOUND);
        checkRecovery(victim);

        EngineEvent synchronise = EVENTS.stream()
                .filter(e -> e.signal() == Signal.SYNCHRONISE_STARTED)
                .findFirst()
                .orElseThrow();
        assertThat(synchronise.text()).containsAnyOf("Restore fragments ongoing", "NR_CopyFragsStarted");
    }

    @Test
    @Order(5)
    void briefPauseIsNoFailureAndALongOneIs() throws Exception {
        String victim = other();
        EVENTS.clear();

        capability(Pausable.class).pause(victim);
        assertThat(state(victim)).isEqualTo(State.PAUSED);
        capability(Pausable.class).resume(victim);
        assertThat(state(victim)).isEqualTo(State.STARTED);
        assertThat(EVENTS).noneMatch(e -> e.signal() == Signal.NODE_DOWN);

        capability(Pausable.class).pause(victim);
        await(() -> has(victim, Signal.FAILURE_HANDLED), "the others to declare it dead");
        capability(Pausable.class).resume(victim);
        await(() -> state(victim) == State.DOWN, "its end after it learned that it was declared dead");
        capability(Pausable.class).resume(victim); // nothing to do
        startAndCheckFrom(victim);
    }

    @Test
    @Order(6)
    void lastNodeOfAGroupIsNotStopped() throws Exception {
        List<String> ids = cluster.nodes().stream().map(n -> n.id()).toList();
        EVENTS.clear();
        // One after the other: a node that loses both others at once may be told by the arbitrator to end as well.
        capability(Killable.class).kill(ids.get(0));
        await(() -> has(ids.get(0), Signal.FAILURE_HANDLED), "the first failure to be handled");
        capability(Killable.class).kill(ids.get(1));
        await(() -> has(ids.get(1), Signal.FAILURE_HANDLED), "the second failure to be handled");

        assertThatThrownBy(() -> capability(Stoppable.class).stop(ids.get(2), Mode.GRACEFUL, BOUND))
                .isInstanceOf(NodeControlException.class)
                .hasMessageContaining("refused to stop node " + ids.get(2))
                .hasMessageContaining("system crash");
        capability(Startable.class).start(ids.get(0));
        capability(Startable.class).start(ids.get(1));
        capability(Startable.class).awaitStarted(ids.get(0), BOUND);
        capability(Startable.class).awaitStarted(ids.get(1), BOUND);
        checkRecovery(ids.get(0));
        checkRecovery(ids.get(1));
    }

    @Test
    @Order(7)
    void anotherControllerFindsTheCluster() {
        try (LocalCluster again = new NdbEngine().attach(cluster.descriptor())) {
            assertThat(again.status()).isEqualTo(cluster.status());
        }
    }

    @Test
    @Order(8)
    void proxyGivesADeadSqlNodeNoConnections() throws Exception {
        Haproxy proxy = TestedHaproxy.required(cluster);
        assertThat(cluster.descriptor().bindings().get("jdbc")).containsEntry("db.hosts", proxy.address());
        TestedHaproxy.await(proxy, servers -> servers.stream().allMatch(ProxiedServer::up));

        capability(Killable.class).kill("sql1");
        TestedHaproxy.await(proxy, servers -> servers.stream().noneMatch(ProxiedServer::up));
        capability(Startable.class).start("sql1");
        capability(Startable.class).awaitStarted("sql1", BOUND);
        TestedHaproxy.await(proxy, servers -> servers.stream().allMatch(ProxiedServer::up));

        assertThat(cluster.proxies()).extracting(NodeStatus::state).containsExactly(State.STARTED);
    }

    private static void startAndCheck(String victim) throws Exception {
        capability(Startable.class).start(victim);
        startAndCheckFrom(victim);
        EVENTS.clear();
    }

    private static void startAndCheckFrom(String victim) throws Exception {
        capability(Startable.class).start(victim);
        capability(Startable.class).awaitStarted(victim, BOUND);
        checkRecovery(victim);
        EVENTS.clear();
    }

    private static void checkRecovery(String victim) throws Exception {
        await(() -> has(victim, Signal.RECOVERED), "RECOVERED of node " + victim);
        List<EngineEvent> signals = EVENTS.stream()
                .filter(e -> e.node().equals(victim) && RECOVERY.contains(e.signal()))
                .toList();
        assertThat(signals).extracting(EngineEvent::signal).containsExactlyElementsOf(RECOVERY);
        for (EngineEvent e : signals) {
            System.out.println("node " + victim + " " + e.signal() + " " + e.wall() + " " + e.text() + lag(e));
        }
        for (String step : List.of(
                "Undo Disk data ongoing",
                "Execute REDO logs ongoing",
                "Build indexes ongoing",
                "Wait handover of subscriptions")) {
            assertThat(EVENTS)
                    .filteredOn(e -> e.node().equals(victim) && e.signal() == Signal.STEP)
                    .anyMatch(e -> e.text().endsWith("NEW=" + step));
        }
        agreeWithClusterLog(signals);
    }

    /** The management server's log has the same lines with its own time; events carry none, so theirs is that of their arrival. */
    private static void agreeWithClusterLog(List<EngineEvent> signals) throws Exception {
        for (EngineEvent e : signals) {
            Optional<Duration> difference = differenceToLog(e);
            if (e.text().startsWith("NR Status") || e.text().startsWith("Restore Database")) {
                assertThat(difference).as("line of the cluster log for %s", e).isPresent();
            }
            difference.ifPresent(d -> assertThat(d).as("%s", e).isLessThan(Duration.ofSeconds(3)));
        }
    }

    private static String lag(EngineEvent e) throws Exception {
        return differenceToLog(e)
                .map(d -> " (log: " + d.toMillis() + " ms apart)")
                .orElse("");
    }

    private static Optional<Duration> differenceToLog(EngineEvent e) throws Exception {
        Path log = new NdbFiles(cluster.descriptor().directory()).clusterLog();
        Pattern line = Pattern.compile("(\\S+Z) .* -- Node \\d+: " + Pattern.quote(e.text()) + ".*");
        return Files.readAllLines(log).stream()
                .map(line::matcher)
                .filter(Matcher::matches)
                .map(m -> Duration.between(Instant.parse(m.group(1)), e.wall()).abs())
                .min(Duration::compareTo);
    }

    private static String other() {
        String primary = cluster.primary().orElseThrow();
        return cluster.nodes().stream()
                .map(n -> n.id())
                .filter(id -> !id.equals(primary))
                .findFirst()
                .orElseThrow();
    }

    private static State state(String node) {
        return cluster.status().stream()
                .filter(s -> s.id().equals(node))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private static boolean has(String node, Signal signal) {
        return EVENTS.stream().anyMatch(e -> e.node().equals(node) && e.signal() == signal);
    }

    private static <C> C capability(Class<C> type) {
        return cluster.capability(type).orElseThrow();
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition, String what) throws InterruptedException {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime())
                    .as("waited in vain for %s; events: %s", what, EVENTS)
                    .isLessThan(deadline);
            Thread.sleep(20);
        }
    }
}
